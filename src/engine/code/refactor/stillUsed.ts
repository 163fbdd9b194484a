import { counted } from '../../../base/text/counted.ts';
import type { ToolError } from '../../../base/errors.ts';
import { isTestPath } from '../../../base/languages/byPath.ts';
import { refuse } from './refusals/refuse.ts';

/** A place that needs what is to be deleted. */
export interface Usage {
  /** Relative to the project root. */
  file: string;
  line: number;
  column?: number;
  kind: UsageKind;
  context: string;
}

export type UsageKind =
  | 'import'
  | 're-export'
  | 'call'
  | 'type'
  | 'subclass'
  | 'declaration'
  | 'implementation'
  | 'registration'
  | 'write'
  | 'use';

const maxUsagesShown = 20;

/** The refusal to delete what is in use: by what, whether only tests need it, and the ways on. `cascades`: what cascading would add. */
export function stillUsed(name: string, usages: readonly Usage[], cascades: string | undefined): ToolError {
  const isInTests = ({ file }: Usage): boolean => isTestPath(file);
  const inTests = usages.filter(isInTests).length;
  const ordered = [...usages].sort(byPlace);
  const kinds = new Map<string, number>();
  for (const { kind } of ordered) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  // What is no test matters most, so it is shown first.
  const shown = [...ordered.filter((one) => !isInTests(one)), ...ordered.filter(isInTests)].slice(0, maxUsagesShown);
  const [first] = shown;
  const what = [...kinds].map(([kind, count]) => counted(count, kind)).join(', ');
  const where = inTests === usages.length ? ', only in tests' : inTests > 0 ? `, ${inTests} of them in tests` : '';
  const example = first === undefined ? '' : `, first at ${first.file}:${first.line}: ${first.context}`;
  const data = {
    usages: shown.map((one) => ({ ...one, ...(isInTests(one) ? { inTests: true } : {}) })),
    totalCount: usages.length,
    ...(inTests > 0 ? { inTests } : {}),
  };
  const cascading = cascades === undefined ? '' : `; cascade: true also removes ${cascades}`;
  const uses = `${counted(usages.length, 'place')} (${what}${where})${example}`;
  return refuse('stillUsed', { name, uses, cascading }, { data });
}

function byPlace(a: Usage, b: Usage): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || (a.column ?? 0) - (b.column ?? 0);
}
