import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonSchema } from '../../src/tools/defineTool.ts';
import { allTools } from '../../src/tools/registry.ts';
import { testBench, type TestBench } from '../support/sightline.ts';
import { plausibleArguments, type ArgumentHints } from '../support/toolArguments.ts';

/** Tools whose purpose is a shell. Everything else passes arguments as lists, and nothing in them is ever interpreted. */
const shells = new Set(['run_command', 'run_in_terminal', 'write_terminal_input']);

const hints: ArgumentHints = {
  file_path: 'src/app.ts',
  file: 'src/app.ts',
  program: 'src/run.js',
  line: 1,
  column: 1,
  wait_ms: 200,
  name: 'start',
};

let bench: TestBench;
let canary: string;

beforeAll(async () => {
  bench = await testBench({
    files: {
      'package.json': '{"name": "victim", "scripts": {"start": "node src/run.js"}}',
      'src/app.ts': 'export const a = 1;\n',
      'src/run.js': 'console.log(1);\n',
      'test_app.py': 'def test_a():\n    pass\n',
    },
    env: { SIGHTLINE_POLICY_DESTRUCTIVE: 'deny' },
  });
  canary = join(bench.root, '..', 'canary');
});

afterAll(() => bench.dispose());

interface StringPlace {
  parameter: string;
  put(text: string): unknown;
}

function stringPlaces(schema: JsonSchema): StringPlace[] {
  return Object.entries(schema.properties ?? {}).flatMap(([parameter, inner]): StringPlace[] => {
    if (inner.enum !== undefined) return [];
    if (inner.type === 'string') return [{ parameter, put: (text: string) => text }];
    if (inner.type === 'array' && inner.items?.type === 'string') return [{ parameter, put: (text: string) => [text] }];
    if (inner.type === 'object' && inner.properties === undefined)
      return [{ parameter, put: (text: string) => ({ X: text, [text]: 'x' }) }];
    return [];
  });
}

const tools = allTools.filter((tool) => !shells.has(tool.name) && stringPlaces(tool.inputSchema).length > 0);

describe.each(tools.map((tool) => [tool.name, tool] as const))('%s', (name, tool) => {
  test('no text it takes reaches a shell', async () => {
    const payloads = [`x; touch ${canary} #`, `$(touch ${canary})\n\`touch ${canary}\``, `'"; touch ${canary}; "'`];
    const ran: string[] = [];
    for (const place of stringPlaces(tool.inputSchema)) {
      for (const payload of payloads) {
        const args = { ...plausibleArguments(tool, hints, false), [place.parameter]: place.put(payload) };
        const wait = tool.inputSchema.properties?.['wait_ms'] === undefined ? {} : { wait_ms: 200 };
        const answer = await bench.call(name, { ...args, ...wait });
        if (existsSync(canary)) ran.push(`${place.parameter}: ${payload}`);
        expect(answer.error?.code).not.toBe('internal_error');
      }
    }
    expect(ran).toEqual([]);
  });
});
