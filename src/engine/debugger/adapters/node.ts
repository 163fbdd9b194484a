import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ToolError } from '../../../base/errors.ts';
import { isInside } from '../../../base/paths.ts';
import { javascriptCode } from './javascriptCode.ts';
import type { LaunchSpec } from '../model.ts';
import type { AdapterDescription, ProgramRequest, TestRequest } from '../target.ts';
import { BuiltFiles } from '../targets/node/scripts/builtFiles.ts';
import { forecast } from '../targets/node/breakpoints/predictBinding.ts';
import { expressionProblem } from '../targets/node/values/evaluation.ts';
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
  createTarget: (context) => new NodeTarget(context),
  resolveProgram: (request) => Promise.resolve(programSpec(request, {})),
  resolveTest: (request) => Promise.resolve(testSpec(request)),
  expressionProblem,
  explainEnd: stackOverflowOf,
  guardsBreakpoints: true,
  codeOf: javascriptCode,
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
  const tsx = findPackageFile(dirname(request.program), root, 'tsx', 'dist/loader.mjs');
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
  const [given, wantedName] = splitTest(request.test);
  const file = isAbsolute(given) ? given : resolve(request.cwd ?? project.root, given);
  if (!existsSync(file)) {
    const script = scriptsOf(project.root)[request.test];
    if (script !== undefined) return scriptSpec(request, request.test);
    throw new ToolError('file_not_found', `There is no test file ${given}.`, {
      hint: 'Give a test file, file::test name, or the name of a script in package.json.',
      data: { scripts: Object.keys(scriptsOf(project.root)) },
    });
  }
  if (!isInside(project.root, file)) throw new ToolError('path_outside_project', `${file} lies outside the project.`);
  const runner = runnerOf(file, project.root);
  const common: ProgramRequest = {
    project,
    program: file,
    args: [],
    env: request.env,
    stopOnEntry: false,
    cwd: request.cwd,
  };
  const isTest = { isTest: true, kind: 'test' as const, name: basename(file) };
  const bin = runner === 'node' || runner === 'script' ? undefined : runnerFile(runner, file, project.root);
  if (bin === undefined) {
    const filter = wantedName === undefined || runner === 'script' ? [] : ['--test-name-pattern', wantedName];
    return programSpec({ ...common, args: request.args }, { ...isTest, kind: 'program', runtimeArgs: filter });
  }
  const args = [...runnerArguments(runner, file, wantedName), ...request.args];
  return {
    language: 'node',
    ...isTest,
    kind: 'program',
    program: bin,
    args,
    cwd: request.cwd ?? packageRoot(file, project.root),
    env: request.env,
    stopOnEntry: false,
    ...(runner === 'mocha' && isTypeScript(file)
      ? typeScriptRuntime(common, programSpec({ ...common, program: bin }, {}))
      : {}),
    ...(runner === 'mocha' && isTypeScript(file) ? { program: bin } : {}),
  };
}

type Runner = 'vitest' | 'jest' | 'mocha' | 'node' | 'script';

/** What the file itself imports tells most; then what the project has installed. */
function runnerOf(file: string, root: string): Runner {
  const text = readText(file) ?? '';
  if (/['"]vitest['"]/.test(text)) return 'vitest';
  if (/['"](node:test|test)['"]/.test(text)) return 'node';
  if (/['"]@jest\/globals['"]/.test(text)) return 'jest';
  if (/['"]mocha['"]/.test(text)) return 'mocha';
  if (!/\b(describe|it|test|suite)\s*(\.\w+)?\s*\(/.test(text)) return 'script';
  const installed = (['vitest', 'jest', 'mocha'] as const).filter(
    (runner) => runnerFile(runner, file, root) !== undefined,
  );
  // Several may be installed; the project's own manifest and configuration files say which one it means.
  const folder = packageRoot(file, root);
  const manifest = readText(join(folder, 'package.json')) ?? '';
  const testScript = scriptsOf(folder)['test'] ?? '';
  const isMeant = (runner: string) =>
    new RegExp(`\\b${runner}\\b`).test(testScript) ||
    ['js', 'cjs', 'mjs', 'ts', 'json'].some(
      (end) => existsSync(join(folder, `${runner}.config.${end}`)) || existsSync(join(folder, `.${runner}rc.${end}`)),
    );
  return (
    installed.find(isMeant) ??
    installed.find((runner) => manifest.includes(`"${runner}"`) && testScript === '' && installed.length === 1) ??
    (/\bjest\s*\./.test(text) && installed.includes('jest') ? 'jest' : undefined) ??
    (/\bvi\s*\./.test(text) && installed.includes('vitest') ? 'vitest' : undefined) ??
    // Only jest has these as globals without being told so.
    (/\bexpect\s*\(/.test(text) && !/\b(import|require)\b.*chai/.test(text) && installed.includes('jest')
      ? 'jest'
      : undefined) ??
    installed[0] ??
    'script'
  );
}

function runnerFile(runner: 'vitest' | 'jest' | 'mocha', file: string, root: string): string | undefined {
  const inside = { vitest: 'vitest.mjs', jest: 'bin/jest.js', mocha: 'bin/mocha.js' }[runner];
  return findPackageFile(dirname(file), root, runner, inside);
}

/** One process where the runner can, no time-outs: a paused test takes as long as it takes. */
function runnerArguments(
  runner: 'vitest' | 'jest' | 'mocha' | 'node' | 'script',
  file: string,
  name: string | undefined,
): string[] {
  if (runner === 'vitest')
    return [
      'run',
      file,
      '--pool=forks',
      '--no-file-parallelism',
      '--testTimeout=0',
      '--hookTimeout=0',
      '--teardownTimeout=1000',
      '--coverage.enabled=false',
      ...(name === undefined ? [] : ['-t', name]),
    ];
  if (runner === 'jest')
    return [
      '--runInBand',
      '--runTestsByPath',
      file,
      '--coverage=false',
      '--testTimeout=86400000',
      '--watchAll=false',
      ...(name === undefined ? [] : ['-t', name]),
    ];
  return [file, '--timeout', '0', ...(name === undefined ? [] : ['-g', name])];
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

function scriptsOf(root: string): Record<string, string> {
  try {
    const parsed: unknown = JSON.parse(readText(join(root, 'package.json')) ?? '{}');
    if (typeof parsed !== 'object' || parsed === null || !('scripts' in parsed)) return {};
    const { scripts } = parsed;
    if (typeof scripts !== 'object' || scripts === null) return {};
    return Object.fromEntries(
      Object.entries(scripts).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  } catch {
    return {};
  }
}

function packageRoot(file: string, root: string): string {
  for (let folder = dirname(file); isInside(root, folder); folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (folder === root) break;
  }
  return root;
}

/** Looks for a package the way Node does, from the file outwards and beyond the project (workspaces keep them above). */
function findPackageFile(from: string, _root: string, name: string, inside: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name, inside);
    if (existsSync(candidate)) return candidate;
    if (dirname(folder) === folder) return undefined;
  }
}

function isTypeScript(file: string): boolean {
  return /^\.[mc]?tsx?$/.test(extname(file));
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
