/**
 * What ty says in English, read here and nowhere else. The examples in the test are what the pinned version says; after an update of ty
 * that test tells what has to be read otherwise.
 */

/** Whether it misses a name or a key that was there before. */
export function missesName(message: string, name: string): boolean {
  return message.includes(`\`${name}\``) || message.includes(`Unknown key "${name}"`);
}

/** Whether it misses a key that a dictionary of a declared form must have. */
export function missesRequiredKey(message: string, key: string): boolean {
  return message.includes(`Missing required key '${key}'`);
}

export function missesMember(message: string, member: string): boolean {
  return message.includes(`has no attribute \`${member}\``);
}

/** The names in the two types of which one does not stand for the other; undefined when it says something else. */
export function mismatchedTypes(message: string): string[] | undefined {
  const [wanted, given] = [...message.matchAll(/`([^`]+)`/g)].slice(-2).map((match) => match[1] ?? '');
  if (wanted === undefined || given === undefined) return undefined;
  if (!/expected `[^`]+`, found `|is not assignable to `/i.test(message)) return undefined;
  return [wanted, given].flatMap((type) => type.match(/[A-Za-z_]\w*/g) ?? []);
}

/** Whether a value of another type is assigned to a variable of a module from outside of it. */
export function refusesAssignment(message: string, variable: string): boolean {
  return message.includes(`is not assignable to attribute \`${variable}\` of type`);
}

/** The name that is read and not defined, if it says so. */
export function undefinedName(message: string): string | undefined {
  return /Name `(\w+)` used when not defined/.exec(message)?.[1];
}

/** Without what differs between two copies of the same code: line numbers, and the function that a type belongs to. */
export function withoutPlaces(message: string): string {
  return message.replace(/:\d+:\d+/g, '').replace(/@\w+/g, '');
}
