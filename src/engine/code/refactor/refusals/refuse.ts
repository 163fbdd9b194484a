import { ToolError, type ToolErrorDetail } from '../../../../base/errors.ts';
import type { Hint } from '../../../../base/text/advice.ts';
import { conflictWords } from './conflicts.ts';
import { deleteRefusals } from './delete.ts';
import { extractRefusals } from './extract.ts';
import { inlineRefusals } from './inline.ts';
import { moveRefusals } from './move.ts';
import { renameRefusals } from './rename.ts';
import { sharedRefusals } from './shared.ts';

/** By operation, for the reference. What our Python refuses stands in `python/_sightline_refactor/refusals.py`. */
export const refusalsByOperation = {
  'any refactoring': sharedRefusals,
  rename: renameRefusals,
  extract: extractRefusals,
  inline: inlineRefusals,
  move: moveRefusals,
  'safe delete': deleteRefusals,
  'results that would not mean the same': conflictWords,
} as const;

/** Every reason not to refactor that there is, with its words: an operation names one of these and cannot make up another. */
export const refusals = {
  ...sharedRefusals,
  ...renameRefusals,
  ...extractRefusals,
  ...inlineRefusals,
  ...moveRefusals,
  ...deleteRefusals,
  ...conflictWords,
} as const;

/** `{name}` in any of the texts is filled in. */
interface WholeWords {
  /** After "Not possible here: ". */
  readonly why?: string;
  /** The whole message, where these words would be wrong. */
  readonly says?: string;
  readonly hint?: Hint;
  /** It could be done, but would clash with something: another name or `force` may help. */
  readonly isConflict?: true;
}

/** The reason alone, or with more. */
export type RefusalWords = string | WholeWords;

type RefusalName = keyof typeof refusals;

type FieldsOf<Text> = Text extends `${string}{${infer Field}}${infer Rest}` ? Field | FieldsOf<Rest> : never;
type Texts<Words> = Words extends string ? Words : Words[keyof Words];
type Fields<Name extends RefusalName> = FieldsOf<Texts<(typeof refusals)[Name]>>;
type Values<Name extends RefusalName> = Readonly<Record<Fields<Name>, string | number>>;
type Filled<Name extends RefusalName> = [Fields<Name>] extends [never] ? [] : [values: Values<Name>];

/** The error that refuses a refactoring for a reason of the list. */
export function refuse<Name extends RefusalName>(
  name: Name,
  ...[values, detail]: [Fields<Name>] extends [never] ? [] : [values: Values<Name>, detail?: ToolErrorDetail]
): ToolError {
  const words: RefusalWords = refusals[name];
  const { why, says, hint, isConflict }: WholeWords = typeof words === 'string' ? { why: words } : words;
  const shownHint = typeof hint === 'string' ? filled(hint, values) : hint;
  return new ToolError(
    isConflict === true ? 'refactoring_conflict' : 'refactoring_not_available',
    says === undefined ? `Not possible here: ${filled(why ?? '', values).replace(/\.$/, '')}.` : filled(says, values),
    { ...(shownHint === undefined ? {} : { hint: shownHint }), ...detail },
  );
}

/** Words that are on the list: nothing else can be said of a conflict that we found ourselves. */
export type Reason = string & { readonly isListed: true };

/** The words of a reason, for a sentence around them. */
export function because<Name extends RefusalName>(name: Name, ...[values]: Filled<Name>): Reason {
  const words: RefusalWords = refusals[name];
  const { why, says }: WholeWords = typeof words === 'string' ? { why: words } : words;
  return filled(why ?? says ?? '', values) as Reason;
}

function filled(text: string, values: Readonly<Record<string, string | number>> = {}): string {
  return text.replace(/\{(\w+)\}/g, (all, field: string) => String(values[field] ?? all));
}
