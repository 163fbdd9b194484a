// One language measured beside the raw protocol of the same engine, on the same program in the same run: from nothing to the first stop with
// its stack and locals (the build included), a step with them, references, and the memory of the program itself.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { LspProcess } from './lspProcess.mjs';
import { LineClient, median, percentile, report, rssMb } from './measure.mjs';

/**
 * `language`: `name`, `files` by path, the `file` with the breakpoint and its `line`, `debugger` (a name for the rows), `rawLaunch(project, env)`
 * which answers a stopped `{ step(), end() }`, and `server`: `name`, `command`, `languageId`, `position` and the same as `line` and `column`.
 */
export async function measureLanguage({ program, home, env, runs, steps }, language) {
  const project = join(home, language.name);
  for (const [path, text] of Object.entries(language.files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
  const client = new LineClient(process.execPath, [program, 'stdio', '--embedded', '--face', 'debugger'], {
    cwd: project,
    env,
  });
  await client.initialize();
  const call = async (name, args = {}) => {
    const { result } = await client.request('tools/call', { name, arguments: args });
    if (result?.isError) throw new Error(result.content[0].text);
    return result.structuredContent;
  };
  const start = () => call('start_debug_session', { program: language.file, wait_ms: 40_000 });
  await call('set_breakpoint', { file_path: language.file, line: language.line });
  await start();
  await call('stop_debug_session');
  const rawLaunch = () => language.rawLaunch(project, env);
  await (await rawLaunch()).end();

  const launches = { raw: [], ours: [] };
  for (let run = 0; run < runs; run++)
    for (const kind of run % 2 === 0 ? ['raw', 'ours'] : ['ours', 'raw']) {
      const began = performance.now();
      const raw = kind === 'raw' ? await rawLaunch() : await start();
      launches[kind].push(performance.now() - began);
      await (kind === 'raw' ? raw.end() : call('stop_debug_session'));
    }
  const times = await measureSteps({ call, start, rawLaunch, steps });
  const references = language.server === undefined ? undefined : await measureReferences(call, project, language);
  const memory = rssMb(client.child.pid);
  await client.end();
  const { debugger: engine, server } = language;
  report([
    { what: `raw ${engine}: launch (build included) to first stop`, value: median(launches.raw), unit: ' ms' },
    { what: 'sightline: launch to first stop', value: median(launches.ours), unit: ' ms' },
    { what: '  ratio', value: median(launches.ours) / median(launches.raw), unit: '', atMost: 1.15 },
    { what: `raw ${engine}: step, stack, scopes, variables`, value: median(times.raw), unit: ' ms' },
    { what: 'sightline: step_over with its whole report', value: median(times.ours), unit: ' ms' },
    { what: '  ratio', value: median(times.ours) / median(times.raw), unit: '', atMost: 1.2 },
    { what: '  p95 of ours', value: percentile(times.ours, 0.95), unit: ' ms' },
    ...(references === undefined
      ? []
      : [
          { what: `raw ${server.name}: references, warm`, value: references.raw, unit: ' ms' },
          { what: 'sightline: find_references, warm', value: references.ours, unit: ' ms' },
          { what: '  ratio', value: references.ours / references.raw, unit: '', atMost: 1.3 },
        ]),
    { what: 'memory of sightline itself', value: memory, unit: ' MB', atMost: 100 },
  ]);
}

async function measureSteps({ call, start, rawLaunch, steps }) {
  const raw = await rawLaunch();
  await start();
  const times = { raw: [], ours: [] };
  for (let step = 0; step < steps; step++) {
    let began = performance.now();
    await raw.step();
    times.raw.push(performance.now() - began);
    began = performance.now();
    const { stop } = await call('step_over');
    times.ours.push(performance.now() - began);
    if (stop.variables.length < 3) throw new Error('A stop without its locals.');
  }
  await raw.end();
  await call('stop_debug_session');
  return times;
}

async function measureReferences(call, project, { file, server }) {
  const process = new LspProcess(server.command, project);
  await process.initialize();
  const uri = pathToFileURL(join(project, file)).href;
  const text = readFileSync(join(project, file), 'utf8');
  process.notify('textDocument/didOpen', { textDocument: { uri, languageId: server.languageId, version: 1, text } });
  const { line, column } = server;
  const ask = () =>
    process.request('textDocument/references', {
      textDocument: { uri },
      position: { line: line - 1, character: column - 1 },
      context: { includeDeclaration: true },
    });
  const asked = () => call('find_references', { file, line, column });
  // Both have to know the whole project first.
  for (let found; (found?.length ?? 0) < server.uses; found = await ask())
    await new Promise((done) => setTimeout(done, 100));
  for (let total = 0; total < server.uses;) total = (await asked().catch(() => ({ totalCount: 0 }))).totalCount;
  const times = { raw: [], ours: [] };
  for (let round = 0; round < 40; round++) {
    let began = performance.now();
    const found = await ask();
    times.raw.push(performance.now() - began);
    began = performance.now();
    const { totalCount } = await asked();
    times.ours.push(performance.now() - began);
    if (totalCount !== found.length) throw new Error(`${totalCount} references instead of ${found.length}.`);
  }
  await process.end();
  return { raw: median(times.raw.slice(5)), ours: median(times.ours.slice(5)) };
}

/** An engine of the cache that the product uses, or the one on the path. */
export function engine(name, env) {
  const cache = env.SIGHTLINE_CACHE ?? join(env.SIGHTLINE_HOME, 'cache');
  const found = execFileSync('find', [
    cache,
    '-name',
    name,
    '(',
    '-type',
    'f',
    '-o',
    '-type',
    'l',
    ')',
    '-perm',
    '-u+x',
  ]);
  // What a package wraps lies deeper than its wrapper.
  return (
    found
      .toString()
      .trim()
      .split('\n')
      .sort((a, b) => a.length - b.length)[0] || name
  );
}
