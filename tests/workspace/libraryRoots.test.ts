import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { resolvePathParameter } from '../../src/server/resolvePathParameter.ts';
import { bundledLibraries, LibraryRoots } from '../../src/engine/workspace/libraryRoots.ts';
import type { Project } from '../../src/engine/workspace/project.ts';

test('library sources can be read, and nothing personal beside them', async () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'sightline-libraries-')));
  for (const folder of ['home/.m2/repository/a', 'home/.cargo/registry/src', 'gopath/pkg/mod/x@v1', 'project'])
    mkdirSync(join(base, folder), { recursive: true });
  const files = [
    'home/.m2/repository/a/A.java',
    'home/.m2/settings.xml',
    'home/.cargo/credentials.toml',
    'gopath/pkg/mod/x@v1/x.go',
  ];
  for (const file of files) writeFileSync(join(base, file), '');
  symlinkSync(join(base, 'home/.m2/settings.xml'), join(base, 'home/.m2/repository/link.xml'));
  const project: Project = {
    id: 'p',
    name: 'p',
    root: join(base, 'project'),
    stateDir: base,
    env: { HOME: join(base, 'home'), GOPATH: join(base, 'gopath') },
    trusted: false,
  };
  const roots = await new LibraryRoots(bundledLibraries()).of(project);
  const read = (path: string) => resolvePathParameter(project, join(base, path), 'readable', roots);
  expect(await read('home/.m2/repository/a/A.java')).toBe(join(base, 'home/.m2/repository/a/A.java'));
  expect(await read('gopath/pkg/mod/x@v1/x.go')).toContain('x.go');
  for (const path of ['home/.m2/settings.xml', 'home/.cargo/credentials.toml', 'home/.m2/repository/link.xml'])
    await expect(read(path)).rejects.toMatchObject({ code: 'path_outside_project' });
  await expect(
    resolvePathParameter(project, join(base, 'gopath/pkg/mod/x@v1/x.go'), 'file', roots),
  ).rejects.toMatchObject({
    code: 'path_outside_project',
  });
  expect(roots.some((root) => root.endsWith('node_modules/typescript'))).toBe(true);
  expect(roots.every((root) => !['/', '/usr', '/usr/lib', base, join(base, 'home')].includes(root))).toBe(true);
  rmSync(base, { recursive: true, force: true });
});
