import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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

/** An import, a source map or the name that a program gives its code may point anywhere. */
test('what code points to is not shown either: definitions, references, source maps, names of code, variables of a file', async () => {
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(around, path)), { recursive: true });
    writeFileSync(join(around, path), text);
  };
  const map = (source: string) =>
    JSON.stringify({ version: 3, sources: [source], names: [], mappings: 'AAAA;AACA;AACA' });
  const outside = `${around}-beside`;
  mkdirSync(outside);
  writeFileSync(join(outside, 'cred.json'), '{"token": "TopSecret"}\n');
  put('home/run/info.json', '{"token": "TopSecret"}\n');
  put('home/state/hidden.js', '// TopSecret\n// TopSecret\n// TopSecret\n');
  put('home/run/vars', 'LEAK=TopSecret\n');
  put('tsconfig.json', '{"compilerOptions": {"allowJs": true, "resolveJsonModule": true}}');
  put(
    'use.ts',
    `import a from './home/run/info.json';\nimport b from '${outside}/cred.json';\nexport const c = [a.token, b.token];\n`,
  );
  put('mapped.js', 'let a = 1;\na++;\nthrow new Error(String(a));\n//# sourceMappingURL=mapped.js.map\n');
  put('mapped.js.map', map('home/state/hidden.js'));
  put('pointing.js', 'let a = 1;\nthrow new Error(String(a));\n//# sourceMappingURL=home/run/info.json\n');
  put(
    'named.js',
    `require('vm').runInThisContext('throw new Error("x")', ${JSON.stringify(join(around, 'home/state/hidden.js'))});\n`,
  );
  put('env.js', 'console.log(process.env.LEAK, 1);\n');
  const envFile = '${workspaceFolder}/home/run/vars';
  const configuration = { name: 'env', type: 'node', request: 'launch', program: '${workspaceFolder}/env.js', envFile };
  put('.vscode/launch.json', JSON.stringify({ version: '0.2.0', configurations: [configuration] }));
  const client = bench.connect({ cwd: around });
  const at = { file: 'use.ts', line: 3 };
  const calls: [string, Record<string, unknown>][] = [
    ...['a.token', 'b.token'].flatMap((text): [string, Record<string, unknown>][] =>
      ['ide_find_definition', 'ide_find_references', 'ide_inspect_symbol', 'get_documentation'].map((tool) => [
        tool,
        { ...at, text },
      ]),
    ),
    ...['mapped.js', 'pointing.js', 'named.js'].map((program): [string, Record<string, unknown>] => [
      'debug_probe',
      { program },
    ]),
    ['run_configuration', { name: 'env', wait_ms: 10_000 }],
    ['search_text', { pattern: 'TopSecre', globs: ['home/**'] }],
  ];
  for (const [tool, args] of calls) {
    const { text, data, error } = await bench.sightline.backend.callTool({
      tool,
      args: { ...args, project_path: around },
      client,
    });
    const shown = JSON.stringify([text, data, error]);
    expect([tool, args, shown.includes('TopSecret')]).toEqual([tool, args, false]);
    // Each of them has really been carried out; a program is not started without the environment it was to have.
    const expected = tool === 'run_configuration' ? 'launch_failed' : '';
    expect([tool, args, error?.code ?? '']).toEqual([tool, args, expected]);
  }
  rmSync(outside, { recursive: true });
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
