import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Redactor } from '../base/text/redact.ts';
import type { Project } from '../engine/workspace/project.ts';
import { CommandHistory, type HistoryEvent } from './history.ts';

let folder: string;
let project: Project;
let problems: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sightline-history-'));
  project = { id: 'p', name: 'p', root: '/p', stateDir: join(folder, 'p'), env: {}, trusted: true };
  problems = [];
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function open(maxEntries = 500): CommandHistory {
  return new CommandHistory({
    stateDir: folder,
    maxEntries,
    redactor: new Redactor(),
    onProblem: (message) => problems.push(message),
  });
}

function begin(history: CommandHistory, id: string, parameters: Record<string, unknown> = {}, tool = 'read_file') {
  history.begin({ id, time: new Date(), clientId: 'c', clientName: 'tester 1', project, tool, parameters });
}

function succeed(history: CommandHistory, id: string, text = 'fine') {
  history.end(id, { status: 'success', text, durationMs: 5.55, affectedFiles: [] });
}

test('a call is there while it runs and after it ended, newest first, for listeners too', () => {
  const history = open();
  const events: string[] = [];
  history.onDidChange.on((event: HistoryEvent) => events.push(event.kind));
  begin(history, 'a', { file_path: 'x.ts' });
  expect(history.list(project)).toMatchObject([{ id: 'a', status: 'pending', parameters: { file_path: 'x.ts' } }]);
  succeed(history, 'a', 'the answer');
  begin(history, 'b');
  history.end('b', { status: 'error', text: 'Error: no', error: 'no', durationMs: 1, affectedFiles: ['/p/x.ts'] });
  expect(history.list(project)).toMatchObject([
    { id: 'b', status: 'error', error: 'no', affectedFiles: ['/p/x.ts'] },
    { id: 'a', status: 'success', result: 'the answer', client: 'tester 1', project: '/p', tokens: 2 },
  ]);
  expect(events).toEqual(['added', 'updated', 'added', 'updated']);
  expect(history.list(undefined)).toEqual([]);
});

test('words are made when they are written down, and a renderer that fails is told and spoils nothing', () => {
  const history = open();
  let made = 0;
  begin(history, 'a');
  begin(history, 'b');
  const outcome = { status: 'success' as const, durationMs: 1, affectedFiles: [] };
  history.end('a', {
    ...outcome,
    get text() {
      made++;
      return 'late words';
    },
  });
  history.end('b', {
    ...outcome,
    get text(): string {
      throw new Error('no words');
    },
  });
  expect(made).toBe(0);
  expect(history.list(project)).toMatchObject([
    { id: 'b', status: 'success' },
    { id: 'a', result: 'late words' },
  ]);
  expect(problems).toEqual([expect.stringContaining('no words')]);
});

test('it survives a restart', () => {
  const first = open();
  begin(first, 'a');
  succeed(first, 'a');
  first.dispose();
  expect(open().list(project)).toMatchObject([{ id: 'a', status: 'success', durationMs: 5.6 }]);
  expect(problems).toEqual([]);
});

test('a call that ran when the process was killed is there, as interrupted', async () => {
  const script = `
    import { CommandHistory } from './history.ts';
    import { Redactor } from '../base/text/redact.ts';
    const history = new CommandHistory({ stateDir: ${JSON.stringify(folder)}, maxEntries: 9, redactor: new Redactor() });
    const project = { root: '/p', stateDir: ${JSON.stringify(project.stateDir)} };
    for (const id of ['done', 'running']) history.begin({ id, time: new Date(), clientId: 'c', clientName: 'c', project, tool: 't', parameters: {} });
    history.end('done', { status: 'success', text: 'x', durationMs: 1, affectedFiles: [] });
    await new Promise((done) => setImmediate(done));
    process.kill(process.pid, 'SIGKILL');
  `;
  const bundle = join(folder, 'killed.mjs');
  buildSync({
    stdin: { contents: script, resolveDir: import.meta.dirname },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: bundle,
  });
  const child = spawn(process.execPath, [bundle], { stdio: 'pipe' });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const signal = await new Promise((resolve) => child.once('close', (_code, by) => resolve(by)));
  expect({ signal, errors }).toMatchObject({ signal: 'SIGKILL' });
  expect(open().list(project)).toMatchObject([
    { id: 'running', status: 'error', error: 'Sightline ended while this call was running.' },
    { id: 'done', status: 'success' },
  ]);
});

test('filters by tool, status and text', () => {
  const history = open();
  begin(history, 'a', { query: 'Needle' }, 'search_symbols');
  succeed(history, 'a');
  begin(history, 'b');
  succeed(history, 'b', 'has a NEEDLE inside');
  begin(history, 'c');
  const ids = (filter: Parameters<CommandHistory['list']>[1]) => history.list(project, filter).map(({ id }) => id);
  expect(ids({ toolName: 'search_symbols' })).toEqual(['a']);
  expect(ids({ status: 'pending' })).toEqual(['c']);
  expect(ids({ text: 'needle' })).toEqual(['b', 'a']);
  expect(ids({ limit: 1 })).toEqual(['c']);
});

test('secrets never reach the disk', () => {
  const history = open();
  begin(history, 'a', { env: { API_TOKEN: 'tok-123456' }, url: 'https://u:hunter2@x.org' });
  succeed(history, 'a', 'PASSWORD=hunter2');
  const text = readFileSync(join(project.stateDir, 'history.jsonl'), 'utf8');
  expect(text).not.toMatch(/hunter2|tok-123456/);
});

test('it keeps the newest, in memory and on disk', () => {
  const history = open(5);
  for (let index = 0; index < 400; index++) {
    begin(history, `call${index}`);
    succeed(history, `call${index}`);
  }
  expect(history.list(project).map(({ id }) => id)).toEqual(['call399', 'call398', 'call397', 'call396', 'call395']);
  expect(readFileSync(join(project.stateDir, 'history.jsonl'), 'utf8').split('\n').length).toBeLessThan(125);
  history.dispose();
  expect(open(5).list(project)).toHaveLength(5);
});

test('cleared is gone, from the disk too', () => {
  const history = open();
  begin(history, 'a', { unique: 'find-me' });
  history.clear(project);
  begin(history, 'b');
  expect(
    open()
      .list(project)
      .map(({ id }) => id),
  ).toEqual(['b']);
  expect(readFileSync(join(project.stateDir, 'history.jsonl'), 'utf8')).not.toContain('find-me');
});

test('a second process that compacts the file takes nothing from the first', () => {
  const history = open();
  begin(history, 'a');
  const other = open(1);
  other.clear(project);
  begin(history, 'b');
  expect(
    open()
      .list(project)
      .map(({ id }) => id),
  ).toEqual(['b']);
});

test('exports to JSON and to CSV that no spreadsheet takes for formulas', () => {
  const history = open();
  begin(history, 'a', { text: 'say "hi",\nplease' });
  succeed(history, 'a', '=HYPERLINK("http://evil")');
  expect(JSON.parse(history.exportJson(project))).toMatchObject([
    { id: 'a', parameters: { text: 'say "hi",\nplease' } },
  ]);
  const csv = history.exportCsv(project);
  expect(csv.split('\r\n')[0]).toBe(
    'id,timestamp,client,project,toolName,status,durationMs,tokens,affectedFiles,parameters,result,error',
  );
  expect(csv).toContain(`"'=HYPERLINK(""http://evil"")"`);
  expect(csv).toContain(`"{""text"":""say \\""hi\\"",\\nplease""}"`);
});

test.each([
  ['flipped bytes', (text: string) => text.replace('"add"', '"a\u0000d"'), 1],
  ['another version', (text: string) => text.replace('"v":1', '"v":99'), 1],
  ['emptied', () => '', 0],
  ['a torn last line', (text: string) => text.slice(0, -20), 0],
  ['no text at all', () => '\u0001\u0002\n\u0003\n', 1],
])('%s: it starts, keeps what it can, and says so', (_name, damage, expectedProblems) => {
  const first = open();
  begin(first, 'a');
  succeed(first, 'a');
  begin(first, 'b');
  succeed(first, 'b');
  first.dispose();
  const path = join(project.stateDir, 'history.jsonl');
  writeFileSync(path, damage(readFileSync(path, 'utf8')));
  const second = open();
  const kept = second.list(project).map(({ id }) => id);
  expect(problems).toHaveLength(expectedProblems);
  expect(readdirSync(project.stateDir).filter((name) => name.includes('damaged'))).toHaveLength(expectedProblems);
  begin(second, 'after');
  second.dispose();
  problems = [];
  expect(
    open()
      .list(project)
      .map(({ id }) => id),
  ).toEqual(['after', ...kept]);
  expect(problems).toEqual([]);
});

test('a folder that cannot be written is reported, and the calls go on', () => {
  mkdirSync(project.stateDir, { recursive: true });
  mkdirSync(join(project.stateDir, 'history.jsonl'));
  const history = open();
  begin(history, 'a');
  succeed(history, 'a');
  expect(history.list(project)).toHaveLength(1);
  expect(problems.length).toBeGreaterThan(0);
});
