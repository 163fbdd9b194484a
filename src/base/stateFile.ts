import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { randomId } from './ids.ts';
import { errorMessage, isErrnoException } from './errors.ts';

/**
 * Sightline's own small JSON files (trust, breakpoints, tickets). They are private, replaced whole and never trusted to be
 * intact: one that cannot be understood is set aside under another name, so that nothing is lost and the process starts.
 */
export interface StateFileProblem {
  path: string;
  setAsideAs: string;
  reason: string;
}

interface StateFileOptions<T> {
  /** Of the format; a file of another version is set aside. */
  version: number;
  /** Checks and returns the content, or throws an Error that says what is wrong with it. */
  parse(content: unknown): T;
  empty(): T;
  onProblem?(problem: StateFileProblem): void;
}

export async function readStateFile<T>(path: string, options: StateFileOptions<T>): Promise<T> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (isErrnoException(error, 'ENOENT', 'ENOTDIR')) return options.empty();
    throw error;
  }
  try {
    const envelope: unknown = JSON.parse(text);
    if (typeof envelope !== 'object' || envelope === null || !('version' in envelope) || !('content' in envelope))
      throw new Error('it is not a Sightline state file');
    if (envelope.version !== options.version)
      throw new Error(`it has version ${JSON.stringify(envelope.version)}, this Sightline reads ${options.version}`);
    return options.parse(envelope.content);
  } catch (error) {
    const setAsideAs = await setAside(path);
    options.onProblem?.({ path, setAsideAs, reason: errorMessage(error) });
    return options.empty();
  }
}

/** Replaces the file so that a reader, or a crash at any moment, meets the old content or the new, never half of it. */
export async function writeStateFile(path: string, version: number, content: unknown): Promise<void> {
  await writeFileDurably(path, JSON.stringify({ version, content }, null, 1));
}

export async function writeFileDurably(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${randomId('tmp')}`;
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function setAside(path: string): Promise<string> {
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-');
  const aside = `${path}.damaged-${stamp}-${randomId('x').slice(2, 6)}`;
  await rename(path, aside);
  return aside;
}
