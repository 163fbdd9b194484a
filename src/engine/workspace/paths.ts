import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { advise, parameter, step } from '../../base/text/advice.ts';
import { ToolError, isErrnoException } from '../../base/errors.ts';
import { displayPath, isInside, uriToPath } from '../../base/paths.ts';
import { nearMisses } from './nearMisses.ts';
import { refuseOwn } from './ownFolders.ts';

/**
 * The one resolver of project paths. It gives the canonical path (symbolic links resolved, also those above a file that does
 * not exist yet) and refuses what does not lie in the project. What it returns is what must be used: never the caller's string.
 * Because the disk can change between the check and the use, files are opened through safeOpen.ts, which checks again.
 */
interface ResolvedPath {
  /** Canonical and absolute. */
  path: string;
  /** As people write it: relative to the root with forward slashes, when it lies in the project. */
  shown: string;
  kind: 'file' | 'directory' | 'other' | 'missing';
  /** Of an archive: the path inside it, with forward slashes. */
  member?: string;
}

interface ResolveOptions {
  /** `existing` (default): it must be there. `any`: it may be a file about to be created. */
  expect?: 'existing' | 'any';
  /** Canonical folders besides the project that may be read: library sources. Never pass them for a path that is written. */
  readRoots?: readonly string[];
  /** `kept`: a link at the end of the path is meant itself. Never for a path whose content is read or written. */
  lastLink?: 'followed' | 'kept';
}

const maxPathLength = 4096;
const archiveMember = /^(.*?\.(?:jar|zip|war|ear|aar|whl|egg|tgz|tar\.gz|tar))!\/(.*)$/is;

export async function resolveProjectPath(
  root: string,
  input: string,
  options: ResolveOptions = {},
): Promise<ResolvedPath> {
  const { file, member } = splitArchiveMember(plainPath(input));
  const path = resolve(root, file);
  const isLink = options.lastLink === 'kept' && path !== root && isLinkAt(path);
  const canonical = isLink ? linkItself(root, path, input) : canonicalPath(root, path, input);
  refuseOwn(canonical.path, input, (options.readRoots ?? []).length > 0);
  const roots = [root, ...(options.readRoots ?? [])];
  if (!roots.some((allowed) => isInside(allowed, canonical.path))) throw outside(root, input, path);
  if (canonical.kind === 'missing' && ((options.expect ?? 'existing') === 'existing' || member !== undefined))
    throw await notFound(root, input, canonical.path);
  const shown = displayPath(root, canonical.path);
  if (member === undefined) return { path: canonical.path, shown, kind: canonical.kind };
  return { path: canonical.path, shown: `${shown}!/${member}`, kind: canonical.kind, member };
}

/** The canonical form of a project root. */
export async function canonicalRoot(path: string): Promise<string> {
  return realpath(plainPath(path));
}

/** `a.jar!/b/C.java` is the member `b/C.java` of `a.jar`; a member may not climb out of its archive. */
export function splitArchiveMember(path: string): { file: string; member?: string } {
  const match = archiveMember.exec(path);
  if (match === null) return { file: path };
  const [, file = '', member = ''] = match;
  if (!isSafeMemberName(member)) {
    throw new ToolError('path_outside_project', `"${member}" is not the name of a member inside ${basename(file)}.`, {
      hint: 'Members are written without a leading slash and without "..": "lib/a.jar!/com/example/A.java".',
    });
  }
  return { file, member };
}

export function isSafeMemberName(name: string): boolean {
  if (name === '' || name.includes('\0') || name.includes('\\') || isAbsolute(name) || /^[a-z]:/i.test(name))
    return false;
  return !name.split('/').includes('..');
}

function plainPath(input: string): string {
  if (input === '') throw new ToolError('invalid_arguments', 'The path is empty.', { hint: 'Pass "." for the root.' });
  if (input.includes('\0'))
    throw new ToolError('invalid_arguments', 'The path contains a NUL character, which no file name can.');
  const path = input.startsWith('file:') ? uriToPath(input) : input;
  if (path === undefined || path.includes('\0'))
    throw new ToolError('invalid_arguments', `"${input.slice(0, 200)}" is not a file URI of this machine.`);
  if (Buffer.byteLength(path) > maxPathLength)
    throw new ToolError('invalid_arguments', `The path is ${path.length} characters long; no file can have it.`);
  return path;
}

interface Canonical {
  path: string;
  kind: ResolvedPath['kind'];
}

/** Synchronous: every call with a path does this, and a thread's hand-over would cost more than the questions to the kernel. */
function canonicalPath(root: string, path: string, input: string): Canonical {
  const missing: string[] = [];
  for (let existing = path; ; existing = dirname(existing)) {
    try {
      const real = realpathSync.native(existing);
      if (missing.length > 0) return { path: join(real, ...missing), kind: 'missing' };
      const stats = lstatSync(real);
      return { path: real, kind: stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : 'other' };
    } catch (error) {
      if (!isErrnoException(error)) throw error;
      if (error.code === 'ENOENT') {
        // A dangling link would be followed by whoever creates the file, to a place nobody has checked.
        const target = linkTarget(existing);
        if (target !== undefined) throw danglingLink(root, input, existing, target);
      } else if (error.code === 'ENOTDIR') {
        if (!isPlainFile(dirname(existing))) {
          missing.unshift(basename(existing));
          continue;
        }
        throw new ToolError('file_not_found', `${displayPath(root, dirname(existing))} is a file, not a folder.`);
      } else throw unreachable(root, input, path, error.code);
      missing.unshift(basename(existing));
      if (dirname(existing) === existing) throw unreachable(root, input, path, error.code);
    }
  }
}

/** What cannot be looked at is left to the resolver, which says why. */
function isLinkAt(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

function linkItself(root: string, path: string, input: string): Canonical {
  return { path: join(canonicalPath(root, dirname(path), input).path, basename(path)), kind: 'other' };
}

function isPlainFile(path: string): boolean {
  try {
    return lstatSync(path).isFile();
  } catch {
    return false;
  }
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch (error) {
    if (isErrnoException(error, 'EINVAL', 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}

function danglingLink(root: string, input: string, link: string, target: string): ToolError {
  // What lies outside is nobody's business here, not even its name.
  const shownTarget = isInside(root, resolve(dirname(link), target)) ? ` ${target}` : '';
  return new ToolError(
    'file_not_found',
    `${input} leads through the symbolic link ${displayPath(root, link)}, whose target${shownTarget} does not exist.`,
    { hint: 'Name the target itself, if it lies in the project.' },
  );
}

function outside(root: string, input: string, path: string): ToolError {
  const throughLink = isInside(root, path) ? ' A symbolic link in it leads there.' : '';
  return new ToolError('path_outside_project', `${input} lies outside the project ${root}.${throughLink}`, {
    hint: advise`Use a path inside the project, or pass ${parameter('projectPath')} of the project that contains it.`,
    data: { root },
  });
}

async function notFound(root: string, input: string, path: string): Promise<ToolError> {
  const suggestions = await nearMisses(root, path);
  return new ToolError('file_not_found', `${input} does not exist in the project ${root}.`, {
    hint:
      suggestions.length > 0
        ? `Did you mean ${suggestions.join(', ')}?`
        : advise`${step('listProjectFiles')} shows the files there are; paths are absolute or relative to the project root.`,
    data: { path: displayPath(root, path), ...(suggestions.length === 0 ? {} : { suggestions }) },
  });
}

function unreachable(root: string, input: string, path: string, code: string | undefined): ToolError {
  const shown = displayPath(root, path);
  if (code === 'ENAMETOOLONG')
    return new ToolError('invalid_arguments', `A name in the path is too long: ${shown.slice(0, 120)}…`);
  if (code === 'ELOOP') return new ToolError('file_not_found', `${shown} is a loop of symbolic links.`);
  if (code === 'EACCES' || code === 'EPERM')
    return new ToolError('permission_denied', `The user's rights do not allow to reach ${shown}.`);
  return new ToolError('file_not_found', `${input} cannot be reached (${code ?? 'unknown reason'}).`);
}
