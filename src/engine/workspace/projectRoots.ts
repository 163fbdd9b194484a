import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Files that mark the root of a project. `.git` is a folder, or a file in worktrees and submodules. */
export const rootMarkers = [
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

export function isProjectRoot(folder: string): boolean {
  if (rootMarkers.some((marker) => existsSync(join(folder, marker)))) return true;
  try {
    return readdirSync(folder).some((name) => rootMarkerPatterns.some((pattern) => pattern.test(name)));
  } catch {
    return false;
  }
}

/** The nearest folder at or above `folder` that is the root of a project; undefined when there is none. */
export function nearestProjectRoot(folder: string): string | undefined {
  for (let candidate = folder; ; candidate = dirname(candidate)) {
    if (isProjectRoot(candidate)) return candidate;
    if (dirname(candidate) === candidate) return undefined;
  }
}
