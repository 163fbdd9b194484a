import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ToolError, errorMessage, isErrnoException } from '../../base/errors.ts';
import { randomId } from '../../base/ids.ts';

/** The text of a configuration, or null when there is none. What is not UTF-8 could not be written back. */
export function readConfig(file: string): string | null {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    if (isErrnoException(error, 'ENOENT', 'ENOTDIR')) return null;
    throw new ToolError('permission_denied', `${file} cannot be read: ${errorMessage(error)}.`);
  }
  const text = bytes.toString('utf8');
  if (!Buffer.from(text, 'utf8').equals(bytes)) throw new ToolError('binary_file', `${file} is not UTF-8.`);
  return text;
}

/** Whole or not at all; a link stays a link, and the mode stays. Answers the folders that it had to make, outermost first. */
export function writeConfig(file: string, text: string): string[] {
  const made = missingFolders(dirname(file));
  const real = existsSync(file) ? realpathSync(file) : file;
  const mode = existsSync(real) ? statSync(real).mode & 0o777 : 0o600;
  if ((mode & 0o200) === 0)
    throw new ToolError('permission_denied', `${file} is read-only; nothing was changed.`, {
      hint: `Make it writable first: chmod u+w ${file}`,
    });
  const temporary = `${real}.${randomId('tmp')}`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(temporary, text, { mode });
    renameSync(temporary, real);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw new ToolError('write_failed', `${file} could not be written: ${errorMessage(error)}. Nothing was changed.`);
  }
  return made;
}

/** Removes a file that we made, and the folders that we made for it as far as they are empty. */
export function removeConfig(file: string, folders: readonly string[]): void {
  rmSync(file, { force: true });
  for (const folder of folders.toReversed()) {
    try {
      rmdirSync(folder);
    } catch (error) {
      if (!isErrnoException(error, 'ENOTEMPTY', 'EEXIST', 'ENOENT')) throw error;
      return;
    }
  }
}

function missingFolders(folder: string): string[] {
  return existsSync(folder) ? [] : [...missingFolders(dirname(folder)), folder];
}
