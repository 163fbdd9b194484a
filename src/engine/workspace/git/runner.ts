import { cancellationReason } from '../../../base/cancellation.ts';
import { ToolError, TransportError, isErrnoException } from '../../../base/errors.ts';
import { childEnvironment, ManagedProcess } from '../../../base/processes.ts';
import type { Project } from '../project.ts';

/**
 * The one place that starts git. A repository can name programs in its own configuration that git then runs: a file-system monitor,
 * hooks, external diffs, text converters, filters, pagers, signature checkers. Reading must not run them, so each is switched off;
 * writing runs them as the person has configured them, and only where a person trusts the project.
 */
export interface GitRun {
  args: readonly string[];
  signal?: AbortSignal;
  maxBytes?: number;
  /** What it reads from its standard input. */
  input?: string | Buffer;
  /** Exit codes besides 0 that are answers, not failures. */
  okCodes?: readonly number[];
}

export interface GitResult {
  code: number;
  stdout: string;
  /** The same as it came. */
  bytes: Buffer;
  /** The end of what it, its hooks and its filters said. */
  stderr: string;
  /** More came than was kept. */
  truncated: boolean;
}

/**
 * Settings travel in the environment (GIT_CONFIG_COUNT), which wins over every file; on the command line (-c) a name with an equals
 * sign would be cut there, and the setting would be another's.
 */
export type GitSetting = readonly [key: string, value: string];

const defaultMaxBytes = 20_000_000;
/** Git that is stopped while it writes needs a moment to take its lock away. */
const writerGraceMs = 1000;
/** What a hook has left running may hold the pipes open; git itself is done then. */
const lingeringMs = 300;

/** Keeps git from running what a repository names, from reading files that it names elsewhere, and its output in one form. */
const hardening: readonly GitSetting[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.sshCommand', 'false'],
  ['core.gitProxy', ''],
  ['core.attributesFile', '/dev/null'],
  ['credential.helper', ''],
  ['diff.external', ''],
  ['diff.ignoreSubmodules', 'dirty'],
  ['diff.orderFile', '/dev/null'],
  ['mailmap.file', '/dev/null'],
  ['log.showSignature', 'false'],
  ['gpg.program', 'false'],
  ['gpg.ssh.program', 'false'],
  ['gpg.x509.program', 'false'],
  ['protocol.allow', 'never'],
  ['submodule.recurse', 'false'],
];

/** For every run: nobody is there to answer an editor or a pager, nothing goes on in the background, and names are not escaped. */
const always: readonly GitSetting[] = [
  ['core.pager', 'cat'],
  ['core.editor', 'false'],
  ['sequence.editor', 'false'],
  ['core.askPass', 'false'],
  ['core.quotePath', 'false'],
  ['color.ui', 'false'],
  ['advice.addIgnoredFile', 'false'],
  ['advice.detachedHead', 'false'],
  ['diff.suppressBlankEmpty', 'false'],
  ['i18n.logOutputEncoding', 'UTF-8'],
  ['maintenance.auto', 'false'],
  ['gc.auto', '0'],
];

/** Runs a git command that only reads; whatever the repository names to be run is switched off. */
export function runReader(project: Project, quiet: readonly GitSetting[], run: GitRun): Promise<GitResult> {
  const env = {
    ...settingsEnvironment([...always, ...hardening, ...quiet]),
    GIT_OPTIONAL_LOCKS: '0',
    // A partial clone would otherwise fetch what is missing, over whatever transport its configuration names.
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    LC_ALL: 'C',
  };
  return execute(project, { ...run, args: ['--literal-pathspecs', ...run.args] }, env, 0);
}

/**
 * Runs a git command that writes, with the hooks, filters and signatures of a project that a person trusts. Patterns in paths are not
 * switched off as for readers: hooks would inherit that, and `git stash` uses patterns of its own; paths say it one by one.
 */
export function runWriter(project: Project, run: GitRun): Promise<GitResult> {
  if (!project.trusted)
    throw new ToolError(
      'project_not_trusted',
      `${project.root} is not trusted: writing with git would run its hooks and filters, so nothing was done.`,
      { hint: `A person can trust it: sightline trust ${project.root}` },
    );
  // Hooks are programs like others: their texts must not be cut to ASCII.
  const env = { ...settingsEnvironment(always), LC_ALL: 'C.UTF-8', LANGUAGE: '', GIT_EDITOR: 'false' };
  return execute(project, run, env, writerGraceMs);
}

async function execute(
  project: Project,
  run: GitRun,
  settings: NodeJS.ProcessEnv,
  graceMs: number,
): Promise<GitResult> {
  const child = await ManagedProcess.start({
    command: 'git',
    args: ['--no-pager', ...run.args],
    cwd: project.root,
    env: childEnvironment(project.env, { ...settings, GIT_TERMINAL_PROMPT: '0' }),
    name: 'git',
  }).catch((error: unknown) => {
    if (error instanceof TransportError && isErrnoException(error.cause, 'E2BIG'))
      throw new ToolError('invalid_arguments', 'The arguments are longer than git can be given. Nothing was changed.');
    if (error instanceof TransportError)
      throw new ToolError('engine_missing', 'git could not be started.', { hint: 'Install git.', cause: error });
    throw error;
  });
  const stop = () => void child.kill(graceMs);
  run.signal?.addEventListener('abort', stop, { once: true });
  if (run.signal?.aborted) stop();
  const silent = new Promise((resolve) => child.stderr.once('close', resolve));
  let lingering: NodeJS.Timeout | undefined;
  void child.exited.then(() => (lingering = setTimeout(() => void child.kill(0), lingeringMs)));
  try {
    child.stdin.end(run.input ?? '');
    const chunks: Buffer[] = [];
    let bytes = 0;
    const limit = run.maxBytes ?? defaultMaxBytes;
    for await (const chunk of child.stdout) {
      if (!Buffer.isBuffer(chunk)) continue;
      if (bytes < limit) chunks.push(chunk.subarray(0, limit - bytes));
      bytes += chunk.length;
    }
    const { code } = await child.exited;
    // What it said last may come after its end.
    await silent;
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
    clearTimeout(lingering);
    if (!child.hasExited) await child.kill(graceMs);
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

/** Before a path that a writing command is told: no pattern. */
export const literal = ':(literal)';

/** What git said when it failed. */
export function failed(result: GitResult): ToolError {
  const said = result.stderr.trim().split('\n').slice(-8).join('\n').replaceAll(literal, '');
  const message = said === '' ? `git ended with code ${result.code}.` : said;
  const isPartial = /lazy fetching disabled|transport '.*' not allowed|could not fetch .* from promisor/.test(said);
  return new ToolError('git_error', message, {
    hint: isPartial
      ? 'This is a partial clone, and reading fetches nothing. A person can fetch what is missing: git fetch --refetch --no-filter.'
      : undefined,
  });
}
