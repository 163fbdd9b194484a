// How long a person waits for previews of Python refactorings: the first call in a project, and random targets one after the other,
// beside the bare language server's answer to the same renames.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { startSightline } from '../../tests/harness/harness.ts';
import { ensureEngine, testCacheDir } from '../../tests/support/engines.ts';
import { LspProcess } from '../support/lspProcess.mjs';
import { median, report } from '../support/measure.mjs';

interface Place {
  file: string;
  line: number;
  column: number;
  new_name: string;
}
type Kind = 'rename' | 'extract' | 'move' | 'delete';
type Targets = Record<Kind, Record<string, unknown>[]> & { rename: Place[] };

const tools: Record<Kind, string> = {
  rename: 'ide_refactor_rename',
  extract: 'ide_refactor_extract_variable',
  move: 'ide_refactor_move',
  delete: 'ide_refactor_safe_delete',
};
/** Sources as their authors publish them; sphinx has more than 80,000 lines. */
const packages: Record<string, { version: string; parts: string[] }> = {
  flask: { version: '3.1.2', parts: ['src', 'tests', 'examples', 'pyproject.toml'] },
  jinja2: { version: '3.1.6', parts: ['src', 'tests', 'pyproject.toml'] },
  sphinx: { version: '8.2.3', parts: ['sphinx'] },
};
const { values } = parseArgs({
  allowPositionals: true,
  options: {
    python: { type: 'boolean' },
    packages: { type: 'string', default: Object.keys(packages).join(',') },
    kinds: { type: 'string', default: Object.keys(tools).join(',') },
    count: { type: 'string', default: '50' },
    slow: { type: 'boolean' },
  },
});

const ty = (await ensureEngine('ty')).path;
const python = (await ensureEngine('python')).path;
await ensureEngine('rope');
const rows: { what: string; value: number; unit: string; atMost?: number }[] = [];
for (const name of values.packages.split(',')) await measure(name);
report(rows);

async function measure(name: string): Promise<void> {
  const ide = await startSightline({
    project: { '.gitignore': '__pycache__\n' },
    env: { SIGHTLINE_CACHE: testCacheDir },
  });
  for (const part of packages[name]?.parts ?? [])
    cpSync(join(sources(name), part), join(ide.root, part), { recursive: true });
  const targets: Targets = JSON.parse(
    execFileSync(python, ['bench/refactor/targets.py', ide.root, values.count], {
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    }),
  );
  const agent = await ide.connect({ face: 'index' });
  const preview = async (kind: Kind, target: Record<string, unknown>): Promise<number> => {
    const startedAt = performance.now();
    const { error } = await agent.call(tools[kind], { ...target, preview: true });
    const ms = performance.now() - startedAt;
    if (values.slow === true)
      console.log(
        `${ms.toFixed(0).padStart(6)} ${kind} ${JSON.stringify(target)} ${error?.message.slice(0, 120) ?? ''}`,
      );
    return ms;
  };
  const [first, ...others] = targets.rename;
  if (first === undefined) throw new Error(`nothing to rename in ${name}`);
  rows.push({ what: `${name}: first call`, value: (await preview('rename', first)) / 1000, unit: ' s', atMost: 3 });
  for (const kind of values.kinds.split(',') as Kind[]) {
    const times: number[] = [];
    for (const target of kind === 'rename' ? others : targets[kind]) times.push(await preview(kind, target));
    rows.push({
      what: `${name}: ${kind}, median of ${times.length}`,
      value: median(times) / 1000,
      unit: ' s',
      atMost: 0.5,
    });
    rows.push({ what: `${name}: ${kind}, worst`, value: Math.max(...times) / 1000, unit: ' s', atMost: 2 });
    if (kind === 'rename')
      rows.push({
        what: `${name}: rename, times the bare server`,
        value: median(times) / median(await bare(ide.root, others)),
        unit: 'x',
      });
  }
  await agent.close();
  await ide.dispose();
}

async function bare(root: string, places: readonly Place[]): Promise<number[]> {
  const server = new LspProcess([ty, 'server'], root);
  await server.initialize();
  const times: number[] = [];
  for (const { file, line, column, new_name: newName } of places) {
    const uri = pathToFileURL(join(root, file)).href;
    const text = readFileSync(join(root, file), 'utf8');
    server.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'python', version: 1, text } });
    const startedAt = performance.now();
    await server.request('textDocument/rename', {
      textDocument: { uri },
      position: { line: line - 1, character: column - 1 },
      newName,
    });
    times.push(performance.now() - startedAt);
    server.notify('textDocument/didClose', { textDocument: { uri } });
  }
  await server.end();
  return times;
}

function sources(name: string): string {
  const version = packages[name]?.version;
  const folder = join(testCacheDir, 'sdists');
  const unpacked = join(folder, `${name}-${version}`);
  if (existsSync(unpacked)) return unpacked;
  mkdirSync(folder, { recursive: true });
  const wanted = ['download', '-q', '--no-deps', '--no-binary', ':all:', '-d', folder, `${name}==${version}`];
  execFileSync(python, ['-m', 'pip', ...wanted]);
  execFileSync('tar', ['xzf', `${name}-${version}.tar.gz`], { cwd: folder });
  return unpacked;
}
