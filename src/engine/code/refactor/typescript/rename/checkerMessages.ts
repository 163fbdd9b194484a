import { escapeRegExp } from '../../../../../base/text/escapeRegExp.ts';

/** What the checker says of a rename that is not whole, read from its English words: these are the only ones that are. */
interface CheckerMessages {
  /** The types that lack the new name, or that still ask for the old one. */
  lackingTypes(message: string): string[];
  /** An object without a name of its own, told by what it holds, lacks the new name and has the old one. */
  isLackedByObject(message: string): boolean;
  /** The same, as the checker prints the type of it. */
  lackingShapes(message: string): string[];
  /** What asks for the old name where it is not found any more had it from what got the new one. */
  isUnfound(message: string): boolean;
  /** The old name, as a string, is no key of a type any more. */
  isRefusedKey(message: string): boolean;
  /** The type that lacks the old name, as it is printed. */
  lackingOld(message: string): string | undefined;
  isLackingNew(message: string): boolean;
}

export function checkerMessages(oldName: string, newName: string): CheckerMessages {
  const [fresh, known] = [escapeRegExp(newName), escapeRegExp(oldName)];
  const lacking = new RegExp(
    `Property '${fresh}' is missing in type '(?:typeof )?([\\w$]+)|'${fresh}' does not exist (?:on|in) type '(?:typeof )?([\\w$]+)`,
    'g',
  );
  const asking = new RegExp(
    `Property '${known}' is missing in type '[^']*' but required in type '(?:typeof )?([\\w$]+)`,
    'g',
  );
  const nameless = new RegExp(`Property '${fresh}' is missing in type '[^']*\\{ (?:[^']*; )?${known}\\??: `);
  const shape = new RegExp(`Property '${fresh}' is missing in type '(\\{[^']*\\})'`, 'g');
  const unfound = new RegExp(`'${known}' does not exist (?:on|in) type '`);
  const refusedKey = new RegExp(
    `[Tt]ype '"${known}"' (?:is not assignable to (?:parameter of )?type|does not satisfy the constraint) '`,
  );
  const lacksOld = new RegExp(`Property '${known}' is missing in type '(?:typeof )?([^']*)'`);
  return {
    lackingTypes: (message) =>
      [...message.matchAll(lacking), ...message.matchAll(asking)].map((one) => one[1] ?? one[2] ?? ''),
    isLackedByObject: (message) => nameless.test(message),
    lackingShapes: (message) => [...message.matchAll(shape)].map((one) => one[1] ?? ''),
    isUnfound: (message) => unfound.test(message),
    isRefusedKey: (message) => refusedKey.test(message),
    lackingOld: (message) => lacksOld.exec(message)?.[1],
    isLackingNew: (message) => message.includes(`Property '${newName}' is missing in type '`),
  };
}
