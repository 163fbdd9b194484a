import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSightline, type RunningSightline, type TestClient } from '../harness/harness.ts';

let ide: RunningSightline;
let agent: TestClient;
const questions: string[] = [];

beforeAll(async () => {
  ide = await startSightline({
    project: {
      'package.json': '{"scripts": {"wait": "node wait.js"}}',
      'a.txt': 'one\n',
      'names.txt': 'b.txt\n',
      'b.txt': 'costs $1.50 or $2.file\n',
      'wait.js': 'setInterval(() => {}, 1000); console.log("waiting");',
      'long.txt': Array.from({ length: 4000 }, (_, line) => `line ${line} of a long file`).join('\n'),
    },
  });
  agent = await ide.connect({
    face: 'workspace',
    client: { capabilities: { elicitation: { form: {} } } },
    prepare: (client: Client) =>
      client.setRequestHandler('elicitation/create', async ({ params }) => {
        questions.push(params.message);
        return { action: 'accept', content: { approve: false } };
      }),
  });
});

afterAll(() => ide.dispose());

interface Result {
  tool: string;
  result?: Record<string, unknown>;
  text?: string;
  error?: { name: string; message: string; hint?: string };
  notRun?: string;
}

async function batch(calls: unknown[], more: Record<string, unknown> = {}): Promise<Result[]> {
  return (await agent.data('batch', { calls, ...more }))['results'] as Result[];
}

describe('a batch', () => {
  it('uses earlier results, whole and inside a text, and leaves other dollars alone', async () => {
    const results = await batch([
      { tool: 'list_project_files', args: { glob: ['[ab].txt'] } },
      { tool: 'read_file', args: { file_path: '$1.files[1]' } },
      {
        tool: 'write_file',
        args: { file_path: 'copy-of-$1.files[0]', content: '$1.00 $$1.file ${2.start_line} $2.content' },
      },
    ]);
    expect(results.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
    expect(results[1]?.result).toMatchObject({ file: 'b.txt' });
    expect(readFileSync(join(ide.root, 'copy-of-a.txt'), 'utf8')).toBe('$1.00 $1.file 1 costs $1.50 or $2.file\n');
  });

  it('sets a breakpoint and takes it away by its id', async () => {
    const results = await batch([
      { tool: 'set_breakpoint', args: { file_path: 'wait.js', line: 1 } },
      { tool: 'remove_breakpoint', args: { breakpoint_id: '$1.breakpointId' } },
      { tool: 'list_breakpoints' },
    ]);
    expect(results.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
    expect(results[2]?.result).toMatchObject({ breakpoints: [{ id: 'bp_uncaught' }] });
  });

  it('writes each call into the history under its own name', async () => {
    const [project] = ide.sightline.projects.list();
    const tools = ide.sightline.history.list(project).map((entry) => entry.toolName);
    expect(tools).toEqual(expect.arrayContaining(['list_project_files', 'read_file', 'write_file']));
  });

  it('tells errors per call and goes on, or stops where it is told to', async () => {
    const calls = [
      { tool: 'read_file', args: { file_path: 'none.txt' } },
      { tool: 'no_such_tool' },
      { tool: 'read_file', args: { file_path: '../outside' } },
      { tool: 'read_file', args: { nonsense: 1 } },
      { tool: 'read_file', args: { file_path: '$1.file' } },
      { tool: 'read_file', args: { file_path: '$9.file' } },
      { tool: 'batch', args: { calls: [{ tool: 'read_file' }] } },
      { tool: 'sightline_tools', args: { call: 'batch', arguments: { calls: [{ tool: 'read_file' }] } } },
      { tool: 'read_file', args: { file_path: 'a.txt' } },
      { tool: 'read_file', args: { file_path: '$9.lines[0]' } },
    ];
    const results = await batch(calls);
    expect(results.map(({ error }) => error?.name)).toEqual([
      'file_not_found',
      'unknown_tool',
      'path_outside_project',
      ...Array.from({ length: 5 }, () => 'invalid_arguments'),
      undefined,
      'invalid_arguments',
    ]);
    expect(results[4]?.error?.message).toContain('call 1, which has no result');
    expect(results[6]?.error?.message).toContain('cannot be one of the calls');
    expect(results[7]?.error?.message).toContain('cannot be one of the calls');
    expect(results[9]?.error?.message).toMatch(/finds no "lines"; there is file, content/);
    const stopped = await batch(calls.slice(0, 3), { stop_on_error: true });
    expect(stopped.map(({ notRun }) => notRun)).toEqual([undefined, 'call 1 failed', 'call 1 failed']);
  });

  it('asks about a destructive call as if it were alone', async () => {
    const results = await batch([
      { tool: 'create_run_configuration', args: { name: 'X', type: 'node', program: 'wait.js' } },
      { tool: 'read_file', args: { file_path: 'a.txt' } },
    ]);
    expect(results[0]?.error?.name).toBe('approval_denied');
    expect(results[1]?.error).toBeUndefined();
    expect(questions).toEqual([expect.stringContaining('create_run_configuration')]);
    expect(existsSync(join(ide.root, '.vscode/launch.json'))).toBe(false);
  });

  it('shares its room: what one does not need is there for the next', async () => {
    const long = { tool: 'read_file', args: { file_path: 'long.txt' } };
    const { text } = await agent.call('batch', {
      calls: [{ ...long, args: { ...long.args, end_line: 3 } }, long, long],
    });
    expect(text.length).toBeLessThanOrEqual(12_000);
    const { results } = JSON.parse(text) as { results: Result[] };
    const [, second, third] = results.map(({ result }) => result?.['content'] as string);
    expect(second?.length).toBeGreaterThan(3500);
    expect(third?.length).toBeGreaterThan(3500);
    expect(results[2]?.result?.['nextLine']).toBeGreaterThan(100);
  });

  it('answers before the client gives up, with what there is', async () => {
    const startedAt = Date.now();
    const results = await batch([
      { tool: 'run_configuration', args: { name: 'wait', wait_ms: 500 } },
      { tool: 'stop_job', args: { job_id: '$1.jobId' } },
    ]);
    expect(Date.now() - startedAt).toBeLessThan(20_000);
    expect(results[1]?.result).toMatchObject({ state: 'stopped' });
  });

  it('has a short heading per call as text', async () => {
    const reader = await ide.connect({ face: 'all' });
    const text = await reader.text('batch', {
      calls: [
        { tool: 'read_file', args: { file_path: 'a.txt' } },
        { tool: 'read_file', args: { file_path: '$1.nofile' } },
      ],
    });
    expect(text).toMatch(
      /^== \$1 read_file\n[^]*one\n== \$2 read_file\nError \(invalid_arguments\): The reference \$1\.nofile/,
    );
  });

  it.each([
    ['no calls', { calls: [] }],
    ['a call without a tool', { calls: [{ args: {} }] }],
    ['arguments that are a list', { calls: [{ tool: 'read_file', args: [1] }] }],
    ['too many calls', { calls: Array.from({ length: 21 }, () => ({ tool: 'get_notifications' })) }],
  ])('with %s is refused whole', async (_what, args) => {
    expect((await agent.call('batch', args)).error?.name).toBe('invalid_arguments');
  });

  it('that is cancelled makes no further calls', async () => {
    const controller = new AbortController();
    const running = agent.call(
      'batch',
      {
        calls: [
          { tool: 'run_configuration', args: { name: 'wait', wait_ms: 20_000 } },
          { tool: 'write_file', args: { file_path: 'late.txt', content: 'x' } },
        ],
      },
      { signal: controller.signal },
    );
    const outcome = running.then(
      () => 'answered',
      () => 'refused',
    );
    while (ide.sightline.engines.jobs.running.length === 0) await new Promise((done) => setTimeout(done, 20));
    controller.abort();
    expect(await outcome).toBe('refused');
    while (ide.sightline.engines.jobs.running.length > 0) await new Promise((done) => setTimeout(done, 20));
    await agent.data('list_project_files');
    expect(existsSync(join(ide.root, 'late.txt'))).toBe(false);
  });
});
