import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { startSightline } from '../../tests/harness/harness.ts';
import { ensureEngine, testCacheDir } from '../../tests/support/engines.ts';

interface Place {
  name: string;
  line: number;
  column: number;
}
interface Stretch {
  start: { line: number; column: number };
  end: { line: number; column: number };
}
interface Candidates {
  rename: Place[];
  inline: Place[];
  moveSymbol: Place[];
  safeDelete: Place[];
  extractVariable: Stretch[];
  extractMethod: Stretch[];
}
interface Package {
  version: string;
  /** What its tests need besides pytest. */
  needs: string[];
  source: string;
  tests: string;
}

const packages: Record<string, Package> = {
  itsdangerous: { version: '2.2.0', needs: ['freezegun'], source: 'src', tests: 'tests' },
  pluggy: { version: '1.6.0', needs: [], source: 'src', tests: 'testing' },
};
const allKinds = 'rename,extractVariable,extractMethod,inline,moveSymbol,moveFile,safeDelete';
const [seedText = '1', countText = '10', kindsText = allKinds, packagesText = Object.keys(packages).join(',')] =
  process.argv.slice(2);
let state = Number(seedText);
/** A small generator with a seed (mulberry32): the same run every time. */
function random(): number {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}
function pick<T>(items: readonly T[]): T | undefined {
  return items[Math.floor(random() * items.length)];
}

const python = (await ensureEngine('python')).path;
const ty = (await ensureEngine('ty')).path;
await ensureEngine('rope');
const candidatesScript = join(process.cwd(), 'bench/refactor/candidates.py');
const reasons = new Map<string, number>();
const totals = new Map<string, { done: number; refused: number; broken: number }>();
for (const name of packagesText.split(',')) await tryPackage(name);
console.log('\nkind             done  refused  broken  of those tried that were not refused, whole');
for (const [kind, { done, refused, broken }] of totals)
  console.log(
    `${kind.padEnd(16)} ${String(done).padStart(4)} ${String(refused).padStart(8)} ${String(broken).padStart(7)}  ${((100 * done) / Math.max(1, done + broken)).toFixed(1)} %`,
  );
console.log(
  `\nrefusals:\n${[...reasons]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 40)
    .map(([reason, count]) => `${count}x ${reason}`)
    .join('\n')}`,
);
process.exit([...totals.values()].some((one) => one.broken > 0) ? 1 : 0);

async function tryPackage(name: string): Promise<void> {
  const known = packages[name];
  if (known === undefined) throw new Error(`unknown package ${name}`);
  const unpacked = fetchPackage(name, known);
  const environment = environmentFor(name, known);
  const ide = await startSightline({ project: { 'pyproject.toml': '' }, env: { SIGHTLINE_CACHE: testCacheDir } });
  const root = ide.root;
  for (const entry of [known.source, known.tests, 'pyproject.toml'])
    cpSync(join(unpacked, entry), join(root, entry), { recursive: true });
  writeFileSync(join(root, '.gitignore'), '__pycache__\n');
  const agent = await ide.connect({ face: 'index' });
  const check = (): string => {
    const compiled = spawnSync(python, ['-m', 'compileall', '-q', known.source, known.tests], {
      cwd: root,
      encoding: 'utf8',
    });
    const tests = spawnSync(
      join(environment, 'bin/python'),
      ['-B', '-m', 'pytest', '-q', '-x', '--no-header', '-p', 'no:cacheprovider', '-o', 'addopts=', known.tests],
      { cwd: root, encoding: 'utf8', env: { ...process.env, PYTHONPATH: join(root, known.source) } },
    );
    const typed = spawnSync(
      ty,
      [
        'check',
        '--output-format',
        'concise',
        '--exit-zero',
        '--no-progress',
        '--python',
        join(environment, 'bin/python'),
      ],
      {
        cwd: root,
        encoding: 'utf8',
      },
    );
    const outcome = /(\d+ passed|\d+ failed|error)[^\n]*$/m.exec(tests.stdout.trim())?.[0].replace(/ in [\d.]+s.*/, '');
    const errors = typed.stdout.split('\n').filter((line) => line.includes('error[')).length;
    return `compile ${compiled.status}, ${outcome ?? tests.stdout.slice(-300)}, ${errors} type errors`;
  };
  const fingerprint = (): string => {
    const hash = createHash('sha256');
    for (const file of sources(root)) hash.update(file).update(readFileSync(join(root, file)));
    return hash.digest('hex');
  };
  const baseline = check();
  console.log(`${name} ${known.version}: ${baseline}`);
  const files = sources(join(root, known.source)).map((file) => join(known.source, file));
  for (const kind of kindsText.split(',')) {
    const total = totals.get(kind) ?? { done: 0, refused: 0, broken: 0 };
    totals.set(kind, total);
    let tried = 0;
    for (let attempt = 0; tried < Number(countText) && attempt < Number(countText) * 6; attempt++) {
      const file = pick(files);
      const request = file === undefined ? undefined : propose(kind, root, file);
      if (file === undefined || request === undefined) continue;
      tried++;
      const before = fingerprint();
      const outcome = await agent.call(request.tool, request.args);
      const shown = `${kind} ${name} ${JSON.stringify(request.args)}`;
      if (outcome.error !== undefined) {
        total.refused++;
        const reason = `${kind}: ${outcome.error.message.replace(/"[^"]*"|`[^`]*`|\d+|[\w/]+\.py/g, '…').slice(0, 130)}`;
        reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
        if (process.env['SHOW'] === '1') console.log(`refused ${shown}: ${outcome.error.message.slice(0, 250)}`);
        if (fingerprint() !== before) console.log(`CHANGED BY A REFUSAL ${shown}`);
        continue;
      }
      const after = check();
      if (after === baseline) total.done++;
      else {
        total.broken++;
        console.log(`BROKEN ${shown}: ${after}\n${String(outcome.data?.['diff']).slice(0, 2500)}`);
      }
      const { historyId } = outcome.data ?? {};
      await agent.data('undo', { history_id: historyId });
      if (fingerprint() !== before) {
        console.log(`NOT RESTORED ${shown}`);
        total.broken++;
        break;
      }
    }
  }
  await agent.close();
  await ide.dispose();
}

function propose(
  kind: string,
  root: string,
  file: string,
): { tool: string; args: Record<string, unknown> } | undefined {
  if (kind === 'moveFile') {
    if (basename(file) === '__init__.py') return undefined;
    return random() < 0.5
      ? { tool: 'ide_refactor_rename', args: { file, new_name: basename(file).replace('.py', '_renamed.py') } }
      : { tool: 'ide_refactor_move', args: { file, target_directory: join(dirname(file), 'moved') } };
  }
  const found: Candidates = JSON.parse(
    execFileSync(python, [candidatesScript, join(root, file)], { encoding: 'utf8' }),
  );
  if (kind === 'extractVariable' || kind === 'extractMethod') {
    const stretch = pick(found[kind]);
    if (stretch === undefined) return undefined;
    const { start, end } = stretch;
    return {
      tool: kind === 'extractMethod' ? 'ide_refactor_extract_method' : 'ide_refactor_extract_variable',
      args: {
        file,
        start_line: start.line,
        start_column: start.column,
        end_line: end.line,
        end_column: end.column,
        new_name: 'extracted_part',
      },
    };
  }
  if (kind !== 'rename' && kind !== 'inline' && kind !== 'moveSymbol' && kind !== 'safeDelete') return undefined;
  const place = pick(found[kind].filter(({ name }) => !name.startsWith('__')));
  if (place === undefined) return undefined;
  const address = { file, line: place.line, column: place.column };
  if (kind === 'rename')
    return { tool: 'ide_refactor_rename', args: { ...address, new_name: `${place.name}_renamed` } };
  if (kind === 'inline') return { tool: 'ide_refactor_inline', args: address };
  if (kind === 'safeDelete') return { tool: 'ide_refactor_safe_delete', args: address };
  return { tool: 'ide_refactor_move', args: { ...address, target_file: file.replace(/\.py$/, '_moved.py') } };
}

function fetchPackage(name: string, { version }: Package): string {
  const folder = join(testCacheDir, 'sdists');
  const unpacked = join(folder, `${name}-${version}`);
  if (existsSync(unpacked)) return unpacked;
  mkdirSync(folder, { recursive: true });
  execFileSync(python, [
    '-m',
    'pip',
    'download',
    '-q',
    '--no-deps',
    '--no-binary',
    ':all:',
    '-d',
    folder,
    `${name}==${version}`,
  ]);
  execFileSync('tar', ['xzf', `${name}-${version}.tar.gz`], { cwd: folder });
  return unpacked;
}

function environmentFor(name: string, { needs }: Package): string {
  const folder = join(testCacheDir, 'sdists', `${name}-environment`);
  if (existsSync(join(folder, 'ready'))) return folder;
  execFileSync(python, ['-m', 'venv', '--clear', folder]);
  execFileSync(join(folder, 'bin/python'), ['-m', 'pip', 'install', '-q', 'pytest', ...needs]);
  writeFileSync(join(folder, 'ready'), '');
  return folder;
}

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.py'))
    .map((file) => relative(folder, join(folder, file)))
    .sort();
}
