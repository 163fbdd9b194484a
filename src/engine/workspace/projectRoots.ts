import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isBelieved, ownerOf } from '../../base/ownership.ts';
import { isToolFolder } from './executableConfig.ts';

/** Files that mark the root of a project. `.git` is a folder, or a file in worktrees and submodules. */
const rootMarkers = [
  '.git',
  'package.json',
  'pyproject.toml',
  'go.mod',
  'Cargo.toml',
  'pom.xml',
  'build.gradle',
  'build.gradle.kts',
  'settings.gradle',
  'settings.gradle.kts',
  'setup.py',
  'setup.cfg',
  'requirements.txt',
  'go.work',
  'tsconfig.json',
  'jsconfig.json',
  'deno.json',
  'CMakeLists.txt',
  'compile_commands.json',
  'meson.build',
  'Gemfile',
  'composer.json',
  'mix.exs',
  'Package.swift',
  'build.sbt',
  'WORKSPACE',
  'MODULE.bazel',
  '.hg',
  '.sightline.json',
] as const;

const rootMarkerPatterns = [/\.sln$/, /\.csproj$/];

/** `owner`: whose marks are believed besides our own and the system's. Default: the owner of the folder. */
export function isProjectRoot(folder: string, owner = ownerOf(folder)): boolean {
  if (isToolFolder(folder)) return false;
  const isMark = (name: string) => isBelieved(join(folder, name), owner);
  if (rootMarkers.some(isMark)) return true;
  try {
    return readdirSync(folder).some((name) => rootMarkerPatterns.some((pattern) => pattern.test(name)) && isMark(name));
  } catch {
    return false;
  }
}

/**
 * The nearest folder at or above `folder` that is the root of a project; undefined when there is none. Somebody else could make a
 * project of a folder that many share (`/tmp`) by putting a mark there: it would reach further than the folder that was meant.
 */
export function nearestProjectRoot(folder: string): string | undefined {
  const owner = ownerOf(folder);
  for (let candidate = folder; ; candidate = dirname(candidate)) {
    if (isProjectRoot(candidate, owner)) return candidate;
    if (dirname(candidate) === candidate) return undefined;
  }
}
