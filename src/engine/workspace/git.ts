import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { cancellationReason } from '../../base/cancellation.ts';
import { ToolError, TransportError } from '../../base/errors.ts';
import { isInside } from '../../base/paths.ts';
import { childEnvironment, ManagedProcess } from '../../base/processes.ts';
import type { Project } from './project.ts';

/**
 * The one place that runs git. A repository can name programs in its own configuration that git then runs: a file-system monitor,
 * hooks, external diffs, text converters, filters, pagers, signature checkers. Reading must not run them, so each is switched off.
 */
export interface GitRepository {
  project: Project;
  /** Canonical. */
  topLevel: string;
  gitDir: string;
  /** Switches off the filters that this repository's configuration defines. */
  readonly quiet: readonly GitSetting[];
}

export interface GitRun {
  args: readonly string[];
  signal?: AbortSignal;
  maxBytes?: number;
  /** What it reads from its standard input. */
  input?: string;
  /** Exit codes besides 0 that are answers, not failures. */
  okCodes?: readonly number[];
}

export interface GitResult {
  code: number;
  stdout: string;
  /** The same as it came. */
  bytes: Buffer;
  /** More came than was kept. */
  truncated: boolean;
}

const defaultMaxBytes = 20_000_000;

/**
 * Settings that keep git from running what a repository names. They travel in the environment (GIT_CONFIG_COUNT), which wins over every
 * file; on the command line (-c) a name with an equals sign would be cut there, and the setting would be another's.
 */
type GitSetting = readonly [key: string, value: string];

const hardening: readonly GitSetting[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.pager', 'cat'],
  ['core.editor', 'false'],
  ['core.askPass', 'false'],
  ['core.sshCommand', 'false'],
  ['core.gitProxy', ''],
  ['core.attributesFile', '/dev/null'],
  ['credential.helper', ''],
  ['diff.external', ''],
  ['diff.ignoreSubmodules', 'dirty'],
  ['log.showSignature', 'false'],
  ['gpg.program', 'false'],
  ['gpg.ssh.program', 'false'],
  ['gpg.x509.program', 'false'],
  ['protocol.allow', 'never'],
  ['submodule.recurse', 'false'],
  ['maintenance.auto', 'false'],
  ['gc.auto', '0'],
];

/** The repository of a project; undefined when it is in none. One outside the project is used only if a person trusts the project. */
export async function openRepository(project: Project, signal?: AbortSignal): Promise<GitRepository | undefined> {
  const found = await execute(project, [], {
    args: ['rev-parse', '--show-toplevel', '--absolute-git-dir', '--git-common-dir'],
    okCodes: [128],
    signal,
  });
  if (found.code !== 0) {
    if (/not a git repository|must be run in a work tree/.test(found.stderr)) return undefined;
    throw failed(found);
  }
  const [topLevel, gitDir, commonDir] = await Promise.all(
    found.stdout
      .trim()
      .split('\n')
      .map((path) => realpath(resolve(project.root, path))),
  );
  if (topLevel === undefined || gitDir === undefined || commonDir === undefined) return undefined;
  const places = [topLevel, gitDir, commonDir];
  if (!project.trusted && !places.every((place) => isInside(project.root, place))) {
    throw new ToolError('project_not_trusted', `The repository of this project lies outside of it (${gitDir}).`, {
      hint: `A person can trust the project: sightline trust ${project.root}`,
    });
  }
  // Trusted projects keep their filters, because large files (git-lfs) would otherwise all look changed.
  const quiet = project.trusted ? [] : await filterSwitches(project, signal);
  return { project, topLevel, gitDir, quiet };
}

/** Runs a git command that only reads. Paths must come after `--`, revisions from `verifyRevision`. */
export async function readGit(repository: GitRepository, run: GitRun): Promise<GitResult> {
  const result = await execute(repository.project, repository.quiet, run);
  if (result.code !== 0 && !(run.okCodes ?? []).includes(result.code)) throw failed(result);
  return result;
}

/** The commit a caller's text names, as a hash: nothing a caller writes can then be taken for an option. */
export async function verifyRevision(
  repository: GitRepository,
  revision: string,
  signal?: AbortSignal,
): Promise<string> {
  if (revision.includes('\0')) throw new ToolError('invalid_arguments', 'A revision cannot contain a NUL character.');
  const result = await execute(repository.project, repository.quiet, {
    args: ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`],
    okCodes: [1, 128],
    signal,
  });
  const hash = result.stdout.trim();
  if (result.code !== 0 || !/^[0-9a-f]{40,64}$/.test(hash))
    throw new ToolError('git_error', `"${revision.slice(0, 200)}" names no commit of this repository.`);
  return hash;
}

interface Execution extends GitResult {
  stderr: string;
}

async function execute(project: Project, quiet: readonly GitSetting[], run: GitRun): Promise<Execution> {
  const child = await ManagedProcess.start({
    command: 'git',
    args: ['--no-pager', '--no-optional-locks', '--literal-pathspecs', ...run.args],
    cwd: project.root,
    env: childEnvironment(project.env, {
      ...settingsEnvironment([...hardening, ...quiet]),
      GIT_TERMINAL_PROMPT: '0',
      GIT_OPTIONAL_LOCKS: '0',
      // A partial clone would otherwise fetch what is missing, over whatever transport its configuration names.
      GIT_NO_LAZY_FETCH: '1',
      GIT_ALLOW_PROTOCOL: 'none',
      LC_ALL: 'C',
    }),
    name: 'git',
  }).catch((error: unknown) => {
    if (error instanceof TransportError)
      throw new ToolError('engine_missing', 'git could not be started.', { hint: 'Install git.', cause: error });
    throw error;
  });
  const stop = () => void child.kill(0);
  run.signal?.addEventListener('abort', stop, { once: true });
  try {
    child.stdin.end(run.input ?? '');
    const chunks: Buffer[] = [];
    let bytes = 0;
    const limit = run.maxBytes ?? defaultMaxBytes;
    for await (const chunk of child.stdout) {
      if (!Buffer.isBuffer(chunk) || bytes >= limit) continue;
      chunks.push(chunk.subarray(0, limit - bytes));
      bytes += chunk.length;
    }
    const { code } = await child.exited;
    if (run.signal?.aborted) throw cancellationReason(run.signal);
    const all = Buffer.concat(chunks);
    return {
      code: code ?? -1,
      stdout: all.toString('utf8'),
      bytes: all,
      stderr: child.stderrTail,
      truncated: bytes > limit,
    };
  } finally {
    run.signal?.removeEventListener('abort', stop);
    if (!child.hasExited) await child.kill(0);
  }
}

function settingsEnvironment(settings: readonly GitSetting[]): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { GIT_CONFIG_COUNT: String(settings.length) };
  for (const [number, [key, value]] of settings.entries()) {
    env[`GIT_CONFIG_KEY_${number}`] = key;
    env[`GIT_CONFIG_VALUE_${number}`] = value;
  }
  return env;
}

/** Filters (`clean`, `smudge`, `process`) run on plain `git status`; each that is configured anywhere is emptied by name. */
async function filterSwitches(project: Project, signal?: AbortSignal): Promise<GitSetting[]> {
  const { stdout } = await execute(project, [], {
    args: ['config', '--null', '--name-only', '--get-regexp', '^filter\\..*\\.(clean|smudge|process|required)$'],
    okCodes: [1],
    signal,
  });
  const names = new Set(stdout.split('\0').filter((name) => name !== ''));
  return [...names].map((name) => [name, name.toLowerCase().endsWith('.required') ? 'false' : '']);
}

function failed(result: Execution): ToolError {
  const message = result.stderr.trim().split('\n').slice(-5).join('\n');
  return new ToolError('git_error', message === '' ? `git ended with code ${result.code}.` : message);
}
