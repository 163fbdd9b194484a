import { AgreementNeeded } from '../../../base/errors.ts';
import { contentHash } from '../../../base/ids.ts';
import { displayPath } from '../../../base/paths.ts';
import { isExecutableConfig } from '../executableConfig.ts';
import { reportChange } from './changeReport.ts';
import { agreedToEverything, type ChangeOrigin, type ChangePlan } from './operations.ts';

const maxShownChars = 200_000;

/**
 * Whichever way a change came about, undo included: what is executed later is not written, moved or deleted unless a person has agreed to
 * exactly that. What they agree to is what would be written, not the call that asked for it.
 */
export function demandAgreement(root: string, plan: ChangePlan, { agreedTo }: ChangeOrigin): void {
  if (agreedTo === agreedToEverything) return;
  const transitions = plan.transitions.filter(({ path }) => isExecutableConfig(path, root));
  const folders = [...plan.addedDirectories, ...plan.removedDirectories].filter((path) =>
    isExecutableConfig(path, root),
  );
  if (transitions.length + folders.length === 0) return;
  const fingerprint = contentHash(JSON.stringify([transitions, folders]));
  if (agreedTo === fingerprint) return;
  const paths = transitions.length > 0 ? transitions.map(({ path }) => path) : folders;
  const files = paths.map((path) => displayPath(root, path));
  const named = `${files.slice(0, 5).join(', ')}${files.length > 5 ? ` and ${files.length - 5} more` : ''}`;
  const { diff, diffOmitted } = reportChange(root, { ...plan, transitions, moves: [], editedMoves: [] }, maxShownChars);
  throw new AgreementNeeded(
    `${named}: other programs execute this later, so a person must agree to a change of it. Nothing was changed.`,
    {
      fingerprint,
      shown: `${named}, which other programs execute later:\n${diff}${(diffOmitted ?? []).map((file) => `(too long to be shown: ${file})\n`).join('')}`,
      hint: 'Leave it out, or call again: a person is asked about it.',
      data: { files: files.slice(0, 20) },
    },
  );
}
