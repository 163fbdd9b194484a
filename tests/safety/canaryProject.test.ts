import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allTools } from '../../src/tools/registry.ts';
import { testBench, type TestBench } from '../support/sightline.ts';
import { plausibleArguments, type ArgumentHints } from '../support/toolArguments.ts';

/**
 * In a project that nobody trusts, tools that only read execute nothing of it. The project is full of places from which careless
 * programs take code: each leaves a mark when it runs, and after every reading tool was called there must be no mark.
 */
let bench: TestBench;
let marks: string;
let disposeManagers = () => {};

const readers = allTools.filter((tool) => tool.effect === 'read');

beforeAll(async () => {
  const managers = realpathSync(mkdtempSync(join(tmpdir(), 'sightline-managers-')));
  marks = join(managers, 'marks');
  mkdirSync(marks);
  const places = ['.pyenv/shims', '.volta/bin', '.cargo/bin', 'distribution'];
  const path = ['.', '', 'bin', ...places.map((place) => join(managers, place)), process.env['PATH'] ?? ''].join(':');
  bench = await testBench({ inProject: false, env: { PATH: path } });
  // What a version manager starts is chosen by files of the project: in its folder, its
  // stand-ins count as code of the project.
  for (const place of places) {
    mkdirSync(join(managers, place), { recursive: true });
    const names =
      place === 'distribution' || place === '.cargo/bin'
        ? ['rustup', 'rustfmt', 'cargo', 'rust-analyzer']
        : ['python3', 'python', 'ruff', 'black', 'isort', 'gofmt', 'clang-format', 'ty', 'git', 'node', 'npm'];
    for (const name of names) {
      const script = `#!/bin/sh\ncase "$PWD" in ${bench.root}*) touch ${join(marks, `manager-${name}`)};; esac\n`;
      writeFileSync(join(managers, place, name), script, { mode: 0o755 });
    }
  }
  disposeManagers = () => rmSync(managers, { recursive: true, force: true });
  const js = (name: string) =>
    `require('node:fs').writeFileSync(${JSON.stringify(join(marks, name))}, '');\nmodule.exports = {};\n`;
  const esm = (name: string) =>
    `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(join(marks, name))}, '');\nexport default {};\n`;
  const py = (name: string) => `open(${JSON.stringify(join(marks, name))}, 'w').close()\n`;
  const sh = (name: string) => `#!/bin/sh\ntouch ${join(marks, name)}\n`;
  const files: Record<string, string> = {
    'package.json': JSON.stringify({
      name: 'canary',
      main: 'src/app.js',
      scripts: {
        preinstall: `touch ${join(marks, 'preinstall')}`,
        prepare: `touch ${join(marks, 'prepare')}`,
        test: `touch ${join(marks, 'test')}`,
      },
      dependencies: { typescript: '*', left: '1.0.0' },
    }),
    'tsconfig.json': JSON.stringify({ compilerOptions: { plugins: [{ name: 'evil-plugin' }] }, include: ['src'] }),
    'node_modules/evil-plugin/package.json': '{"name": "evil-plugin", "main": "index.js"}',
    'node_modules/evil-plugin/index.js': js('tsserver-plugin'),
    'node_modules/typescript/package.json': '{"name": "typescript", "version": "7.0.0", "bin": {"tsc": "bin/tsc"}}',
    'node_modules/typescript/lib/tsserver.js': js('project-tsserver'),
    'node_modules/typescript/lib/typescript.js': js('project-typescript'),
    'node_modules/typescript/bin/tsc': sh('project-tsc'),
    'node_modules/.bin/tsc': sh('bin-tsc'),
    'node_modules/.bin/rg': sh('bin-rg'),
    'node_modules/.bin/git': sh('bin-git'),
    '.eslintrc.js': js('eslintrc'),
    'eslint.config.mjs': esm('eslint-config'),
    'prettier.config.cjs': js('prettier'),
    'jest.config.js': js('jest'),
    'vitest.config.mjs': esm('vitest'),
    'vite.config.mjs': esm('vite'),
    'babel.config.js': js('babel'),
    'src/app.ts': 'export function main(): number {\n  return 1;\n}\nmain();\n',
    'src/app.js': js('app-js'),
    'pyproject.toml':
      '[project]\nname = "canary"\ndependencies = ["requests"]\n[build-system]\nrequires = ["setuptools"]\n',
    'setup.py': py('setup-py'),
    'conftest.py': py('conftest'),
    'sitecustomize.py': py('sitecustomize'),
    'usercustomize.py': py('usercustomize'),
    'app.py': 'def main():\n    return 1\n',
    '.venv/pyvenv.cfg': 'home = /usr/bin\n',
    '.venv/bin/python': sh('venv-python'),
    '.venv/bin/python3': sh('venv-python3'),
    '.venv/bin/pyright-langserver': sh('venv-pyright'),
    '.venv/lib/python3.11/site-packages/evil.pth': `import os; os.system("touch ${join(marks, 'pth')}")\n`,
    'Cargo.toml': '[package]\nname = "canary"\nversion = "0.1.0"\nbuild = "build.rs"\n[dependencies]\nserde = "1"\n',
    'build.rs': `fn main() { std::fs::write(${JSON.stringify(join(marks, 'build-rs'))}, "").unwrap(); }\n`,
    'rust-toolchain.toml': '[toolchain]\npath = "./toolchain"\n',
    'toolchain/bin/rustc': sh('toolchain'),
    'go.mod': 'module example.org/canary\n\ngo 1.22\n\ntoolchain go9.99.0\n',
    'tools.go': `package canary\n\n//go:generate touch ${join(marks, 'go-generate')}\n`,
    'build.gradle': `new File('${join(marks, 'gradle')}').text = ''\ndependencies { implementation 'a:b:1' }\n`,
    gradlew: sh('gradlew'),
    mvnw: sh('mvnw'),
    'pom.xml': '<project><artifactId>canary</artifactId><dependencies/></project>',
    'CMakeLists.txt': `execute_process(COMMAND touch ${join(marks, 'cmake')})\n`,
    Makefile: `X := $(shell touch ${join(marks, 'make')})\nall:\n`,
    '.envrc': `touch ${join(marks, 'direnv')}\n`,
    '.vscode/tasks.json': JSON.stringify({
      tasks: [
        { label: 'x', type: 'shell', command: `touch ${join(marks, 'task')}`, runOptions: { runOn: 'folderOpen' } },
      ],
    }),
    '.vscode/launch.json': JSON.stringify({
      configurations: [{ name: 'x', type: 'node', request: 'launch', program: 'src/app.js', preLaunchTask: 'x' }],
    }),
    '.sightline.json': JSON.stringify({
      engines: { paths: { git: join(bench.root, 'evil.sh'), typescript: join(bench.root, 'evil.sh') } },
    }),
    'evil.sh': sh('engine-path'),
    git: sh('relative-git'),
    rg: sh('relative-rg'),
    'bin/git': sh('relative-bin-git'),
    'bin/python3': sh('relative-bin-python'),
    python3: sh('relative-python'),
    '.python-version': '../../../outside\n',
    'environment.yml': `name: ../../outside\nprefix: ${join(bench.root, '..', 'outside')}\n`,
    '../outside/bin/python': sh('named-by-the-project'),
    '.ripgreprc': `--pre=${join(bench.root, 'evil.sh')}\n`,
    'hooks/post-checkout': sh('hook'),
    'hooks/fsmonitor': sh('fsmonitor'),
    '.gitattributes': '* filter=evil diff=evil\nsrc/app.ts filter=a=b\n',
    'notes.txt': 'one\n',
    'part/.gitattributes': '* filter=part\n',
    'part/notes.txt': 'one\n',
  };
  for (const [path, content] of Object.entries(files)) bench.write(path, content);
  for (const path of Object.keys(files).filter((name) => files[name]?.startsWith('#!')))
    chmodSync(join(bench.root, path), 0o755);
  const gitIn = (folder: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@x.org', '-c', 'core.hooksPath=/dev/null', ...args], {
      cwd: folder,
      stdio: 'pipe',
    });
  const git = (...args: string[]) => gitIn(bench.root, ...args);
  // A submodule has a configuration of its own, and can ask to be looked into.
  const part = join(bench.root, 'part');
  gitIn(part, 'init', '-q');
  gitIn(part, 'add', '.');
  gitIn(part, 'commit', '-qm', 'part');
  gitIn(part, 'config', 'filter.part.clean', `touch ${join(marks, 'submodule-filter')}; cat`);
  bench.write('part/notes.txt', 'two\n');
  bench.write('.gitmodules', '[submodule "part"]\n\tpath = part\n\turl = ./part\n\tignore = none\n');
  git('init', '-q');
  git('add', '-f', '.');
  git('commit', '-qm', 'everything');
  for (const [key, value] of Object.entries({
    'core.hooksPath': 'hooks',
    'core.fsmonitor': 'hooks/fsmonitor',
    'core.pager': './evil.sh',
    'diff.external': './evil.sh',
    'diff.evil.textconv': './evil.sh',
    'filter.evil.clean': 'sh ./evil.sh; cat',
    'filter.evil.smudge': 'sh ./evil.sh; cat',
    'filter.a=b.clean': `touch ${join(marks, 'filter-with-equals')}; cat`,
    'filter.a=b.process': `touch ${join(marks, 'process-with-equals')}`,
    'submodule.part.ignore': 'none',
    'log.showSignature': 'true',
    'gpg.program': './evil.sh',
  }))
    git('config', key, value);
  bench.write('notes.txt', 'two\n');
  // Of the same length, so that only its content can tell.
  bench.write('src/app.ts', (files['src/app.ts'] ?? '').replace('1', '2'));
});

afterAll(async () => {
  await bench.dispose();
  disposeManagers();
});

test('after every reading tool was called in every plausible way, nothing of the project has run', async () => {
  const hintSets: ArgumentHints[] = [
    { file_path: 'src/app.ts', file: 'src/app.ts', line: 1, column: 17, symbol: 'main', text: 'main', query: 'main' },
    { file_path: 'app.py', file: 'app.py', line: 1, column: 5, symbol: 'main', text: 'main', query: 'main' },
    {
      file_path: 'build.rs',
      file: 'build.rs',
      directory: 'src',
      line: 1,
      column: 4,
      include_transitive: true,
      include_ignored: true,
    },
  ];
  const ran: string[] = [];
  for (const tool of readers) {
    for (const hints of hintSets) {
      for (const withOptional of [false, true]) {
        const args = {
          ...plausibleArguments(tool, { wait_ms: 500, ...hints }, withOptional),
          ...(tool.scope === 'none' ? {} : { project_path: bench.root }),
        };
        const answer = await bench.call(tool.name, args);
        expect(answer.error?.code).not.toBe('internal_error');
        ran.push(`${tool.name}: ${answer.error?.code ?? 'ok'}`);
      }
    }
  }
  expect(bench.sightline.projects.list().map(({ root, trusted }) => ({ root, trusted }))).toEqual([
    { root: bench.root, trusted: false },
  ]);
  for (const file_path of ['app.py', 'build.rs', 'tools.go', 'src/app.ts']) {
    for (const tool of ['format_code', 'optimize_imports'])
      await bench.call(tool, { file_path, project_path: bench.root });
  }
  expect(ran.filter((line) => line.endsWith(': ok')).length).toBeGreaterThan(readers.length);
  expect(readdirSync(marks)).toEqual([]);
  // The traps are armed: an ordinary git walks right into them.
  spawnSync('git', ['status'], { cwd: bench.root });
  expect(readdirSync(marks).sort()).toEqual(expect.arrayContaining(['engine-path', 'process-with-equals']));
  spawnSync('git', ['-c', 'filter.a=b.process=', '-c', 'core.fsmonitor=false', 'diff-files'], { cwd: bench.root });
  expect(readdirSync(marks)).toContain('submodule-filter');
}, 240_000);
