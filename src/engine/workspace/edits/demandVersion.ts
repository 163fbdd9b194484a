import { advise, step } from '../../../base/text/advice.ts';
import { ToolError } from '../../../base/errors.ts';

/** Refuses when a file is not what the caller has read. `hash` is null when there is none, `expected` when none may be there. */
export function demandVersion(shown: string, hash: string | null, expected: string | null): void {
  if (hash === expected || (hash !== null && expected !== null && isVersionTag(expected, hash))) return;
  if (expected !== null && !/^[0-9a-f]{12,64}$/.test(expected))
    throw new ToolError('invalid_arguments', `"${expected}" is no version of a file. Nothing was changed.`, {
      hint: advise`Pass version as ${step('readFile')} gave it, or leave it out.`,
    });
  const state = hash === null ? 'is gone' : 'has changed';
  throw new ToolError(
    'file_changed',
    expected === null
      ? `${shown} exists already. Nothing was changed.`
      : `${shown} ${state} since it was read. Nothing was changed.`,
    {
      hint:
        hash === null
          ? 'Leave version out to write it anew.'
          : 'Read the file again and repeat the change with its new version.',
      data: { file: shown, expectedVersion: expected, currentVersion: hash?.slice(0, 16) ?? null },
    },
  );
}

/** Version tags that callers see are the beginning of the hash. */
function isVersionTag(tag: string, hash: string): boolean {
  return tag.length >= 12 && hash.startsWith(tag);
}
