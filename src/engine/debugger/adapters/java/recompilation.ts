import { copyFile, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ToolError } from '../../../../base/errors.ts';
import type { Project } from '../../../workspace/project.ts';
import type { BuildStep, CodeUnit, LaunchSpec } from '../../model.ts';
import type { Recompilation } from '../../target.ts';
import { type JavaRun, moduleOf, plainBuild } from './javaProgram.ts';
import type { MavenBuilds } from './mavenBuilds.ts';

/** Compiles what a program was made of once more: plain files aside, so that a refusal leaves everything as it was; a module by Maven. */
export async function recompilation(spec: LaunchSpec, project: Project, builds: MavenBuilds): Promise<Recompilation> {
  const run = spec.extra?.['run'] as JavaRun | undefined;
  const file = spec.test?.file ?? spec.program;
  if (run === undefined || file === undefined || run.jar !== undefined)
    throw new ToolError('unsupported', 'Only what was compiled when it was started can be compiled again.');
  const module = moduleOf(project, file);
  if (module !== undefined) {
    const { step } = await builds.step(project, module);
    const folders = ['classes', 'test-classes'].map((name) => join(module, 'target', name));
    return compared(step, folders, folders);
  }
  const running = run.classPath[0] ?? '';
  const { step, classes } = await plainBuild(project, [file], run.jdk);
  return compared(step, [running], [classes]);
}

async function compared(
  build: BuildStep | undefined,
  running: readonly string[],
  compiled: readonly string[],
): Promise<Recompilation> {
  const before = await classFiles(running);
  const isAside = compiled[0] !== running[0];
  let changed: string[] = [];
  return {
    ...(build === undefined ? {} : { build }),
    changed: async (): Promise<CodeUnit[]> => {
      const after = await classFiles(compiled);
      changed = [...after].flatMap(([path, bytes]) => (before.get(path)?.equals(bytes) === true ? [] : [path]));
      return changed.map((path) => ({
        name: path.slice(0, -'.class'.length).replaceAll('/', '.'),
        bytes: after.get(path) ?? Buffer.alloc(0),
      }));
    },
    // Classes that are loaded from now on are of the same time as those that were replaced.
    taken: async () => {
      for (const path of isAside ? changed : []) {
        const target = join(running[0] ?? '', path);
        await mkdir(dirname(target), { recursive: true });
        await copyFile(join(compiled[0] ?? '', path), target);
      }
    },
    dispose: async () => {
      if (build?.scratch !== undefined) await rm(build.scratch, { recursive: true, force: true });
    },
  };
}

async function classFiles(folders: readonly string[]): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>();
  for (const folder of folders) {
    const names = await readdir(folder, { recursive: true }).catch(() => []);
    for (const name of names)
      if (name.endsWith('.class')) found.set(name.replaceAll('\\', '/'), await readFile(join(folder, name)));
  }
  return found;
}
