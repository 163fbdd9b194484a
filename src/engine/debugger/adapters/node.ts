import { existsSync } from 'node:fs';
import { basename, dirname, extname, isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ToolError } from '../../../base/errors.ts';
import { isInside } from '../../../base/paths.ts';
import { nearestNames, scriptTestNames } from '../../workspace/testRunners/names.ts';
import { findPackageFile, packageFolder, readText, testFile } from '../../workspace/testRunners/packages.ts';
import { runnerFor, scriptRunners } from '../../workspace/testRunners/scriptRunners.ts';
import { javascriptCode } from './javascriptCode.ts';
import type { LaunchSpec } from '../model.ts';
import type { AdapterDescription, ProgramRequest, TestRequest } from '../target.ts';
import { BuiltFiles } from '../targets/node/scripts/builtFiles.ts';
import { forecast } from '../targets/node/breakpoints/predictBinding.ts';
import { expressionProblem } from '../targets/node/values/evaluation.ts';
import { nodeRecorder } from '../targets/node/recorder/nodeRecorder.ts';
import { NodeTarget } from '../targets/node/nodeTarget.ts';
import { stackOverflowOf } from '../targets/node/exceptions/stackOverflow.ts';

/** JavaScript and TypeScript on Node: V8's inspector spoken directly, no adapter process. */
export function nodeAdapter(): AdapterDescription {
  const built = new BuiltFiles();
  return { ...description, forecast: (request) => forecast(built, request) };
}

const description: AdapterDescription = {
  language: 'node',
  aliases: ['javascript', 'typescript', 'js', 'ts', 'nodejs'],
  fileExtensions: ['.js', '.mjs', '.cjs', '.jsx', '.ts', '.mts', '.cts', '.tsx'],
  runsIn: (executable) => /^node(?:js)?(?:$|[-.\d])/.test(basename(executable)),
  evaluatesWhileRunning: true,
  createTarget: (context) => new NodeTarget(context),
  resolveProgram: (request) => Promise.resolve(programSpec(request, {})),
  resolveTest: (request) => Promise.resolve(testSpec(request)),
  expressionProblem,
  explainEnd: stackOverflowOf,
  guardsBreakpoints: true,
  missingTest,
  testsAreOver: ({ test }, output) => scriptRunners.find(({ id }) => id === test?.runner)?.isOver(output) === true,
  codeOf: javascriptCode,
  recorder: nodeRecorder,
  dangerousPatterns: [
    /\bchild_process\b|\bexecSync\b|\bspawn(Sync)?\b|\bexecFile(Sync)?\b|\bfork\s*\(/,
    /\bprocess\s*\.\s*(exit|abort|kill|reallyExit|binding|_linkedBinding|dlopen|chdir|setuid|setgid|getBuiltinModule)\b/,
    /\bprocess\s*\.\s*env\b|\b(process|globalThis|global|window|self)\s*\[/,
    /(?<!\.\s*)\brequire\b|\bmodule\s*\.\s*(require|constructor)\b|\bimport\b|\bcreateRequire\b|\bmainModule\b|\bgetBuiltinModule\b/,
    /\bfs\s*\.\s*\w+|\b(read|write|append|unlink|rm|mkdir|rename|copy|truncate|symlink|link|chmod|open)\w*Sync\b/,
    /(?<!\.\s*)\bfetch\b|\b(globalThis|global|window|self)\s*\.\s*fetch\b|\bXMLHttpRequest\b|\bWebSocket\b|\bEventSource\b/,
    /\bhttps?\s*\.\s*(get|request)\b|\b(net|tls|dgram)\s*\.\s*(connect|createConnection|createSocket|createServer)\b/,
    /\beval\b|(?<!\binstanceof\s+)\bFunction\b|\bconstructor\s*\(|\.\s*constructor\s*\.\s*constructor\b|\bvm\s*\.\s*\w+/,
    /\b__proto__\b|\bsetPrototypeOf\b|\bReflect\s*\.\s*(set|defineProperty|deleteProperty|construct)\b/,
  ],
};

function programSpec(request: ProgramRequest, more: Partial<LaunchSpec>): LaunchSpec {
  const { program } = request;
  const base: LaunchSpec = {
    language: 'node',
    name: basename(program),
    kind: 'program',
    program,
    args: request.args,
    cwd: request.cwd ?? request.project.root,
    env: request.env,
    stopOnEntry: request.stopOnEntry,
    ...more,
  };
  return isTypeScript(program) ? { ...base, ...typeScriptRuntime(request, base) } : base;
}

/** How this project runs TypeScript: tsx if it has it, Node's own type stripping if Node has it, else what was compiled. */
function typeScriptRuntime(request: ProgramRequest, base: LaunchSpec): Partial<LaunchSpec> {
  const { root } = request.project;
  // Whoever names a loader or a way to strip types knows how the file is to be run.
  if (request.runtimeArgs?.some((each) => /^(--import|--require|-r|--loader|--experimental-\w*-types)\b/.test(each)))
    return {};
  const tsx = findPackageFile(dirname(request.program), 'tsx', 'dist/loader.mjs');
  if (tsx !== undefined) return { runtimeArgs: [...(base.runtimeArgs ?? []), '--import', pathToFileURL(tsx).href] };
  const compiled = compiledFile(request.program, root);
  if (compiled !== undefined) return { program: compiled };
  // Another Node than ours says by itself what it cannot run.
  if (request.runtime !== undefined) return {};
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 18)) return {};
  throw new ToolError(
    'launch_failed',
    `${basename(request.program)} is TypeScript, and this project has no way to run it.`,
    {
      hint: 'Install tsx (npm i -D tsx), or compile it with source maps and start the compiled file.',
    },
  );
}

/** `dist/x.js` of `src/x.ts`, as tsconfig.json says or by the usual names. Only with a source map is it of use. */
function compiledFile(program: string, root: string): string | undefined {
  const name = program.replace(/\.([mc]?)tsx?$/, '.$1js');
  const candidates = [name];
  for (let folder = dirname(program); isInside(root, folder); folder = dirname(folder)) {
    const config = readText(join(folder, 'tsconfig.json'));
    const outDir = /"outDir"\s*:\s*"([^"]+)"/.exec(config ?? '')?.[1];
    const rootDir = /"rootDir"\s*:\s*"([^"]+)"/.exec(config ?? '')?.[1];
    for (const out of [...(outDir === undefined ? [] : [outDir]), 'dist', 'build', 'out', 'lib'])
      for (const from of [...(rootDir === undefined ? [] : [rootDir]), 'src', '.']) {
        const source = resolve(folder, from);
        if (isInside(source, name)) candidates.push(join(resolve(folder, out), name.slice(source.length)));
      }
    if (folder === root) break;
  }
  return candidates.find((candidate) => /[#@]\s*sourceMappingURL=/.test(readText(candidate) ?? ''));
}

/** A test file, `file::name of a test`, or a script of package.json. */
function testSpec(request: TestRequest): LaunchSpec {
  const { project } = request;
  const [given, name] = splitTest(request.test);
  const file = isAbsolute(given) ? given : resolve(request.cwd ?? project.root, given);
  if (!existsSync(file)) {
    const { scripts } = packageFolder(project.root);
    if (scripts[request.test] !== undefined) return scriptSpec(request, request.test);
    throw new ToolError('file_not_found', `There is no test file ${given}.`, {
      hint: 'Give a test file, file::test name, or the name of a script in package.json.',
      data: { scripts: Object.keys(scripts) },
    });
  }
  if (!isInside(project.root, file)) throw new ToolError('path_outside_project', `${file} lies outside the project.`);
  const tests = testFile(file, project.root);
  const found = runnerFor(tests);
  const common: ProgramRequest = { ...request, program: file, stopOnEntry: false };
  const isTest = { isTest: true, name: basename(file) };
  if (found === undefined) {
    if (name === undefined) return programSpec(common, isTest);
    throw new ToolError('unsupported', `${given} uses no known test runner: it is run as \`node ${given}\`.`, {
      hint: 'A test of it cannot be chosen by its name; leave that out.',
    });
  }
  const { runner, evidence } = found;
  const { program, ...command } = runner.command(tests, evidence, name);
  const test = { file, runner: runner.id, ...(name === undefined ? {} : { name }) };
  const more = { ...isTest, test, cwd: request.cwd ?? command.cwd, env: { ...command.env, ...request.env } };
  const args = [...command.args, ...request.args];
  if (program !== undefined || command.runtimeArgs?.[0] === '-e') {
    const spec = {
      ...programSpec({ ...common, program: program ?? '', args }, more),
      runtimeArgs: command.runtimeArgs,
      starterRuns: command.starterRuns,
    };
    // The runner itself is JavaScript; how its tests are compiled is told to Node beforehand where the runner does not do it.
    const loader = runner.id === 'mocha' && isTypeScript(file) ? typeScriptRuntime(common, spec) : {};
    const runtimeArgs = [...(loader.runtimeArgs ?? []), ...(command.runtimeArgs ?? [])];
    return { ...spec, program, runtimeArgs };
  }
  return programSpec({ ...common, args }, { ...more, runtimeArgs: command.runtimeArgs });
}

function missingTest({ test }: LaunchSpec, output: string): string[] | undefined {
  const runner = scriptRunners.find(({ id }) => id === test?.runner);
  if (test?.name === undefined || runner?.ranNothing(output) !== true) return undefined;
  return nearestNames(test.name, scriptTestNames(readText(test.file) ?? ''));
}

function scriptSpec(request: TestRequest, script: string): LaunchSpec {
  return {
    language: 'node',
    name: script,
    kind: 'command',
    command: ['npm', 'run', '--silent', script],
    args: request.args.length === 0 ? [] : ['--', ...request.args],
    cwd: request.cwd ?? request.project.root,
    env: request.env,
    stopOnEntry: false,
    isTest: true,
  };
}

function splitTest(test: string): [string, string?] {
  const match = /^(.*?)(?:::| > )(.+)$/s.exec(test);
  if (match !== null) return [match[1] ?? '', match[2] ?? ''];
  return [test.replace(/:\d+$/, '')];
}

function isTypeScript(file: string): boolean {
  return /^\.[mc]?tsx?$/.test(extname(file));
}
