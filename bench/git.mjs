// What git costs through Sightline: git_status and git_diff in a repository of 50,000 files (or as many as are asked for) with 40 changed ones, beside bare git asked for
// the same (porcelain v2 with branch and renames; a difference with hunks).
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LineClient, median, report } from './support/measure.mjs';

const program = join(resolve(dirname(fileURLToPath(import.meta.url)), '..'), 'dist', 'sightline.js');
/** `npm run bench -- git 100000` makes a larger one. */
const files = Number(process.argv[2]) || 50_000;
const runs = 15;

const home = realpathSync(mkdtempSync(join(tmpdir(), 'sightline-bench-')));
const env = { PATH: process.env.PATH, HOME: home, SIGHTLINE_HOME: home };
const root = join(home, 'repository');
try {
  makeRepository();
  await measure();
} finally {
  spawnSync(process.execPath, [program, 'stop'], { cwd: root, env });
  rmSync(home, { recursive: true, force: true, maxRetries: 3 });
}

function git(...args) {
  return execFileSync('git', args, { cwd: root, env, maxBuffer: 1 << 28 });
}

function makeRepository() {
  mkdirSync(root);
  for (let folder = 0; folder < files / 100; folder++) {
    const path = join(root, `area${folder % 20}`, `part${folder}`);
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < 100; file++)
      writeFileSync(join(path, `file${file}.txt`), `line ${folder} ${file}\n`.repeat(20));
  }
  git('init', '-q', '-b', 'main');
  // Tidying up in the background would disturb the clock.
  git('config', 'gc.auto', '0');
  git('config', 'user.name', 'bench');
  git('config', 'user.email', 'bench@example.org');
  git('add', '.');
  git('commit', '-qm', 'all');
  for (let folder = 0; folder < 40; folder++)
    writeFileSync(join(root, `area${folder % 20}`, `part${folder}`, 'file1.txt'), 'changed\n');
  git('status');
}

async function measure() {
  const client = new LineClient(process.execPath, [program, 'stdio', '--face', 'workspace'], { cwd: root, env });
  await client.initialize();
  const call = async (name) => {
    const { result } = await client.request('tools/call', { name, arguments: {} });
    if (result.isError) throw new Error(result.content[0].text);
  };
  const plain = ['--no-optional-locks', '--no-pager'];
  const ways = {
    git_status: {
      bare: () => git(...plain, 'status', '--porcelain=v2', '--branch', '--show-stash', '-z'),
      own: () => call('git_status'),
    },
    git_diff: { bare: () => git(...plain, 'diff'), own: () => call('git_diff') },
  };
  const rows = [];
  for (const [name, { bare, own }] of Object.entries(ways)) {
    const times = { bare: [], own: [] };
    await own();
    for (let run = 0; run < runs; run++) {
      for (const kind of run % 2 === 0 ? ['bare', 'own'] : ['own', 'bare']) {
        const startedAt = performance.now();
        await (kind === 'bare' ? bare() : own());
        times[kind].push(performance.now() - startedAt);
      }
    }
    rows.push(
      { what: `bare git, for ${name}`, value: median(times.bare), unit: ' ms' },
      { what: name, value: median(times.own), unit: ' ms' },
      { what: '  ratio', value: median(times.own) / median(times.bare), unit: '', atMost: 1.3 },
    );
  }
  await client.end();
  report(rows);
}
