import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomToken } from '../../src/base/ids.ts';
import { allTools } from '../../src/tools/registry.ts';
import { testBench, type TestBench } from '../support/sightline.ts';
import { argumentsWith } from '../support/toolArguments.ts';

/** Sightline's own folders lie below the root of this project, as they would below a root that somebody chose for that. */
let bench: TestBench;
let around: string;
const secret = 'class TopSecret: pass\n';
const places = ['home/config/other.py', 'home/state/trust.py', 'home/run/process.py', 'home/cache/engines/x/y.py'];

beforeAll(async () => {
  bench = await testBench({
    files: { 'package.json': '{}', 'app.js': 'console.log(JSON.stringify(process.env));\n' },
    // The person's home lies elsewhere: what holds that is never a project.
    env: { HOME: join(tmpdir(), 'nobody') },
  });
  around = dirname(bench.root);
  writeFileSync(join(around, 'package.json'), '{}');
  writeFileSync(join(around, 'open.py'), 'class TopOpen: pass\n');
  for (const place of places) {
    mkdirSync(dirname(join(around, place)), { recursive: true });
    writeFileSync(join(around, place), secret);
    writeFileSync(join(dirname(join(around, place)), 'package.json'), '{}');
  }
  symlinkSync(join(around, 'home/state'), join(around, 'link'));
});

afterAll(() => bench.dispose());

const parameters = allTools.flatMap((tool) =>
  Object.keys(tool.paths ?? {}).map((place) => [`${tool.name} ${place}`, tool, place] as const),
);

describe.each(parameters)('%s', (_title, tool, place) => {
  test('reaches nothing of its own', async () => {
    const paths = [...places, 'link/trust.py', join(around, 'home/run/process.py'), 'home/state', 'home/state/new.py'];
    for (const path of paths) {
      const answer = await bench.call(tool.name, { ...argumentsWith(tool, place, path), project_path: around });
      expect([path, answer.error?.code]).toEqual([path, 'path_outside_project']);
      expect(answer.text).not.toContain('TopSecret');
    }
    for (const path of places) expect(readFileSync(join(around, path), 'utf8')).toBe(secret);
    expect(readdirSync(join(around, 'home/state'))).not.toContain('new.py');
  });
});

test('none of its folders is a project, and no list or search goes into them', async () => {
  for (const folder of ['home/state', 'home/config', 'home/run', 'home/cache/engines/x', 'link']) {
    const answer = await bench.call('get_project_info', { project_path: join(around, folder) });
    expect([folder, answer.error?.code]).toEqual([folder, 'path_outside_project']);
  }
  const list = { project_path: around, include_ignored: true, limit: 5000, glob: ['**/*.py', '**/*.json'] };
  const { files } = (await bench.data('list_project_files', list)) as { files: string[] };
  expect(files.filter((file) => file.startsWith('home/'))).toEqual([]);
  expect(files).toContain('open.py');
  const found = await bench.call('search_symbols', { query: 'Top', project_path: around });
  expect(found.text).toContain('TopOpen');
  expect(found.text).not.toContain('TopSecret');
});

test('no answer carries a token, whatever a program prints', async () => {
  const token = randomToken();
  bench.sightline.redactor.add(token);
  bench.write('token.js', `console.log(${JSON.stringify(token)}); throw new Error(${JSON.stringify(token)});\n`);
  const answers = [
    await bench.call('debug_probe', { program: 'token.js' }),
    await bench.call('debug_probe', { program: 'app.js' }),
    await bench.call('read_file', { file_path: 'token.js' }),
    await bench.call('read_file', { file_path: `${token}.txt` }),
  ];
  for (const answer of answers) {
    const whole = JSON.stringify([answer.text, answer.data, answer.error]);
    expect(whole).not.toContain(token);
    expect(whole).not.toMatch(/run-\d+-\d+-\d+_/);
    expect(whole).toContain('[redacted]');
  }
});
