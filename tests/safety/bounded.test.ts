import { readdirSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { allTools } from '../../src/tools/registry.ts';
import { testBench, type TestBench } from '../support/sightline.ts';
import { plausibleArguments } from '../support/toolArguments.ts';

/** Thousands of calls leave memory, file descriptors and handles as they were. */
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function openFiles(): number {
  return readdirSync('/proc/self/fd').length;
}

function heapMegabytes(): number {
  collect();
  collect();
  return process.memoryUsage().heapUsed / 1_000_000;
}

test('5,000 mixed calls leave nothing behind', async () => {
  const bench = await testBench({
    files: { 'package.json': '{"name": "x"}', 'notes.txt': 'one\ntwo\n', 'big.txt': 'line\n'.repeat(5000) },
    env: { SIGHTLINE_HISTORY_MAX_ENTRIES: '50' },
  });
  try {
    const cheap = [
      'read_file',
      'list_debug_sessions',
      'list_breakpoints',
      'get_notifications',
      'sightline_tools',
      'list_changes',
      'read_ide_log',
    ];
    const dear = ['list_project_files', 'get_project_info', 'ide_project_structure', 'ide_list_dependencies'];
    await round(bench, [...cheap, ...dear], 1);
    await round(bench, cheap, 70);
    const before = { heap: heapMegabytes(), files: openFiles(), handles: process.getActiveResourcesInfo().length };
    await round(bench, cheap, 700);
    await round(bench, dear, 25);
    const after = { heap: heapMegabytes(), files: openFiles(), handles: process.getActiveResourcesInfo().length };
    expect(after.files - before.files).toBeLessThanOrEqual(3);
    expect(after.handles - before.handles).toBeLessThanOrEqual(3);
    expect(after.heap - before.heap).toBeLessThan(15);
  } finally {
    await bench.dispose();
  }
}, 300_000);

/** Each tool in turn, answered or refused, many times over. */
async function round(bench: TestBench, names: readonly string[], times: number): Promise<void> {
  const tools = allTools.filter((tool) => names.includes(tool.name));
  expect(tools).toHaveLength(names.length);
  for (let index = 0; index < times; index++) {
    for (const tool of tools) {
      const args = plausibleArguments(
        tool,
        { file_path: index % 3 === 0 ? 'none.txt' : index % 2 === 0 ? 'big.txt' : 'notes.txt' },
        true,
      );
      const answer = await bench.call(tool.name, args);
      expect(answer.error?.code).not.toBe('internal_error');
    }
  }
}
