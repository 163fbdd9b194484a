import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fortranTools, pythonEnvironment } from '../harness/foreignTool.ts';
import { type RunningSightline, startSightline, type TestClient } from '../harness/harness.ts';

describe('languages that only the settings name', { timeout: 120_000 }, () => {
  let ide: RunningSightline;
  let agent: TestClient;
  let languages: object;
  beforeAll(async () => {
    const tools = await pythonEnvironment('/usr/bin/python3', 'fortran', fortranTools);
    ide = await startSightline({ project: join(import.meta.dirname, 'projects/configured') });
    languages = {
      fortran: {
        extensions: ['.f90'],
        server: { command: [join(tools, 'bin/fortls')] },
        debugger: {
          command: [join(tools, 'bin/gdb'), '-nx', '-q', '-iex', 'set debuginfod enabled off', '-i=dap'],
          build: ['gfortran', '-g', '-O0', '-J', '/tmp', '-o', '${binary}', '${program}'],
        },
      },
      ruby: {
        extensions: ['.rb'],
        debugger: {
          command: ['rdbg3.1', '--open', '--host', '127.0.0.1', '--port', '${port}', '--', '${program}', '${args}'],
          transport: { listens: 'via TCP/IP \\(\\S+:(\\d+)\\)\\s[^]*wait for debugger' },
          request: 'attach',
          arguments: { localfs: true },
          stopsAtEntry: true,
          sharesOutput: true,
        },
      },
    };
    writeFileSync(join(ide.root, '.sightline.json'), JSON.stringify({ languages }));
    agent = await ide.connect({ face: 'debugger' });
  }, 240_000);
  afterAll(() => ide.dispose());

  it('Fortran: compiled, stopped under a condition, references from its server', async () => {
    const stop = await agent.data('start_debug_session', {
      program: 'stats.f90',
      breakpoints: [{ file: 'stats.f90', line: 9, condition: 'i == 3' }],
      wait_ms: 30_000,
    });
    expect(stop).toMatchObject({ state: 'paused', stop: { reason: 'breakpoint', location: { line: 9 } } });
    expect(JSON.stringify(stop)).toMatch(/"name":"i","value":"3"/);
    expect(await agent.data('evaluate_expression', { expression: 'average' })).toMatchObject({
      result: { value: expect.stringMatching(/^3/) },
    });
    await agent.data('stop_debug_session');
    const index = await ide.connect({ face: 'index', output: 'text' });
    const found = await index.text('find_references', { file: 'stats.f90', line: 3, text: 'function mean' });
    expect(found).toContain('20: m = mean(numbers)');
  });

  it('Ruby: attached to by its own port, past its entry, to the line that was asked for', async () => {
    const stop = await agent.data('start_debug_session', {
      program: 'totals.rb',
      breakpoints: [{ file: 'totals.rb', line: 6 }],
      wait_ms: 30_000,
    });
    expect(stop).toMatchObject({ state: 'paused', stop: { location: { line: 6 } } });
    expect(JSON.stringify(stop)).toContain('"name":"sum","value":"12"');
    const end = await agent.data('resume_execution', { wait_ms: 20_000 });
    expect(end).toMatchObject({ state: 'stopped' });
    expect(end['output']).toContain('total 12');
  });
});
