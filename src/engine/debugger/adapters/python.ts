import { stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, resolve } from 'node:path';
import { ToolError } from '../../../base/errors.ts';
import { pythonCode } from './python/pythonCode.ts';
import type { InstallOptions, InstallOutcome, LocatedEngine } from '../../provision/model.ts';
import type { Project } from '../../workspace/project.ts';
import { nearestNames, pythonTestNames } from '../../workspace/testRunners/names.ts';
import { readText } from '../../workspace/testRunners/packages.ts';
import { pythonFailedTests, pythonRanNothing } from '../../workspace/testRunners/pythonRunners.ts';
import type { LaunchSpec } from '../model.ts';
import type { AdapterDescription, ModuleRequest, ProgramRequest, TestRequest } from '../target.ts';
import { DapTarget } from '../targets/dap/dapTarget.ts';
import { expressionProblem } from './python/expressionProblem.ts';
import { realInterpreter } from './python/interpreter.ts';
import { pythonRecorder } from './python/recorder.ts';
import { PythonBackend, type PythonTools } from './python/pythonBackend.ts';

/** The part of provisioning that Python debugging needs. */
interface PythonEngines {
  locate(engineId: string, project?: Project, chosen?: Readonly<Record<string, string>>): Promise<LocatedEngine>;
  install(engineIds: readonly string[], options?: InstallOptions): Promise<InstallOutcome[]>;
}

/** Python by debugpy's engine, pydevd, spoken to without an adapter process. */
export function pythonAdapter(engines: PythonEngines): AdapterDescription {
  return {
    language: 'python',
    aliases: ['py', 'debugpy'],
    fileExtensions: ['.py', '.pyw'],
    createTarget: (context) =>
      new DapTarget(
        'python',
        new PythonBackend((spec) => findTools(engines, context.project, 'runtime' in spec ? spec.runtime : undefined)),
        context,
      ),
    runsIn: (executable) => /^(python|pypy)/.test(basename(executable)),
    resolveProgram: (request) => Promise.resolve(programLaunch(request)),
    resolveModule: (request) => Promise.resolve(moduleLaunch(request)),
    resolveTest: testLaunch,
    expressionProblem,
    guardsBreakpoints: true,
    missingTest: ({ test }, output) =>
      test?.name === undefined || !pythonRanNothing(output)
        ? undefined
        : nearestNames(test.name, pythonTestNames(readText(test.file) ?? '')),
    failedTests: pythonFailedTests,
    codeOf: pythonCode,
    dangerousPatterns,
    recorder: pythonRecorder((project, runtime) => findInterpreter(engines, project, runtime)),
  };
}

function programLaunch(request: ProgramRequest): LaunchSpec {
  return {
    language: 'python',
    name: request.program.split('/').pop() ?? request.program,
    kind: 'program',
    program: request.program,
    args: request.args,
    cwd: request.cwd ?? request.project.root,
    env: request.env,
    stopOnEntry: request.stopOnEntry,
  };
}

function moduleLaunch({ project, module, args, cwd, env, stopOnEntry }: ModuleRequest): LaunchSpec {
  return { language: 'python', name: module, kind: 'module', module, args, cwd: cwd ?? project.root, env, stopOnEntry };
}

/** The runner is chosen inside the program's own interpreter, which alone knows whether it has pytest. */
async function testLaunch(request: TestRequest): Promise<LaunchSpec> {
  const { file, name, line } = parseTest(request.test);
  const path = isAbsolute(file) ? file : resolve(request.project.root, file);
  const found = await stat(path).catch(() => undefined);
  if (found === undefined)
    throw new ToolError('file_not_found', `There is no test file ${path}.`, {
      hint: 'Give the test as tests/test_x.py, tests/test_x.py::test_name or tests/test_x.py:LINE.',
    });
  return {
    language: 'python',
    name: request.test,
    kind: 'test',
    program: path,
    args: request.args,
    cwd: request.cwd ?? request.project.root,
    env: request.env,
    stopOnEntry: false,
    isTest: true,
    test: { file: path, runner: 'python', ...(name === undefined ? {} : { name }) },
    extra: { test: { name, line } },
  };
}

function parseTest(test: string): { file: string; name?: string; line?: number } {
  const [file = '', ...names] = test.split('::');
  if (names.length > 0) return { file, name: names.join('::') };
  const withLine = /^(.*):(\d+)$/.exec(test);
  if (withLine?.[1] !== undefined) return { file: withLine[1], line: Number(withLine[2]) };
  return { file };
}

async function findTools(engines: PythonEngines, project: Project, runtime?: string): Promise<PythonTools> {
  const [python, debugpyFolder] = await Promise.all([
    findInterpreter(engines, project, runtime),
    locateDebugpy(engines, project, runtime),
  ]);
  const folderOfGdb = async (): Promise<string | undefined> => {
    const gdb = await engines.locate('gdb', project);
    return gdb.found ? dirname(gdb.path) : undefined;
  };
  return { python, debugpyFolder, folderOfGdb };
}

async function findInterpreter(engines: PythonEngines, project: Project, runtime?: string): Promise<string> {
  // A bare name is found on PATH when it is started.
  const python =
    runtime === undefined || runtime.includes('/')
      ? await engines.locate('python', project, runtime === undefined ? {} : { python: runtime })
      : undefined;
  if (python !== undefined && !python.found) throw missing(python);
  return realInterpreter(runtime ?? python?.path ?? 'python3', project);
}

async function locateDebugpy(engines: PythonEngines, project: Project, runtime?: string): Promise<string> {
  // Old interpreters need an older debugpy: it is chosen for the one that will run it.
  const located = await engines.locate('debugpy', project, runtime === undefined ? {} : { python: runtime });
  if (located.found) return located.path;
  // Debugging was asked for, and this is the one thing it lacks: it goes into our own cache, never into the project.
  const [outcome] = await engines.install(['debugpy'], { project, signal: AbortSignal.timeout(40_000) });
  if (outcome?.path !== undefined) return outcome.path;
  throw missing(located, outcome?.reason);
}

function missing(engine: LocatedEngine, reason?: string): ToolError {
  const why = engine.found ? '' : (reason ?? engine.reason);
  const hint = engine.found ? {} : { hint: `Run: ${engine.installCommand}` };
  return new ToolError('engine_missing', `${engine.title} is needed to debug Python. ${why}`, hint);
}

/** Modules by which a program starts others, ends, writes files or speaks to the network, or gets at such modules. */
const dangerousModules =
  'os|posix|nt|subprocess|shutil|pty|multiprocessing|signal|socket|urllib|urllib3|requests|httpx|aiohttp|http|ftplib|smtplib|ssl|telnetlib|' +
  'ctypes|cffi|importlib|imp|runpy|pickle|marshal|shelve|code|codeop|builtins|tempfile|pathlib|io|webbrowser|_posixsubprocess|_thread';

/** The default block list: process execution, termination, files, network, native code, text that becomes code. Looking at objects is free. */
const dangerousPatterns: readonly RegExp[] = [
  new RegExp(`(?<!\\.\\s*)\\b(${dangerousModules})\\s*\\.`),
  new RegExp(`\\b(import|from)\\b[^\\n;]*?(?<![\\w.])(${dangerousModules})(?!\\w)`),
  /\bsys\s*\.\s*(exit|_exit|modules|settrace|setprofile|meta_path|path_hooks|_getframe|addaudithook)\b/,
  /\b(asyncio\s*\.\s*(create_subprocess\w*|open_connection|start_server))\b/,
  /(?<!\.\s*)\b(open|exec|eval|compile|__import__|breakpoint)\b(?!\s*=(?!=))/,
  /(?<!\.\s*)\b(input|exit|quit)\b\s*\)?\s*\(/,
  /\.\s*(write_text|write_bytes|read_text|read_bytes|unlink|rmdir|mkdir|makedirs|removedirs|rmtree|touch|chmod|chown|symlink_to|hardlink_to|system|popen|Popen|check_output|check_call|urlopen|urlretrieve|import_module|_exit|(exec|spawn)[vl]p?e?)\b/,
  /__(subclasses|globals|builtins|import|loader|reduce|reduce_ex|code|closure|getattribute)__/,
];
