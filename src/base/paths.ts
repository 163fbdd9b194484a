import { isAbsolute, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export function pathToUri(path: string): string {
  return pathToFileURL(path).href;
}

/** The path of a `file:` URI; undefined for any other scheme. */
export function uriToPath(uri: string): string | undefined {
  if (!uri.startsWith('file:')) return undefined;
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

/** Whether `path` is `root` or lies below it. Both must be canonical: this compares text, it does not look at the disk. */
export function isInside(root: string, path: string): boolean {
  if (path === root) return true;
  const prefix = root.endsWith(sep) ? root : root + sep;
  return path.startsWith(prefix);
}

/** The path as people write it: relative with forward slashes when inside `root`, else absolute. */
export function displayPath(root: string, path: string): string {
  if (!isAbsolute(path) || !isInside(root, path)) return path;
  const shown = relative(root, path).split(sep).join('/');
  return shown === '' ? '.' : shown;
}
