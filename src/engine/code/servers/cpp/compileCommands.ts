import { existsSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { toolRunner } from '../../../provision/runTool.ts';
import { listFiles } from '../../../workspace/fileListing.ts';
import { ownFolder } from '../../../workspace/nativeBuilds.ts';
import type { Project } from '../../../workspace/project.ts';

const name = 'compile_commands.json';
const configureMs = 30_000;

/**
 * A folder of ours with the compile commands of the project, and with the index that clangd makes of them: those that are there, those that
 * CMake or Meson write, else one for each source. Without any clangd knows only the files that are open, and would miss uses without a word.
 */
export async function compileCommands(project: Project): Promise<string> {
  const folder = ownFolder('clangd', project.root);
  const place = join(folder, name);
  const found = existing(project.root) ?? (await writtenByCmake(project)) ?? (await writtenByMeson(project));
  rmSync(place, { force: true });
  if (found !== undefined) symlinkSync(found, place);
  else writeFileSync(place, JSON.stringify(await madeUp(project), undefined, 1));
  return folder;
}

function existing(root: string): string | undefined {
  const folders = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const builds = folders.map((entry) => join(root, entry.name));
  return [root, ...builds, ...builds.flatMap((folder) => [join(folder, 'Debug'), join(folder, 'debug')])]
    .map((place) => join(place, name))
    .find((path) => existsSync(path));
}

async function writtenByCmake(project: Project): Promise<string | undefined> {
  // A CMakeLists.txt is a program.
  if (!project.trusted || !existsSync(join(project.root, 'CMakeLists.txt'))) return undefined;
  const build = ownFolder('cmake', project.root);
  const settings = ['-DCMAKE_BUILD_TYPE=Debug', '-DCMAKE_EXPORT_COMPILE_COMMANDS=ON'];
  const command = ['cmake', '-S', project.root, '-B', build, ...settings];
  await toolRunner(project.env)(command, { cwd: project.root, timeoutMs: configureMs });
  const path = join(build, name);
  return existsSync(path) ? path : undefined;
}

async function writtenByMeson(project: Project): Promise<string | undefined> {
  // A meson.build runs programs.
  if (!project.trusted || !existsSync(join(project.root, 'meson.build'))) return undefined;
  const build = ownFolder('meson', project.root);
  const isThere = existsSync(join(build, 'meson-private'));
  const command = ['meson', 'setup', ...(isThere ? ['--reconfigure'] : ['--buildtype=debug']), build, project.root];
  await toolRunner(project.env)(command, { cwd: project.root, timeoutMs: configureMs });
  const path = join(build, name);
  return existsSync(path) ? path : undefined;
}

interface CompileCommand {
  directory: string;
  file: string;
  arguments: string[];
}

async function madeUp(project: Project): Promise<CompileCommand[]> {
  const { root } = project;
  const { files } = await listFiles(project, { globs: ['**/*.{c,cc,cpp,cxx}'] });
  const include = ['.', 'include', 'src'].filter((each) => existsSync(join(root, each))).map((each) => `-I${each}`);
  return files.map((file) => ({
    directory: root,
    file: join(root, file),
    arguments: [
      extname(file) === '.c' ? 'cc' : 'c++',
      ...(extname(file) === '.c' ? [] : ['-std=c++20']),
      ...include,
      file,
    ],
  }));
}
