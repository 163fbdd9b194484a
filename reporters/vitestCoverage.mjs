// A coverage provider for vitest where the project has installed none: in each worker it writes what V8 counted, together with the code
// that ran, whose source map leads back to the files. Nothing is reported here; Sightline reads what is written.
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { threadId } from 'node:worker_threads';

// vitest may load this module anew between start and end.
const state = (globalThis[Symbol.for('sightline.coverage')] ??= { session: undefined, count: 0 });

function post(method, params) {
  return new Promise((resolve, reject) => {
    state.session.post(method, params, (error, result) => (error ? reject(error) : resolve(result)));
  });
}

function isOwn(url) {
  return url.startsWith('file://') && !url.includes('/node_modules/') && !url.includes('/@vite');
}

async function startCoverage() {
  if (state.session !== undefined) return;
  state.session = new Session();
  state.session.connect();
  await post('Profiler.enable');
  await post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
}

async function takeCoverage(options) {
  if (state.session === undefined) return undefined;
  const { result } = await post('Profiler.takePreciseCoverage');
  // The debugger knows the code of scripts; it is on no longer than it takes to ask.
  await post('Debugger.enable');
  const scripts = [];
  for (const script of result.filter(({ url }) => isOwn(url))) {
    const { scriptSource } = await post('Debugger.getScriptSource', { scriptId: script.scriptId }).catch(() => ({}));
    const told = options?.moduleExecutionInfo?.get(fileURLToPath(script.url))?.startOffset;
    scripts.push({
      url: script.url,
      functions: script.functions,
      source: scriptSource,
      // The code stands inside a function that vitest writes around it.
      codeStart: told ?? wrapperLength(scriptSource ?? ''),
    });
  }
  await post('Debugger.disable');
  const name = `${process.pid}-${threadId}-${state.count++}.json`;
  writeFileSync(join(process.env.SIGHTLINE_V8_COVERAGE, name), JSON.stringify({ result: scripts }));
  return undefined;
}

function wrapperLength(source) {
  const match = /^(?:'use strict';)?\(?async \([^)]*\)\s*=>\s*\{\{/.exec(source);
  return match === null ? 0 : match[0].length;
}

async function stopCoverage() {
  // Where workers are used again, the next file goes on with the same session.
}

function getProvider() {
  let context;
  return {
    name: 'sightline',
    initialize: (given) => {
      context = given;
    },
    resolveOptions: () => context?.config?.coverage ?? context?._coverageOptions ?? {},
    clean: () => undefined,
    onAfterSuiteRun: () => undefined,
    onTestFailure: () => undefined,
    generateCoverage: () => ({}),
    reportCoverage: () => undefined,
  };
}

export default { startCoverage, takeCoverage, stopCoverage, getProvider };
