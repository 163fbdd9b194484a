import { dirname, join } from 'node:path';
import { assetPath } from '../../../../base/assets.ts';
import { ToolError } from '../../../../base/errors.ts';
import { childEnvironment } from '../../../../base/processes.ts';
import type { EnginesOnNeed } from '../../../provision/enginesOnNeed.ts';
import { toolRunner } from '../../../provision/runTool.ts';
import type { Project } from '../../../workspace/project.ts';
import { recorderVariable } from '../../ask/model.ts';
import type { Recorder } from '../../ask/recorder.ts';
import type { AttachSpec, ExceptionBreakpointSpec, LaunchSpec } from '../../model.ts';
import type { TargetContext } from '../../target.ts';
import type { DapAdapter } from '../../targets/dap/dapAdapter.ts';

/** gdb with its own debug adapter, made whole by our code inside it (`python/_sightline_gdb`). */
export function gdbAdapter(engines: EnginesOnNeed, { project }: TargetContext, language: 'cpp' | 'rust'): DapAdapter {
  return {
    name: 'gdb',
    adapterId: 'gdb',
    start: async () => {
      const purpose = language === 'rust' ? 'debug Rust' : 'debug C and C++';
      const { path } = await engines.get('gdb', { project, purpose });
      return { kind: 'stdio', command: path, args: await startArguments(project, language, 'start') };
    },
    launchArguments: (spec) => launchArguments(spec, project, language),
    attachArguments,
    exceptionFilters,
    exception: ({ id, description }) => ({ type: id, message: description }),
    // gdb itself refuses to write and to call where our code asks it to.
    expression: (expression) => expression,
    frame: (name) => ({ name: name.replace(/^(.{80}).*$/s, '$1…') }),
    quirks: { hasOurCode: true, detachesPaused: true, canBeHeld: true },
  };
}

/** C, C++ and Rust are recorded by our code inside gdb, which runs the program and ends as it ended. */
export function gdbRecorder(engines: EnginesOnNeed, language: 'cpp' | 'rust'): Recorder {
  return {
    isOutside: true,
    command: async (spec, { project, ordersFile }) => {
      const { path } = await engines.get('gdb', { project, purpose: 'record programs' });
      const program = { program: spec.program, args: spec.args };
      return {
        command: path,
        args: await startArguments(project, language, 'recorder.start'),
        env: {
          [recorderVariable]: ordersFile,
          SIGHTLINE_RECORDED: JSON.stringify(program),
          ...(language === 'rust' ? { RUST_BACKTRACE: spec.env['RUST_BACKTRACE'] ?? '0' } : {}),
        },
      };
    },
  };
}

async function startArguments(
  project: Project,
  language: 'cpp' | 'rust',
  what: 'start' | 'recorder.start',
): Promise<string[]> {
  const ours = dirname(assetPath('python/_sightline_gdb'));
  const rust = language === 'rust' ? await rustPrinters(project) : undefined;
  const paths = [ours, ...(rust === undefined ? [] : [rust])].map((path) => JSON.stringify(path)).join(', ');
  const printers = rust === undefined ? '' : '; import gdb_lookup; gdb_lookup.register_printers(gdb)';
  return [
    '-nx',
    '-q',
    // Printers of the C++ library belong to the system; those that lie beside a program are the program's, and stay unread.
    '-iex',
    'set auto-load safe-path /usr/share/gdb/auto-load:/usr/share/gcc:/usr/lib',
    '-iex',
    'set auto-load scripts-directory /usr/share/gdb/auto-load',
    '-iex',
    'set auto-load local-gdbinit off',
    '-iex',
    'set debuginfod enabled off',
    '-ex',
    `python import sys; sys.dont_write_bytecode = True; sys.path[:0] = [${paths}]; import _sightline_gdb.${what}${printers}${what === 'start' ? '' : '; _sightline_gdb.recorder.start.main()'}`,
    ...(what === 'start' ? ['-i=dap'] : []),
  ];
}

const sysroots = new Map<string, Promise<string | undefined>>();

/** The printers that come with the toolchain of the project: they know its own layouts. */
function rustPrinters(project: Project): Promise<string | undefined> {
  const known = sysroots.get(project.root) ?? findPrinters(project);
  sysroots.set(project.root, known);
  return known;
}

async function findPrinters(project: Project): Promise<string | undefined> {
  const run = toolRunner(project.env);
  const { code, stdout } = await run(['rustc', '--print', 'sysroot'], { cwd: project.root });
  return code === 0 ? join(stdout.trim(), 'lib', 'rustlib', 'etc') : undefined;
}

function launchArguments(spec: LaunchSpec, project: Project, language: 'cpp' | 'rust'): Record<string, unknown> {
  // What a panic says is told by the stop; a printed stack would be read twice.
  const quiet = language === 'rust' ? { RUST_BACKTRACE: '0' } : {};
  return {
    program: spec.program,
    args: spec.args,
    cwd: spec.cwd,
    env: childEnvironment(project.env, { ...quiet, ...spec.env }),
    stopOnEntry: spec.stopOnEntry,
    ...(spec.core === undefined ? {} : { coreFile: spec.core }),
  };
}

function attachArguments({ pid, host, port }: AttachSpec): Record<string, unknown> {
  if (pid !== undefined) return { pid };
  if (port !== undefined) return { target: `${host ?? '127.0.0.1'}:${port}` };
  throw new ToolError('invalid_arguments', 'gdb attaches to a pid, or to the port of a gdbserver.');
}

/** As our code in gdb takes them. */
function exceptionFilters(specs: readonly ExceptionBreakpointSpec[]): string[] {
  return [
    ...new Set(
      specs.flatMap((spec) => [
        ...(spec.uncaught || spec.userUnhandled ? ['uncaught'] : []),
        ...(spec.caught ? [spec.exceptionClass === undefined ? 'caught' : `caught:${spec.exceptionClass}`] : []),
      ]),
    ),
  ];
}
