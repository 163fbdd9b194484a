import { ToolError, TransportError, errorMessage } from '../../base/errors.ts';
import { cancellationReason } from '../../base/cancellation.ts';
import { childEnvironment, ManagedProcess } from '../../base/processes.ts';
import { displayPath } from '../../base/paths.ts';
import { ownFoldersBelow } from './ownFolders.ts';
import type { Project } from './project.ts';

interface RipgrepRun {
  args: readonly string[];
  /** Ends the run early when it returns false. */
  onRecord(record: string): boolean;
  /** Searched in place of files, for arguments that end with `-`. */
  input?: string;
  /** What records end with. */
  separator: '\0' | '\n';
  signal?: AbortSignal;
}

/** Where to search, and with what environment. */
export type SearchedProject = Pick<Project, 'root' | 'env'>;

const maxRecordChars = 1_000_000;

/**
 * Runs the bundled ripgrep in a project. It never reads a configuration file, because that could name a preprocessor to run.
 * Returns false when it was ended early.
 */
export async function runRipgrep(project: SearchedProject, run: RipgrepRun): Promise<boolean> {
  const env = childEnvironment(project.env);
  delete env['RIPGREP_CONFIG_PATH'];
  const child = await ManagedProcess.start({
    command: await ripgrepPath(),
    args: ['--no-config', '--no-messages', ...withoutOwn(project.root, run.args)],
    cwd: project.root,
    env,
    name: 'ripgrep',
  });
  let stopped = false;
  const stop = () => {
    stopped = true;
    void child.kill(0);
  };
  run.signal?.addEventListener('abort', stop, { once: true });
  try {
    child.stdin.end(run.input ?? '');
    let rest = '';
    child.stdout.setEncoding('utf8');
    for await (const chunk of child.stdout) {
      if (stopped) continue;
      const records = (rest + String(chunk)).split(run.separator);
      rest = records.pop() ?? '';
      if (rest.length > maxRecordChars) rest = '';
      if (!records.every((record) => run.onRecord(record))) stop();
    }
    const exit = await child.exited;
    if (run.signal?.aborted) throw cancellationReason(run.signal);
    if (stopped) return false;
    if (rest !== '') run.onRecord(rest);
    // 1 means that nothing was found; 2 with results means that some files could not be read.
    if (exit.code === 2 && child.stderrTail !== '')
      throw new ToolError('invalid_arguments', child.stderrTail.trim().slice(0, 500));
    if (exit.code === null) throw new TransportError('ripgrep', `ripgrep was ended by ${exit.signal ?? 'a signal'}.`);
    // It could not run at all, which must not be taken for a search that found nothing.
    if (exit.code > 2)
      throw new TransportError('ripgrep', `ripgrep died with exit code ${exit.code}.`, child.stderrTail);
    return true;
  } finally {
    run.signal?.removeEventListener('abort', stop);
    if (!child.hasExited) await child.kill(0);
  }
}

/** What Sightline keeps below the root is no part of any project. The last glob that fits decides, so these come last. */
function withoutOwn(root: string, args: readonly string[]): readonly string[] {
  const globs = ownFoldersBelow(root).flatMap((folder) => {
    const inside = displayPath(root, folder);
    return ['--glob', inside === '.' ? '!**' : `!/${inside.replaceAll(/[*?[\]{}\\!]/g, '\\$&')}/**`];
  });
  const end = args.indexOf('--');
  return end < 0 ? [...args, ...globs] : [...args.slice(0, end), ...globs, ...args.slice(end)];
}

/** Everything that ripgrep wrote, record by record. */
export async function ripgrepRecords(project: SearchedProject, run: Omit<RipgrepRun, 'onRecord'>): Promise<string[]> {
  const records: string[] = [];
  await runRipgrep(project, { ...run, onRecord: (record) => records.push(record) > 0 });
  return records;
}

let knownPath: string | undefined;

/** Found on first use, so that a missing platform package harms only what needs it. */
async function ripgrepPath(): Promise<string> {
  try {
    knownPath ??= (await import('@vscode/ripgrep')).rgPath;
    return knownPath;
  } catch (error) {
    throw new ToolError('engine_missing', `The bundled ripgrep cannot be found: ${errorMessage(error)}`, {
      hint: 'Install Sightline again without leaving out optional dependencies.',
    });
  }
}
