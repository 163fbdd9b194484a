import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unpack } from '../../src/engine/workspace/sources/unpack.ts';
import {
  removeDirectory,
  startSightline,
  temporaryDirectory,
  type RunningSightline,
  type TestClient,
} from '../harness/harness.ts';

const map = JSON.stringify({
  version: 3,
  file: 'index.js',
  sources: ['../src/index.ts', '../../../../outside.ts', 'webpack://mapped/./src/deep/a.ts'],
  sourcesContent: ['export const answer: number = 42;\n', 'climbs\n', 'deep\n'],
  names: [],
  mappings: 'AAAA',
});

let ide: RunningSightline;
let agent: TestClient;
let cache: string;

beforeAll(async () => {
  cache = await temporaryDirectory('sources');
  ide = await startSightline({
    project: {
      'package.json': '{"name": "app", "dependencies": {"mapped": "^1.0.0"}}',
      'tsconfig.json': '{"compilerOptions": {"module": "nodenext", "types": []}, "include": ["*.ts"]}',
      'a.ts': "import { answer } from 'mapped';\nconsole.log(answer);\n",
      'node_modules/mapped/package.json':
        '{"name": "mapped", "version": "1.2.3", "main": "dist/index.js", "types": "dist/index.d.ts", "repository": {"url": "git+https://example.test/mapped.git"}}',
      'node_modules/mapped/dist/index.js': 'exports.answer = 42;\n//# sourceMappingURL=index.js.map\n',
      'node_modules/mapped/dist/index.d.ts': 'export declare const answer: number;\n',
      'node_modules/mapped/dist/index.js.map': map,
      'node_modules/plain/package.json': '{"name": "plain", "version": "2.0.0"}',
      'node_modules/plain/index.js': 'module.exports = 1;\n',
      'requirements.txt': 'six==1.16.0\n',
      'Cargo.toml': '[package]\nname = "app"\nversion = "0.1.0"\n[dependencies]\nitoa = "1"\n',
      'Cargo.lock': '[[package]]\nname = "itoa"\nversion = "1.0.9"\nsource = "registry+x"\n',
      'go.mod': 'module app\n\ngo 1.20\n\nrequire github.com/pkg/errors v0.9.1\n',
      'pom.xml':
        '<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>b</artifactId><version>1</version><dependencies><dependency><groupId>org.opentest4j</groupId><artifactId>opentest4j</artifactId><version>1.3.0</version></dependency></dependencies></project>',
    },
    env: {
      SIGHTLINE_CACHE: join(cache, 'cache'),
      GOMODCACHE: join(cache, 'go'),
      GOFLAGS: '-modcacherw',
      CARGO_HOME: join(cache, 'cargo'),
    },
  });
  agent = await ide.connect({ face: 'workspace' });
});

afterAll(async () => {
  await ide.dispose();
  await removeDirectory(cache);
});

describe('sources of a package', () => {
  it('of npm come from the source maps that are installed, and can be read and searched', async () => {
    const found = await agent.data('download_sources', { package: 'mapped' });
    expect(found).toMatchObject({
      registry: 'npm',
      version: '1.2.3',
      kind: 'source maps',
      files: 3,
      entries: ['outside.ts', 'src/'],
      installedAt: 'node_modules/mapped',
      repository: 'git+https://example.test/mapped.git',
    });
    const path = String(found['path']);
    expect(await agent.data('read_file', { file_path: `${path}/src/index.ts` })).toMatchObject({
      content: 'export const answer: number = 42;\n',
    });
    const hits = await agent.data('search_text', { pattern: 'answer', path });
    expect(hits).toMatchObject({ totalCount: 1, matches: [{ file: `${path}/src/index.ts`, line: 1 }] });
    // What was read is known to the language server from then on.
    const definition = await agent.data('get_documentation', { symbol: 'answer' });
    expect(definition).toMatchObject({ file: `${path}/src/index.ts`, signature: 'const answer: number' });
    expect(await agent.data('list_project_files', { directory: path })).toMatchObject({
      files: ['outside.ts', 'src/deep/a.ts', 'src/index.ts'],
      below: path,
    });
    const bySymbol = await agent.data('download_sources', { symbol: 'answer' });
    expect(bySymbol).toMatchObject({ package: 'mapped', path });
  });

  it('can be stopped in, although the package came without them', async () => {
    const { code, map: built } = await transform(
      'export function twice(n: number): number {\n  const doubled: number = n * 2;\n  return doubled;\n}\n',
      {
        loader: 'ts',
        format: 'cjs',
        sourcemap: 'external',
        sourcefile: '../src/twice.ts',
        minify: true,
      },
    );
    const folder = join(ide.root, 'node_modules/small');
    mkdirSync(join(folder, 'dist'), { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"name": "small", "version": "3.0.0", "main": "dist/twice.js"}');
    writeFileSync(join(folder, 'dist/twice.js'), `${code}//# sourceMappingURL=twice.js.map\n`);
    writeFileSync(join(folder, 'dist/twice.js.map'), built);
    writeFileSync(join(ide.root, 'main.js'), "console.log(require('small').twice(21));\n");
    const { path } = await agent.data('download_sources', { package: 'npm:small' });
    const file = `${String(path)}/src/twice.ts`;
    const probe = { program: 'main.js', breakpoints: [{ file, line: 3, expressions: ['n'] }] };
    const { text } = await agent.call('debug_probe', probe);
    expect(text).toContain('21');
    expect(text).toContain('return doubled');
    expect(text).toContain('npm/small@3.0.0/src/twice.ts');
  });

  it('cannot be written, and the cache around them stays closed', async () => {
    const { path } = await agent.data('download_sources', { package: 'mapped' });
    const file = `${String(path)}/src/index.ts`;
    for (const [tool, args] of [
      ['write_file', { file_path: file, content: 'x' }],
      ['edit_file', { file_path: file, old_text: '42', new_text: '43' }],
      ['read_file', { file_path: join(cache, 'cache', 'secret.txt') }],
      ['search_text', { pattern: 'x', path: join(cache, 'cache') }],
    ] as const) {
      mkdirSync(join(cache, 'cache'), { recursive: true });
      writeFileSync(join(cache, 'cache', 'secret.txt'), 'secret');
      expect((await agent.call(tool, args)).error?.name, tool).toBe('path_outside_project');
    }
  });

  it('without source maps are what is installed, and another version is fetched', async () => {
    const plain = await agent.data('download_sources', { package: 'npm:plain' });
    expect(plain).toMatchObject({ kind: 'package', path: 'node_modules/plain', files: 2 });
    expect(plain['remarks']).toEqual([expect.stringContaining('no source maps')]);
    const other = await agent.data('download_sources', { package: 'npm:left-pad', version: '1.3.0' });
    expect(other).toMatchObject({ version: '1.3.0', kind: 'package' });
    expect(other['entries']).toContain('index.js');
  });

  it.each([
    ['six', { registry: 'pypi', version: '1.16.0', kind: 'sdist' }, 'six.py', 'class Module_six_moves_urllib'],
    ['itoa', { registry: 'crates', version: '1.0.9', kind: 'crate' }, 'src/lib.rs', 'pub struct Buffer'],
    ['github.com/pkg/errors', { registry: 'go', version: 'v0.9.1', kind: 'module' }, 'errors.go', 'func Wrap('],
    [
      'org.opentest4j:opentest4j',
      { registry: 'maven', version: '1.3.0', kind: 'sources jar' },
      'org/opentest4j/ValueWrapper.java',
      'class ValueWrapper',
    ],
  ])('%s is fetched in the version that the project uses', async (name, expected, file, text) => {
    const found = await agent.data('download_sources', { package: name });
    expect(found).toMatchObject(expected);
    const read = { file_path: `${String(found['path'])}/${file}`, max_chars: 100_000 };
    expect((await agent.data('read_file', read))['content']).toContain(text);
    const again = await agent.data('download_sources', { package: name });
    expect(again['path']).toBe(found['path']);
  });

  it.each([
    ['neither package nor symbol', {}, 'invalid_arguments', 'either package or symbol'],
    ['both', { package: 'six', symbol: 'x' }, 'invalid_arguments', 'either package or symbol'],
    ['a name nobody knows', { package: 'unheard' }, 'invalid_arguments', 'No manifest'],
    ['a name that climbs', { package: 'npm:../../etc' }, 'invalid_arguments', 'no name and version'],
    ['an option for a name', { package: 'go:-modfile=/x' }, 'invalid_arguments', 'no name and version'],
    ['a version that climbs', { package: 'npm:mapped', version: '../1' }, 'invalid_arguments', 'no name and version'],
    ['a release that is not there', { package: 'pypi:six', version: '99.0' }, 'file_not_found', 'no source archive'],
    ['an artifact that is not there', { package: 'maven:a.b:none', version: '1' }, 'file_not_found', 'no sources jar'],
    ['a symbol of the project', { symbol: 'nowhere_to_be_found' }, 'symbol_not_found', 'nowhere'],
  ])('%s is refused', async (_what, args, code, says) => {
    const { error } = await agent.call('download_sources', args);
    expect(error?.name).toBe(code);
    expect(error?.message).toContain(says);
  });
});

it('an archive can only make plain files below its folder', async () => {
  const folder = await temporaryDirectory('unpack');
  const long = `p/${'deep/'.repeat(30)}long.txt`;
  const pax = `path=${long}\n`;
  const archive = gzipSync(
    Buffer.concat([
      member('p/good.txt', 'good'),
      member('p/good.txt', 'again'),
      member('../evil.txt', 'evil'),
      member('/tmp/evil.txt', 'evil'),
      member('p/../../evil.txt', 'evil'),
      member('p/link', '', '2', '/etc/passwd'),
      member('p/link/inside.txt', 'through a link'),
      member('p/good.txt/below.txt', 'below a file'),
      member('pax', `${pax.length + 4} ${pax}`, 'x'),
      member('short', 'long name'),
      Buffer.alloc(1024),
    ]),
  );
  const count = await unpack(archive, 'x.tar.gz', folder);
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => `${entry.isSymbolicLink() ? 'LINK ' : ''}${entry.name}`);
  expect(names.sort()).toEqual(['good.txt', 'inside.txt', 'long.txt']);
  expect(count).toBe(3);
  await removeDirectory(folder);
  const bomb = gzipSync(Buffer.alloc(130 * 1024 * 1024));
  await expect(unpack(bomb, 'bomb.tar.gz', folder)).rejects.toThrow(/at most/);
});

function member(name: string, content: string, type = '0', link = ''): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0, 100);
  header.write('0000644\0', 100);
  header.write(`${Buffer.byteLength(content).toString(8).padStart(11, '0')}\0`, 124);
  header.write(type, 156);
  header.write(link, 157, 100);
  header.write('ustar\0', 257);
  const body = Buffer.alloc(Math.ceil(Buffer.byteLength(content) / 512) * 512);
  body.write(content);
  return Buffer.concat([header, body]);
}
