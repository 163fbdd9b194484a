import { cp, mkdtemp, realpath, rm, writeFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A fresh directory, by its real path, so that what the product says about it can be compared. */
export async function temporaryDirectory(purpose: string): Promise<string> {
  return realpath(await mkdtemp(join(tmpdir(), `sightline-${purpose}-`)));
}

/** A project to work on: a copy of a folder of fixtures, or files given by name. The original is never touched. */
export async function temporaryProject(source: string | Readonly<Record<string, string>>): Promise<string> {
  const root = await temporaryDirectory('project');
  if (typeof source === 'string') {
    await cp(source, root, { recursive: true, verbatimSymlinks: true });
    return root;
  }
  for (const [name, content] of Object.entries(source)) {
    const path = join(root, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
  return root;
}

export async function removeDirectory(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
}
