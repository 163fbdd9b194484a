import { advise, step } from '../../../base/text/advice.ts';
import { ToolError } from '../../../base/errors.ts';
import { readGit, type GitRepository } from './repository.ts';

/** The commit a caller's text names, as a hash: nothing a caller writes can then be taken for an option. */
export async function verifyRevision(
  repository: GitRepository,
  revision: string,
  signal?: AbortSignal,
): Promise<string> {
  const hash = await findRevision(repository, revision, signal);
  if (hash === undefined)
    throw new ToolError('git_error', `"${revision.slice(0, 200)}" names no commit of this repository.`, {
      hint: advise`${step('gitBranch')} lists the branches, ${step('gitLog')} the commits.`,
    });
  return hash;
}

/** The same, undefined when there is none. */
export async function findRevision(
  repository: GitRepository,
  revision: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  if (revision.includes('\0')) throw new ToolError('invalid_arguments', 'A revision cannot contain a NUL character.');
  const result = await readGit(repository, {
    args: ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`],
    okCodes: [1, 128],
    signal,
  });
  const hash = result.stdout.trim();
  return result.code === 0 && /^[0-9a-f]{40,64}$/.test(hash) ? hash : undefined;
}

interface RevisionRange {
  /** Absent when only one revision was named. */
  from?: string;
  to: string;
  /** `a...b`: since both had a common ancestor. */
  symmetric: boolean;
}

/** `a`, `a..b` or `a...b`; a missing side is HEAD. Names of git never contain two dots. */
export async function verifyRange(
  repository: GitRepository,
  text: string,
  signal?: AbortSignal,
): Promise<RevisionRange> {
  const match = /^(.*?)(\.{2,3})(.*)$/s.exec(text);
  if (match === null) return { to: await verifyRevision(repository, text, signal), symmetric: false };
  const [from, to] = await Promise.all(
    [match[1], match[3]].map((side) => verifyRevision(repository, side === '' ? 'HEAD' : (side ?? ''), signal)),
  );
  return { from, to: to ?? '', symmetric: match[2] === '...' };
}

/** A name that a branch can have. */
export async function verifyBranchName(repository: GitRepository, name: string, signal?: AbortSignal): Promise<string> {
  const isPlain = !name.startsWith('-') && !name.includes('\0') && name !== 'HEAD' && name.length <= 244;
  const isValid =
    isPlain &&
    (await readGit(repository, { args: ['check-ref-format', `refs/heads/${name}`], okCodes: [1], signal })).code === 0;
  if (isValid) return name;
  throw new ToolError('invalid_arguments', `"${name.slice(0, 200)}" cannot be the name of a branch.`, {
    hint: 'Names have no spaces, no "..", none of ~^:?*[\\, and do not begin with a dash.',
  });
}
