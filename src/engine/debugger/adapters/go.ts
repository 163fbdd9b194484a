import { ToolError } from '../../../base/errors.ts';
import type { EnginesOnNeed } from '../../provision/enginesOnNeed.ts';
import { nearestNames } from '../../workspace/testRunners/names.ts';
import type { AttachSpec, LaunchSpec } from '../model.ts';
import type { AdapterDescription } from '../target.ts';
import { AdapterBackend } from '../targets/dap/adapterBackend.ts';
import type { DapAdapter } from '../targets/dap/dapAdapter.ts';
import { DapTarget } from '../targets/dap/dapTarget.ts';
import { goCode } from './go/goCode.ts';
import { GoBuilds, isGoBinary, isGoFolder, programLaunch, type GoTools } from './go/goProgram.ts';
import { testLaunch, testNamesNear } from './go/goTests.ts';
import { testMessage } from './go/testMessage.ts';
import { goValue, unloaded } from './go/goValue.ts';

/** Go by delve. What is debugged is compiled by us, so that its errors are told as such and nothing is left in the project. */
export function goAdapter(engines: EnginesOnNeed): AdapterDescription {
  const builds = new GoBuilds();
  const tools: GoTools = async (project, progress) => {
    const need = { project, purpose: 'debug Go', progress };
    const go = await engines.get('go', need);
    // It takes a while when it is missing: before the program is compiled, so that whoever must wait waits once.
    await engines.get('dlv', need);
    return { go: go.path, builds };
  };
  return {
    language: 'go',
    dispose: () => builds.dispose(),
    aliases: ['golang', 'delve', 'dlv'],
    fileExtensions: ['.go'],
    testsByProgram: true,
    recognises: (path) => isGoFolder(path) || isGoBinary(path),
    runsIn: isGoBinary,
    createTarget: (context) => new DapTarget('go', new AdapterBackend(delve(engines)), context),
    resolveProgram: (request) => programLaunch(request, tools),
    resolveTest: (request) => testLaunch(request, tools),
    missingTest: (spec, output) =>
      spec.test?.name === undefined || !/^testing: warning: no tests to run$/m.test(output)
        ? undefined
        : nearestNames(spec.test.name, testNamesNear(spec.test.file)),
    testsAreOver: (_spec, output) => /^(PASS|FAIL|ok .*)$/m.test(output),
    guardsBreakpoints: true,
    functionLines,
    codeOf: goCode,
    dangerousPatterns,
  };
}

function delve(engines: EnginesOnNeed): DapAdapter {
  return {
    name: 'delve',
    adapterId: 'go',
    start: async (spec, { project }) => {
      if ('port' in spec && spec.port !== undefined)
        return { kind: 'tcp', host: spec.host ?? '127.0.0.1', port: spec.port };
      const { path } = await engines.get('dlv', { project, purpose: 'debug Go' });
      const args = ['dap', '--listen=127.0.0.1:0', '--check-go-version=false'];
      const portPattern = /listening at: \S+:(\d+)/;
      return { kind: 'listens', command: path, args, portPattern };
    },
    launchArguments,
    attachArguments,
    exceptionFilters: (specs, announced) =>
      specs.some(({ uncaught, userUnhandled }) => uncaught || userUnhandled) ? [...announced] : [],
    failureFunctions: (spec) => ('isTest' in spec && spec.isTest === true ? [failedTest] : []),
    exception: ({ id, description }) =>
      // What delve says of a core dump is about itself.
      description.includes('core process')
        ? { type: 'core dump', message: 'the process died here' }
        : {
            type: id.includes('fatal') ? 'fatal error' : 'panic',
            message: description.replace(/^"([\s\S]*)"$/, '$1'),
          },
    // A test's runner recovers from a panic and panics anew: what was said first is behind it.
    exceptionMessage: '(*msgs).link.arg.(data)',
    expression: (expression, readOnly) => {
      const command = /^\s*(call|dlv)\b/.exec(expression)?.[1];
      if (readOnly && command !== undefined)
        throw new ToolError('evaluation_blocked', `"${command}" is refused: evaluation is read-only here.`, {
          hint: 'Names, fields, indexes, arithmetic, len, cap and conversions are evaluated.',
        });
      return expression;
    },
    callsProgram: (expression) => /^\s*call\b/.test(expression),
    rephrased: (expression, refusal) =>
      /function calls not allowed without using 'call'/.test(refusal) ? `call ${expression}` : undefined,
    logMessage: (text) => text.replace(/^> \[Go \d+\]: /, ''),
    thread: (name) => {
      const [, id = '', what = '', thread] = /^\*? ?\[Go (\d+)\] (.*?)(?: \(Thread (\d+)\))?$/.exec(name) ?? [];
      if (id === '') return { name };
      return { name: `goroutine ${id} ${shortName(what)}`, ...(thread === undefined ? { state: 'waiting' } : {}) };
    },
    frame: (name) => ({ name: shortName(name) }),
    variable: goValue,
    unloaded,
    isLibrary: (file) =>
      /\/go\/(?:src|pkg\/mod)\/|\/pkg\/mod\/|\/go-[\d.]+\/src\/|\/vendor\//.test(file) || file.startsWith('_cgo'),
    quirks: { programReadsInput: true, consoleIsChatter: true, canBeHeld: true, watchesWrongly: true },
  };
}

/** Every way to fail a test ends here: `Error`, `Fatal`, and what assertion libraries call. */
const failedTest = {
  name: 'testing.(*common).Fail',
  type: 'test failure',
  // A test that fails makes the one around it fail; one that panics is told as a panic.
  unlessFrom: /^testing\.(?:\(\*common\)\.Fail$|tRunner)/,
  message: /^ {4,}(\S+\.go:\d+: .*(?:\n {8,}.*)*)/,
  said: testMessage,
};

function launchArguments(spec: LaunchSpec): Record<string, unknown> {
  const { core } = spec;
  return {
    request: 'launch',
    ...(core === undefined ? { mode: 'exec' } : { mode: 'core', coreFilePath: core }),
    program: spec.program,
    args: spec.args,
    cwd: spec.cwd,
    env: spec.env,
    stopOnEntry: spec.stopOnEntry,
    // Otherwise what the program prints goes to delve's own output.
    outputMode: 'remote',
    hideSystemGoroutines: true,
    ...spec.extra,
  };
}

function attachArguments(spec: AttachSpec): Record<string, unknown> {
  const substitutePath = spec.pathMappings.map(({ localRoot, remoteRoot }) => ({ from: localRoot, to: remoteRoot }));
  return {
    request: 'attach',
    ...(spec.pid === undefined ? { mode: 'remote' } : { mode: 'local', processId: spec.pid }),
    hideSystemGoroutines: true,
    ...(substitutePath.length === 0 ? {} : { substitutePath }),
  };
}

/** `example.com/shop/cart.(*Cart).Total` as people say it: with the last part of the package's path. */
function shortName(name: string): string {
  return name.replace(/[\w.~-]+\//g, '');
}

/** Calls that start processes, end the program, write files or speak to the network, and delve's own commands. */
const dangerousPatterns: readonly RegExp[] = [
  /\b(os|exec|syscall|unix|net|http|smtp|rpc|plugin|ioutil|unsafe|tls)\s*\.\s*\w+\s*\(/,
  /^\s*dlv\b/,
];

/** `Total`, `Cart.Total`; gofmt puts the end of a function at the beginning of a line. */
function functionLines(lines: readonly string[], name: string): { start: number; end: number } | undefined {
  const [own = '', receiver] = name.split('.').reverse();
  const at = lines.findIndex((line) => {
    const [, type, found] = /^func\s+(?:\(\s*\w*\s*\*?(\w+)[^)]*\)\s*)?(\w+)/.exec(line) ?? [];
    return found === own && (receiver === undefined || type === receiver);
  });
  if (at < 0) return undefined;
  const end = lines.findIndex((line, index) => index > at && line.startsWith('}'));
  return { start: at + 1, end: end < 0 ? lines.length : end + 1 };
}
