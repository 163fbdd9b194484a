import { basename, dirname, join } from 'node:path';
import { listFiles } from '../fileListing.ts';
import type { Project } from '../project.ts';
import type { Draft, LaunchPlan } from './model.ts';
import { asRecord, asText, parseJsonObject, projectText } from './projectText.ts';

/** A folder of scripts has many files that could be started; the first ones stand for it. */
const maxMainFiles = 20;
/** Beyond this many test files the project's runner is taken to run them. */
const maxTestFilesRead = 200;

interface Detected {
  drafts: Draft[];
  /** package.json files of the project and its workspaces. */
  manifests: string[];
}

/** What can be told from the files alone: programs to start and tests to run. */
export async function detected(project: Project, signal?: AbortSignal): Promise<Detected> {
  const { files } = await listFiles(project, {
    globs: ['!**/node_modules/**', '!**/.venv/**', '!**/vendor/**'],
    signal,
  });
  const manifests = files.filter((file) => basename(file) === 'package.json').filter((file) => depth(file) <= 3);
  const has = new Set(files);
  const root = project.root;
  const mains = [...(await nodeMains(root, has)), ...(await pythonMains(root, files)), ...(await goMains(root, files))];
  const suites = await testSuites(root, files, has);
  const testFiles = await testFileDrafts(root, files, has);
  return {
    drafts: [...mains.slice(0, maxMainFiles), ...suites, ...testFiles],
    manifests: manifests.slice(0, 50),
  };
}

async function nodeMains(root: string, has: ReadonlySet<string>): Promise<Draft[]> {
  const text = await projectText(root, 'package.json');
  const manifest = text === undefined ? {} : parseJsonObject(text, 'package.json').value;
  const bin = manifest['bin'];
  const declared = [asText(manifest['main']), asText(bin), ...Object.values(asRecord(bin) ?? {}).map(asText)];
  const usual = ['index', 'main', 'app', 'server', 'cli'].flatMap((name) =>
    ['js', 'mjs', 'cjs', 'ts'].flatMap((ending) => [`${name}.${ending}`, `src/${name}.${ending}`]),
  );
  const wanted = [...declared, ...usual].filter((file) => file !== undefined).map((file) => file.replace(/^\.\//, ''));
  return [...new Set(wanted)]
    .filter((file) => has.has(file) && !file.endsWith('.d.ts'))
    .map((file) =>
      draft(file, 'Node.js', 'node', { ...plan('node', root), form: 'program', program: join(root, file) }),
    );
}

async function pythonMains(root: string, files: readonly string[]): Promise<Draft[]> {
  const drafts: Draft[] = [];
  const candidates = files
    .filter((file) => file.endsWith('.py') && depth(file) <= 3 && !isPythonTest(file))
    .slice(0, 300);
  for (const file of candidates) {
    if (basename(file) === '__main__.py' && dirname(file) !== '.') {
      const folder = dirname(file).replace(/^src\//, '');
      const module = folder.replaceAll('/', '.');
      const env: Record<string, string> = file.startsWith('src/') ? { PYTHONPATH: join(root, 'src') } : {};
      drafts.push(
        draft(`python -m ${module}`, 'Python', 'python', { ...plan('python', root), env, form: 'module', module }),
      );
      continue;
    }
    const text = await projectText(root, file);
    if (text === undefined || !/^if\s+__name__\s*==\s*['"]__main__['"]/m.test(text)) continue;
    const base: LaunchPlan = { ...plan('python', root), form: 'program', program: join(root, file) };
    if (basename(file) !== 'manage.py') drafts.push(draft(file, 'Python', 'python', base));
    else
      drafts.push(
        draft(`${file} runserver`, 'Django server', 'django', {
          ...base,
          args: ['runserver'],
          extra: { django: true },
        }),
      );
  }
  return drafts;
}

async function goMains(root: string, files: readonly string[]): Promise<Draft[]> {
  const drafts: Draft[] = [];
  for (const file of files.filter((each) => basename(each) === 'main.go')) {
    const text = await projectText(root, file);
    if (text === undefined || !/^package main\b/m.test(text)) continue;
    const folder = dirname(file);
    const shown = folder === '.' ? 'go run .' : `go run ./${folder}`;
    drafts.push(
      draft(shown, 'Go', 'go', {
        ...plan('go', root),
        form: 'program',
        program: join(root, folder),
        extra: { mode: 'debug' },
      }),
    );
  }
  return drafts;
}

async function testSuites(root: string, files: readonly string[], has: ReadonlySet<string>): Promise<Draft[]> {
  const drafts: Draft[] = [];
  if (files.some(isPythonTest)) {
    drafts.push(
      testDraft('pytest', 'Python tests', 'pytest', { ...plan('python', root), form: 'module', module: 'pytest' }),
    );
  }
  if (has.has('go.mod') && files.some((file) => file.endsWith('_test.go'))) {
    const command = ['go', 'test', './...'];
    drafts.push(testDraft('go test ./...', 'Go tests', 'go-test', { ...plan('go', root), form: 'command', command }));
  }
  if (has.has('Cargo.toml')) {
    drafts.push(
      draft('cargo run', 'Cargo', 'cargo', { ...plan('rust', root), form: 'command', command: ['cargo', 'run'] }),
    );
    drafts.push(
      testDraft('cargo test', 'Cargo tests', 'cargo', {
        ...plan('rust', root),
        form: 'command',
        command: ['cargo', 'test'],
      }),
    );
  }
  return drafts;
}

async function testFileDrafts(root: string, files: readonly string[], has: ReadonlySet<string>): Promise<Draft[]> {
  const python = files.filter(isPythonTest).map((file) =>
    testDraft(`pytest ${file}`, 'Python tests', 'pytest', {
      ...plan('python', root),
      form: 'module',
      module: 'pytest',
      args: [file],
    }),
  );
  const runner = await nodeRunner(root, has);
  // Node's own runner takes every script in a test folder for a test; the others go by names.
  const isNodeTest =
    runner === nodeTest ? /(\.(test|spec)\.[cm]?[jt]s|^tests?\/[^/]+\.[cm]?js)$/ : /\.(test|spec)\.[cm]?[jt]sx?$/;
  const scripts = files.filter((file) => isNodeTest.test(file));
  const ownRunner = new Set(runner === nodeTest ? [] : await filesOfNodeTest(root, scripts.slice(0, maxTestFilesRead)));
  const node = scripts.map((file) => {
    const { name, title, command } = ownRunner.has(file) ? nodeTest : runner;
    return testDraft(`${name} ${file}`, `${title} tests`, name, {
      ...plan('node', root),
      form: 'command',
      command: [...command, file],
    });
  });
  return [...python, ...node];
}

interface NodeRunner {
  name: string;
  title: string;
  command: readonly string[];
}

/** The runner that the manifest depends on; Node's own when there is none. */
async function nodeRunner(root: string, has: ReadonlySet<string>): Promise<NodeRunner> {
  const text = has.has('package.json') ? await projectText(root, 'package.json') : undefined;
  const manifest = text === undefined ? {} : parseJsonObject(text, 'package.json').value;
  const depends = { ...asRecord(manifest['dependencies']), ...asRecord(manifest['devDependencies']) };
  const local = (name: string) => join(root, 'node_modules', '.bin', name);
  if ('vitest' in depends) return { name: 'vitest', title: 'Vitest', command: [local('vitest'), 'run'] };
  if ('jest' in depends) return { name: 'jest', title: 'Jest', command: [local('jest')] };
  if ('mocha' in depends) return { name: 'mocha', title: 'Mocha', command: [local('mocha')] };
  return nodeTest;
}

const nodeTest: NodeRunner = { name: 'node --test', title: 'Node.js', command: ['node', '--test'] };

/** Those that say themselves that they are for Node's own runner, whatever the project depends on. */
async function filesOfNodeTest(root: string, files: readonly string[]): Promise<string[]> {
  const texts = await Promise.all(files.map((file) => projectText(root, file)));
  return files.filter((_file, index) => /['"]node:test['"]/.test(texts[index] ?? ''));
}

function isPythonTest(file: string): boolean {
  return /^(test_.*|.*_test)\.py$/.test(basename(file));
}

function draft(name: string, type: string, typeId: string, launch: LaunchPlan): Draft {
  return { name, type, typeId, source: 'detected', isTemporary: true, plan: launch };
}

function testDraft(name: string, type: string, typeId: string, launch: LaunchPlan): Draft {
  return draft(name, type, typeId, { ...launch, isTest: true });
}

function plan(language: string, root: string): Omit<LaunchPlan, 'form'> {
  return { kind: 'launch', language, args: [], cwd: root, env: {}, stopOnEntry: false, before: [] };
}

function depth(file: string): number {
  return file.split('/').length;
}
