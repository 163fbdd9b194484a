import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { pathToUri } from '../../src/base/paths.ts';
import { resolveAddress } from '../../src/engine/code/addressing.ts';
import { indexStatus } from '../../src/engine/code/indexStatus.ts';
import type { Waiting } from '../../src/engine/code/model.ts';
import { findDefinition } from '../../src/engine/code/queries/definition.ts';
import { findSymbols } from '../../src/engine/code/queries/findSymbols.ts';
import { callHierarchy } from '../../src/engine/code/queries/callHierarchy.ts';
import { completionsAt } from '../../src/engine/code/queries/completions.ts';
import { findImplementations } from '../../src/engine/code/queries/implementations.ts';
import { inspectSymbol } from '../../src/engine/code/queries/inspect.ts';
import { typeHierarchy } from '../../src/engine/code/queries/typeHierarchy.ts';
import { findReferences } from '../../src/engine/code/queries/references.ts';
import type { ServerDefinition } from '../../src/engine/code/servers/definition.ts';
import { typescriptServer } from '../../src/engine/code/servers/typescript/server.ts';
import { toyProject, toyServer, type ToyProject } from './fakeServer/toyProject.ts';

const open: ToyProject[] = [];
afterEach(async () => {
  for (const project of open.splice(0)) await project.dispose();
});

/** A signal to stop is only on its way when `kill` returns: until each thread has seen it, the server may still answer. */
async function everyThreadStopped(pid: number): Promise<void> {
  const tasks = `/proc/${pid}/task`;
  await expect
    .poll(
      async () => {
        const threads = await readdir(tasks);
        const states = threads.map(
          async (id) => /\) (\w)/.exec(await readFile(join(tasks, id, 'stat'), 'latin1'))?.[1],
        );
        return new Set(await Promise.all(states));
      },
      { timeout: 20_000, interval: 5 },
    )
    .toEqual(new Set(['T']));
}

const twoFiles = { 'a.toy': 'def helper\n', 'b.toy': 'helper and helper\n' };
const address = (project: ToyProject) => ({ file: join(project.root, 'a.toy'), line: 1, column: 5 });

async function start(
  files: Record<string, string>,
  definitions: readonly ServerDefinition[],
  memoryBudgetBytes?: number,
): Promise<ToyProject> {
  const project = await toyProject(files, definitions, memoryBudgetBytes);
  open.push(project);
  return project;
}

async function references(project: ToyProject, waiting: Waiting = {}, at: object = address(project)) {
  const target = await resolveAddress(project.workspace, at, waiting);
  return findReferences(project.workspace, { target }, waiting);
}

describe('while a server is loading', () => {
  const loadingServer = toyServer({ loading: true, readiness: { sign: 'progress' } });

  it('a call waits while it gets on, tells the progress, and answers in full once it is ready', async () => {
    const project = await start(twoFiles, [loadingServer]);
    const told: string[] = [];
    const asked = references(project, {
      patienceMs: 20_000,
      acceptsPartial: true,
      onProgress: (message) => {
        told.push(message);
        if (message === 'Indexing 0 %') project.server().client.notify('toy/progress', { percentage: 50 });
        if (message === 'Indexing 50 %: files') project.server().client.notify('toy/loaded', {});
      },
    });
    expect(await asked).toMatchObject({ total: 3, index: { state: 'ready' } });
    expect(told).toEqual(expect.arrayContaining(['Indexing 0 %', 'Indexing 50 %: files']));
  });

  it('when the patience ends, the answer holds what is known so far and says that it is not all', async () => {
    const project = await start(twoFiles, [loadingServer]);
    const asked = references(project, {
      patienceMs: 1500,
      acceptsPartial: true,
      onProgress: () => project.server().client.notify('toy/progress', { percentage: 40 }),
    });
    expect(await asked).toMatchObject({
      total: 1,
      index: { state: 'indexing', partial: true, detail: expect.stringContaining('40 %') },
    });
    expect(await indexStatus(project.workspace)).toMatchObject({ state: 'indexing', isIndexing: true });
    project.server().client.notify('toy/loaded', {});
    expect(await references(project)).toMatchObject({ total: 3, index: { state: 'ready' } });
  });

  it('a server that does not answer at all is replaced by the text, marked as such, and asked again later', async () => {
    const project = await start(twoFiles, [toyServer()]);
    const waiting = { patienceMs: 700, acceptsPartial: true };
    await references(project);
    project.server().client.notify('toy/fail', { method: 'textDocument/references', times: 1 });
    expect(await references(project, waiting)).toMatchObject({
      total: 3,
      index: { state: 'indexing', partial: true, detail: expect.stringContaining('found by text') },
    });
    expect((await references(project, waiting)).index).toEqual({ state: 'ready' });
  });

  it('whoever edits by the answer is never given a part of it', async () => {
    const project = await start(twoFiles, [toyServer()]);
    await references(project);
    project.server().client.notify('toy/fail', { method: 'textDocument/references', times: 1 });
    const controller = new AbortController();
    const asked = references(project, { patienceMs: 300, signal: controller.signal });
    await expect.poll(() => project.server().client.connection.pendingCount).toBeGreaterThan(0);
    // Its patience ends, and nothing happens: that is the point.
    await new Promise((resolve) => setTimeout(resolve, 400));
    controller.abort();
    await expect(asked).rejects.toThrow(/cancel/i);
  });

  it('a real server that is stopped in its tracks: references, definitions and symbols from the text, then complete', async () => {
    const project = await start(
      {
        'package.json': '{"type":"module"}',
        'a.ts':
          'export function helper(): number {\n  return 1;\n}\nexport interface Shape {\n  area(): number;\n}\n' +
          'export class Circle implements Shape {\n  area(): number {\n    return 2;\n  }\n}\n',
        'c.ts': "import { helper } from './a.js';\nfunction both(): number {\n  return helper();\n}\n",
        'b.ts': "import { helper } from './a.js';\nexport const x = helper(); // helper\n",
      },
      [typescriptServer],
    );
    const at = { file: join(project.root, 'b.ts'), line: 2, text: 'helper' };
    const whole = await references(project, {}, at);
    expect(whole).toMatchObject({ total: 5, index: { state: 'ready' } });
    const { pid } = project.server('typescript');
    process.kill(pid, 'SIGSTOP');
    await everyThreadStopped(pid);
    try {
      const waiting = { patienceMs: 600, acceptsPartial: true };
      const partial = await references(project, waiting, at);
      expect(partial.index).toMatchObject({ state: 'indexing', partial: true });
      expect(partial.total).toBeGreaterThanOrEqual(whole.total);
      const target = await resolveAddress(project.workspace, { symbol: 'helper' }, waiting);
      expect(target).toMatchObject({ path: join(project.root, 'a.ts'), position: { line: 1, column: 17 } });
      expect(await findDefinition(project.workspace, target, waiting)).toMatchObject({
        definitions: [{ path: join(project.root, 'a.ts'), name: 'helper' }],
        index: { state: 'indexing' },
      });
      const query = { query: 'helper', kinds: [], libraries: undefined, limit: 5 };
      expect(await findSymbols(project.workspace, query, waiting)).toMatchObject({
        symbols: [{ name: 'helper', path: join(project.root, 'a.ts') }],
        index: { state: 'indexing', partial: true },
      });
      const loading = { state: 'indexing', partial: true };
      expect(await inspectSymbol(project.workspace, target, waiting)).toMatchObject({
        kind: 'function',
        signature: 'export function helper(): number',
        usages: 4,
        usageFiles: 2,
        index: loading,
      });
      expect(await callHierarchy(project.workspace, target, { direction: 'callers', depth: 2 }, waiting)).toMatchObject(
        {
          root: {
            name: 'helper',
            children: [
              { path: join(project.root, 'b.ts'), sites: [{ line: 2 }] },
              { name: 'both', path: join(project.root, 'c.ts'), sites: [{ line: 3 }] },
            ],
          },
          index: loading,
        },
      );
      const caller = await resolveAddress(
        project.workspace,
        { file: join(project.root, 'c.ts'), line: 2, text: 'both' },
        waiting,
      );
      expect(await callHierarchy(project.workspace, caller, { direction: 'callees', depth: 2 }, waiting)).toMatchObject(
        {
          root: {
            name: 'both',
            children: [{ name: 'helper', path: join(project.root, 'a.ts'), sites: [{ line: 3 }] }],
          },
          index: loading,
        },
      );
      const shape = await resolveAddress(project.workspace, { symbol: 'Shape' }, waiting);
      const types = { direction: 'both', depth: 5 } as const;
      expect(await typeHierarchy(project.workspace, shape, types, waiting)).toMatchObject({
        element: { name: 'Shape', kind: 'interface' },
        supertypes: [],
        subtypes: [{ name: 'Circle' }],
        index: loading,
      });
      expect(await findImplementations(project.workspace, shape, waiting)).toMatchObject({
        implementations: [{ name: 'Circle', kind: 'class' }],
        index: loading,
      });
      const circle = await resolveAddress(project.workspace, { symbol: 'Circle' }, waiting);
      expect(await typeHierarchy(project.workspace, circle, types, waiting)).toMatchObject({
        supertypes: [{ name: 'Shape', path: join(project.root, 'a.ts') }],
      });
      const area = { path: join(project.root, 'a.ts'), position: { line: 4, column: 1 }, prefix: 'ar', limit: 5 };
      expect(await completionsAt(project.workspace, area, waiting)).toMatchObject({
        completions: [{ label: 'area' }],
        isIncomplete: true,
        index: loading,
      });
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    expect(await references(project, {}, at)).toMatchObject({ total: 5, index: { state: 'ready' } });
  });
});

describe('the pool of servers', () => {
  it('a crash in mid-request is a clear error; the next question has a new server with its documents open', async () => {
    const project = await start({ ...twoFiles, 'c.toy': 'helper\n' }, [toyServer({ log: 'starts.log' })]);
    await references(project);
    await project.server().documents.open(join(project.root, 'c.toy'), { pinned: true });
    project.server().client.notify('toy/fail', { method: 'textDocument/references', times: 1, exit: 7 });
    await expect(references(project)).rejects.toThrow('toy language server ended: it exited with code 7');
    expect((await indexStatus(project.workspace)).languages[0]).toMatchObject({ language: 'toy', running: false });
    expect(await references(project)).toMatchObject({ total: 4, index: { state: 'ready' } });
    expect((await project.facts()).opened.sort()).toEqual(['a.toy', 'b.toy', 'c.toy']);
    expect((await readFile(join(project.root, 'starts.log'), 'utf8')).trim().split('\n')).toHaveLength(2);
  });

  it('a server that cannot start harms no other language', async () => {
    const broken: ServerDefinition = {
      ...toyServer({ id: 'broken', extension: 'brk' }),
      locate: () => Promise.resolve({ command: process.execPath, args: ['-e', 'process.exit(9)'] }),
    };
    const project = await start({ ...twoFiles, 'x.brk': 'def other\n' }, [broken, toyServer()]);
    const other = { file: join(project.root, 'x.brk'), line: 1, column: 5 };
    for (let attempt = 0; attempt < 5; attempt++)
      await expect(references(project, {}, other)).rejects.toThrow(/exited with code 9/);
    await expect(references(project, {}, other)).rejects.toThrow('died 5 times within three minutes');
    expect(await references(project)).toMatchObject({ total: 3, index: { state: 'ready' } });
    expect((await indexStatus(project.workspace)).languages).toMatchObject([
      { language: 'broken', state: 'unavailable', running: false },
      { language: 'toy', state: 'ready', running: true, openDocuments: expect.any(Number) },
    ]);
  });

  it('however many files are asked about, a hundred stay open, and what needs no project any more is let go', async () => {
    const names = Array.from({ length: 130 }, (_none, index) => `f${index}.toy`);
    const project = await start(Object.fromEntries(names.map((name) => [name, `def only_${name.slice(0, -4)}\n`])), [
      toyServer(),
    ]);
    for (const name of names) await references(project, {}, { file: join(project.root, name), line: 1, column: 5 });
    const { documents } = project.server();
    expect(documents.paths).toHaveLength(100);
    expect((await project.facts()).closed).toHaveLength(30);
    for (const name of names.slice(0, 40)) await documents.open(join(project.root, name), { pinned: true });
    expect(documents.paths).toHaveLength(140 - 10);
    documents.unpinAll();
    expect(documents.paths).toHaveLength(100);
  });

  it('a project without configuration keeps its files open; one that gets a configuration keeps one', async () => {
    const project = await start(
      {
        'package.json': '{"type":"module"}',
        'a.ts': 'export const a = 1;\n',
        'b.ts': "import './a.js';\n",
        'c.ts': 'a;\n',
      },
      [typescriptServer],
    );
    const at = { file: join(project.root, 'a.ts'), line: 1, text: 'a' };
    await references(project, {}, at);
    expect(project.server('typescript').documents.pinnedPaths).toHaveLength(3);
    await writeFile(join(project.root, 'tsconfig.json'), '{"include":["*.ts"]}');
    await references(project, {}, at);
    expect(project.server('typescript').documents.pinnedPaths).toHaveLength(1);
  });

  it('over the memory budget the least recently used idle server goes, and comes back when needed', async () => {
    const languages = ['one', 'two'].map((id) => toyServer({ id, extension: id }));
    const project = await start({ 'a.one': 'def first\n', 'a.two': 'def second\n' }, languages, 1);
    const ask = (id: string) => references(project, {}, { file: join(project.root, `a.${id}`), line: 1, column: 5 });
    const running = () => project.engine.pool.servers.map(({ definition }) => definition.id);
    expect(await ask('one')).toMatchObject({ total: 1 });
    expect(await ask('two')).toMatchObject({ total: 1 });
    await expect.poll(running).toEqual(['two']);
    expect(await ask('one')).toMatchObject({ total: 1 });
    await expect.poll(running).toEqual(['one']);
  });
});

describe('what clients of language servers get wrong', () => {
  it('a request that the server gave up because the text moved is asked again', async () => {
    const project = await start(twoFiles, [toyServer()]);
    await references(project);
    for (const code of [-32801, -32802])
      project.server().client.notify('toy/fail', { method: 'textDocument/references', times: 2, code });
    expect(await references(project)).toMatchObject({ total: 3 });
    project.server().client.notify('toy/fail', { method: 'textDocument/references', times: 1, code: -32803 });
    await expect(references(project)).rejects.toThrow('as told');
  });

  it('configuration is answered section by section, null where there is none', async () => {
    const project = await start(twoFiles, [toyServer()]);
    await references(project);
    expect((await project.facts()).configuration).toEqual([{ level: 3 }, null, null]);
  });

  it('documents are opened, changed and closed as the disk says, and a text that is the same is no change', async () => {
    const project = await start(twoFiles, [toyServer()]);
    await references(project);
    const path = join(project.root, 'b.toy');
    await project.server().documents.open(path);
    await writeFile(path, 'helper and helper\n');
    expect(await references(project)).toMatchObject({ total: 3 });
    expect(await project.facts()).toMatchObject({ changed: [], watched: ['2 b.toy'] });
    await writeFile(path, 'helper, helper, helper\n');
    expect(await references(project)).toMatchObject({ total: 4 });
    await rm(path);
    expect(await references(project)).toMatchObject({ total: 1 });
    expect(await project.facts()).toMatchObject({
      changed: ['b.toy'],
      closed: ['b.toy'],
      watched: ['2 b.toy', '2 b.toy', '3 b.toy'],
    });
  });

  it('columns count UTF-16 units, across CRLF, byte order marks and emoji', async () => {
    const project = await start({ 'a.toy': '\uFEFFdef 変数 "😀😀" 変数\r\n  😀 変数\r\n' }, [toyServer()]);
    const found = await references(project);
    expect(found.references.map(({ position }) => `${position.line}:${position.column}`)).toEqual([
      '1:5',
      '1:15',
      '2:6',
    ]);
  });

  it('edits of a server are applied only while they were asked for, and then reach whoever asked', async () => {
    const project = await start(twoFiles, [toyServer()]);
    await references(project);
    const { client } = project.server();
    const edit = { changes: { [pathToUri(join(project.root, 'a.toy'))]: [] } };
    const command = { command: 'toy.edit', arguments: [edit] };
    await client.request('workspace/executeCommand', command);
    expect((await project.facts()).applied).toMatchObject({ applied: false });
    const seen: unknown[] = [];
    await client.whileApplyingEdits(
      (params) => {
        seen.push(params.edit);
        return Promise.resolve({ applied: true });
      },
      () => client.request('workspace/executeCommand', command),
    );
    expect(seen).toEqual([edit]);
    expect((await project.facts()).applied).toEqual({ applied: true });
  });

  it('an empty list of published problems is an answer: the earlier ones are gone', async () => {
    const project = await start({ ...twoFiles, 'toy.json': '{}' }, [toyServer()]);
    await references(project);
    const server = project.server();
    const uri = pathToUri(join(project.root, 'toy.json'));
    const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
    server.client.notify('toy/publish', { uri, diagnostics: [{ range, message: 'wrong' }] });
    await expect.poll(() => server.configurationProblems.size).toBe(1);
    server.client.notify('toy/publish', { uri, diagnostics: [] });
    await expect.poll(() => server.configurationProblems.size).toBe(0);
  });
});
