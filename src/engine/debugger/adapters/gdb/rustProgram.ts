import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { ToolError } from '../../../../base/errors.ts';
import { scratchFolder } from '../../../../base/scratchFolders.ts';
import type { Project } from '../../../workspace/project.ts';
import { readText } from '../../../workspace/testRunners/packages.ts';
import { placeOf } from '../../../workspace/testRunners/rust/rustSource.ts';
import type { BuildStep, LaunchSpec } from '../../model.ts';
import type { ProgramRequest } from '../../target.ts';
import { rustProblems } from './compilerProblems.ts';
import type { NativeBuild } from './cppProgram.ts';
import { isFolder } from './sourceFiles.ts';

/** Of a file of a Cargo package (its target), a folder with a Cargo.toml, a file by itself, or a compiled program. */
export async function programLaunch(request: ProgramRequest): Promise<LaunchSpec> {
  const { project, program, args, env, stopOnEntry } = request;
  const base: LaunchSpec = {
    language: 'rust',
    name: relative(project.root, program) || basename(program),
    kind: 'program',
    program,
    args,
    cwd: request.cwd ?? project.root,
    env,
    stopOnEntry,
  };
  const isSource = program.endsWith('.rs');
  if (!isSource && !isFolder(program)) return base;
  const flags = request.runtimeArgs ?? [];
  const folder = packageFolder(project, program);
  const { step, output } =
    folder === undefined
      ? await plainBuild(program, flags)
      : await cargoBuild(project, folder, ['build', ...targetOf(project, folder, program), ...flags]);
  return { ...base, program: output, build: step, ...(folder === undefined ? {} : { env: withManifest(env, folder) }) };
}

export function withManifest(env: LaunchSpec['env'], folder: string): LaunchSpec['env'] {
  return { CARGO_MANIFEST_DIR: folder, ...env };
}

/** The Cargo package that a file belongs to. */
export function packageFolder(project: Project, path: string): string | undefined {
  for (let folder = isFolder(path) ? path : dirname(path); ; folder = dirname(folder)) {
    if (/^\[(?:package|workspace)\]/m.test(readText(join(folder, 'Cargo.toml')) ?? '')) return folder;
    if (folder === project.root || folder === dirname(folder)) return undefined;
  }
}

function targetOf(project: Project, folder: string, program: string): string[] {
  if (isFolder(program)) return ['--bins'];
  const place = placeOf(program, folder);
  const shown = relative(project.root, program);
  if (place === undefined || place.target.kind === 'lib')
    throw new ToolError('launch_failed', `${shown} is part of a library, which does not run by itself.`, {
      hint: `Pass src/main.rs, an example, or a test of it as test: "${shown}::name".`,
    });
  if (place.target.kind === 'test')
    throw new ToolError('launch_failed', `${shown} holds tests.`, { hint: `Pass test: "${shown}::name".` });
  const { kind, name } = place.target;
  return [name === '' ? '--bins' : `--${kind}=${name}`];
}

/** Cargo says which program it has made only when it has: it is linked to where it is looked for. */
const buildAndLink = `folder=$1; wanted=$2; shift 2
"$@" > "$folder/messages" || exit $?
made=$(grep '"reason":"compiler-artifact"' "$folder/messages" | grep "$wanted" | sed -n 's/.*"executable":"\\([^"]*\\)".*/\\1/p')
count=$(printf '%s\\n' "$made" | grep -c .)
if [ "$count" -gt 1 ]; then printf 'error: several programs: %s\\n' "$(printf '%s\\n' "$made" | sed 's|.*/||' | tr '\\n' ' ')" >&2; exit 3; fi
if [ "$count" -eq 0 ]; then echo 'error: Cargo made no program' >&2; exit 4; fi
ln -sf "$made" "$folder/program"`;

export async function cargoBuild(
  project: Project,
  folder: string,
  args: readonly string[],
  { isTest = false }: { isTest?: boolean } = {},
): Promise<NativeBuild> {
  const scratch = await scratchFolder('debug');
  const wanted = isTest ? '"test":true' : '"test":false';
  const cargo = ['cargo', ...args, '--message-format=json-render-diagnostics', '--color=never'];
  const step: BuildStep = {
    title: `cargo ${args.join(' ')}`,
    command: ['sh', '-c', buildAndLink, 'sh', scratch, wanted, ...cargo],
    cwd: folder,
    scratch,
    // Paths in messages are relative to the workspace.
    problems: (text) => rustProblems(text, workspaceFolder(project, folder)),
  };
  return { step, output: join(scratch, 'program') };
}

function workspaceFolder(project: Project, folder: string): string {
  for (let place = folder; ; place = resolve(place, '..')) {
    if (/^\[workspace\]/m.test(readText(join(place, 'Cargo.toml')) ?? '')) return place;
    if (place === project.root || place === dirname(place)) return folder;
  }
}

async function plainBuild(file: string, flags: readonly string[]): Promise<NativeBuild> {
  if (!existsSync(file)) throw new ToolError('file_not_found', `There is no file ${file}.`);
  const scratch = await scratchFolder('debug');
  const folder = dirname(file);
  const output = join(scratch, 'program');
  const edition = flags.some((flag) => flag.startsWith('--edition')) ? [] : ['--edition=2021'];
  return {
    output,
    step: {
      title: `rustc -g ${basename(file)}`,
      command: ['rustc', '-g', '--color=never', ...edition, ...flags, '-o', output, basename(file)],
      cwd: folder,
      scratch,
      problems: (text) => rustProblems(text, folder),
    },
  };
}
