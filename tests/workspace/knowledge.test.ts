import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSightline, type RunningSightline, type TestClient } from '../harness/harness.ts';

const readme = `<p align="center"><img src="logo.svg"/></p>
<h1 align="center">parts</h1>

[![badge](https://example.test/a.svg)](https://example.test)

Parts takes things to pieces, carefully and in the right order.

## Install

\`\`\`sh
# not a heading
npm install parts
\`\`\`

## Taking apart

Call \`apart(thing)\`; it gives a list of pieces.
`;

let ide: RunningSightline;
let agent: TestClient;
let reader: TestClient;

beforeAll(async () => {
  ide = await startSightline({
    project: {
      'package.json':
        '{"name": "shop", "type": "module", "packageManager": "pnpm@9.1.0+sha512.abc", "engines": {"node": ">=20"}, "workspaces": ["packages/*"], "dependencies": {"parts": "^1.0.0", "react": "^19.0.0"}, "devDependencies": {"vitest": "^4.0.0"}, "scripts": {"test": "vitest run"}}',
      'packages/api/package.json':
        '{"name": "api", "dependencies": {"fastify": "5.0.0"}, "scripts": {"test": "node --test"}}',
      'packages/api/a.test.js': "require('node:test');\n",
      'tsconfig.json': '{"compilerOptions": {"module": "nodenext", "types": [], "strict": true}, "include": ["*.ts"]}',
      'a.ts':
        "import { apart } from 'parts';\n/** Sells. */\nexport function sell(n: number): number {\n  return n;\n}\napart(sell(1));\n",
      'pyproject.toml':
        '[project]\nname = "tools"\nversion = "1"\nrequires-python = ">=3.9"\ndependencies = ["django>=5", "attrs"]\n',
      'tests/conftest.py': '',
      'tests/test_a.py': 'def test_a(): pass\n',
      'node_modules/parts/package.json':
        '{"name": "parts", "version": "1.4.2", "types": "index.d.ts", "main": "index.js", "description": "Takes apart."}',
      'node_modules/parts/index.d.ts':
        '/** Takes a thing to pieces. */\nexport declare function apart(thing: unknown): string[];\n',
      'node_modules/parts/index.js': 'exports.apart = () => [];\n',
      'node_modules/parts/README.md': readme,
      '.venv/lib/python3.11/site-packages/attrs-25.1.0.dist-info/METADATA':
        'Metadata-Version: 2.1\nName: attrs\nVersion: 25.1.0\nSummary: Classes Without Boilerplate\n\n# attrs\n\n*attrs* brings back the joy of writing classes by relieving you.\n\n## Slots\n\nUse slots=True.\n',
      'node_modules/linked/package.json': '{"name": "linked", "version": "1.0.0"}',
    },
  });
  writeFileSync(join(ide.home, 'secret.md'), '# Secret\n\nNobody may read this text, whoever asks for it.\n');
  symlinkSync(join(ide.home, 'secret.md'), join(ide.root, 'node_modules/linked/README.md'));
  agent = await ide.connect({ face: 'workspace' });
  reader = await ide.connect({ face: 'all' });
});
afterAll(() => ide.dispose());

describe('get_documentation', () => {
  it('tells signature, comment and installed version of a symbol', async () => {
    const own = await agent.data('get_documentation', { symbol: 'sell' });
    expect(own).toMatchObject({ documentation: 'Sells.', file: 'a.ts', line: 3 });
    expect(own['library']).toBeUndefined();
    const place = { file: 'a.ts', line: 6, text: 'apart' };
    expect(await agent.data('get_documentation', place)).toMatchObject({
      symbol: 'apart',
      documentation: 'Takes a thing to pieces.',
      library: { name: 'parts', version: '1.4.2' },
    });
    expect(await reader.text('get_documentation', place)).toContain('(parts 1.4.2)');
  });

  it('tells what a library says of itself, by topic', async () => {
    const whole = await agent.data('get_documentation', { library: 'parts' });
    expect(whole).toMatchObject({
      library: { name: 'parts', version: '1.4.2', summary: 'Takes apart.' },
      section: { heading: 'parts', text: 'Parts takes things to pieces, carefully and in the right order.' },
      headings: ['parts', 'Install', 'Taking apart'],
      file: 'node_modules/parts/README.md',
    });
    const topic = await agent.data('get_documentation', { library: 'parts', topic: 'pieces' });
    expect(topic['section']).toMatchObject({ heading: 'parts' });
    expect(await reader.text('get_documentation', { library: 'parts', topic: 'install' })).toContain(
      'npm install parts',
    );
    expect(await agent.data('get_documentation', { library: 'pypi:attrs', topic: 'slots' })).toMatchObject({
      library: { name: 'attrs', version: '25.1.0' },
      section: { text: 'Use slots=True.' },
    });
  });

  it.each([
    ['a topic it does not have', { library: 'parts', topic: 'quantum' }, 'text_not_found', 'nothing of "quantum"'],
    ['a library that is not installed', { library: 'react' }, 'file_not_found', 'not installed'],
    ['a library nobody names', { library: 'unheard' }, 'invalid_arguments', 'No manifest'],
    ['a name that climbs', { library: 'npm:../..' }, 'invalid_arguments', 'no name'],
    ['a library and a symbol', { library: 'parts', symbol: 'x' }, 'invalid_arguments', 'either'],
    ['a topic alone', { topic: 'x' }, 'invalid_arguments', 'README'],
  ])('refuses %s', async (_what, args, code, says) => {
    const { error } = await agent.call('get_documentation', args);
    expect(error?.name).toBe(code);
    expect(error?.message).toContain(says);
  });

  it('follows no link in the place of a README', async () => {
    const { text } = await agent.call('get_documentation', { library: 'npm:linked' });
    expect(text).not.toContain('Nobody may read');
    expect(text).toContain('1.0.0');
  });
});

describe('bad input', () => {
  it.each([
    ['read_ide_log', { lines: 0 }],
    ['read_ide_log', { level: 'loud' }],
    ['get_notifications', { level: 'loud' }],
    ['get_notifications', { limit: 'many' }],
    ['list_project_files', { offset: -1 }],
    ['list_project_files', { glob: [{}] }],
  ])('%s %j is refused with what it takes', async (tool, args) => {
    const { error } = await agent.call(tool, args);
    expect(error).toMatchObject({ name: 'invalid_arguments', hint: expect.stringContaining('It takes') });
  });

  it.each([
    [{ directory: '../..' }, 'path_outside_project'],
    [{ directory: 'none' }, 'file_not_found'],
  ])('list_project_files %j is refused', async (args, code) => {
    expect((await agent.call('list_project_files', args)).error?.name).toBe(code);
  });

  it('list_project_files of a file names that file', async () => {
    expect(await agent.data('list_project_files', { directory: 'a.ts' })).toMatchObject({ files: ['a.ts'], total: 1 });
  });
});

describe('get_project_info', () => {
  it('tells what the project is made of and what is there for it', async () => {
    const info = await agent.data('get_project_info');
    expect(info).toMatchObject({
      packageManagers: ['pnpm@9.1.0', 'pip'],
      frameworks: expect.arrayContaining([
        { name: 'React', version: '^19.0.0' },
        { name: 'Fastify', version: '5.0.0' },
        { name: 'Django', version: '>=5' },
      ]),
      testRunners: [
        { runner: 'vitest', path: '.' },
        { runner: 'pytest', path: '.', why: 'tests/conftest.py is there' },
        { runner: 'node:test', path: 'packages/api' },
      ],
      runtimes: expect.arrayContaining([{ runtime: 'node', version: '>=20', source: 'package.json' }]),
      engines: expect.arrayContaining([
        expect.objectContaining({ name: 'node', role: 'runtime', state: 'found', version: expect.any(String) }),
        expect.objectContaining({ role: 'language server', state: expect.any(String) }),
      ]),
    });
    const text = await reader.text('get_project_info');
    expect(text.split('\n').length).toBeLessThan(25);
    expect(text).toMatch(/^tests: vitest \(.*\), pytest \(.*\), node:test in packages\/api/m);
    expect(text).toMatch(/^runtimes: node \d/m);
  });

  it('takes no arguments but the project', async () => {
    expect((await agent.call('get_project_info', { nonsense: 1 })).error?.name).toBe('invalid_arguments');
  });
});
