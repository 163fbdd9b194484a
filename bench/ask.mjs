// What a recorder costs: `debug_trace` of programs beside the same programs run bare. A program of ordinary work (texts, numbers, objects, its
// own functions), one of nothing but tiny calls, and one of many modules with one of them in focus. The same in Python, with each way to record it.
// Then the suites of real packages, which must give the same results. `--only suites` runs these alone.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LineClient, median, report } from './support/measure.mjs';
import { compareSuites } from './support/suites.mjs';

const repository = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const runs = Number(process.argv[process.argv.indexOf('--runs') + 1]) || 3;

/** Words are counted, sorted and written out again: functions of the program around those of the language. */
const work = (rounds) => `
function words(text) { return text.split(/\\W+/).filter((word) => word.length > 0); }
function count(list) { const counts = new Map(); for (const word of list) add(counts, word); return counts; }
function add(counts, word) { counts.set(word, (counts.get(word) ?? 0) + 1); }
function rank(counts) { return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)); }
function line([word, times]) { return word.padEnd(12) + times; }
class Report {
  constructor(rows) { this.rows = rows; this.size = 0; }
  text() { const text = this.rows.map((row) => line(row)).join('\\n'); this.size += text.length; return text; }
}
export function run(rounds = ${rounds}) {
  const text = Array.from({ length: 4000 }, (_, i) => 'word' + ((i * 7919) % 611)).join(' ');
  let size = 0;
  for (let i = 0; i < rounds; i++) {
    const report = new Report(rank(count(words(text))));
    JSON.parse(JSON.stringify({ text: report.text(), rows: report.rows }));
    size += report.size;
  }
  return size;
}
`;

const pythonWork = (rounds) => `
import json


def words(text):
    return [word for word in text.split() if word]


def count(words):
    counts = {}
    for word in words:
        add(counts, word)
    return counts


def add(counts, word):
    counts[word] = counts.get(word, 0) + 1


def rank(counts):
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


class Report:
    def __init__(self, rows):
        self.rows = rows
        self.size = 0

    def text(self):
        text = "\\n".join("%-12s%d" % row for row in self.rows)
        self.size += len(text)
        return text


def run(rounds=${rounds}):
    text = " ".join("word%d" % (i * 7919 % 611) for i in range(4000))
    size = 0
    for _ in range(rounds):
        report = Report(rank(count(words(text))))
        json.loads(json.dumps({"text": report.text(), "rows": report.rows}))
        size += report.size
    return size
`;

const scratch = mkdtempSync(join(tmpdir(), 'sightline-bench-'));
const rows = [];
const isOnlySuites = process.argv.includes('suites');
try {
  if (!isOnlySuites) await measureAll();
  await suitesAlike();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
report(rows);

async function measureAll() {
  const root = join(scratch, 'project');
  mkdirSync(join(root, 'lib'), { recursive: true });
  writeFileSync(join(root, 'package.json'), '{"type":"module"}');
  writeFileSync(join(root, 'work.js'), `${work(2500)}console.log(run());\n`);
  writeFileSync(
    join(root, 'tiny.js'),
    'function tiny(n) { return (n * 31 + 7) % 1009; }\nlet n = 1;\nfor (let i = 0; i < 300_000_000; i++) n = tiny(n + i);\nconsole.log(n);\n',
  );
  const names = Array.from({ length: 20 }, (_, index) => `part${index}`);
  for (const name of names) writeFileSync(join(root, 'lib', `${name}.js`), work(120));
  const imports = names.map((name) => `import { run as ${name} } from './lib/${name}.js';\n`).join('');
  writeFileSync(join(root, 'large.js'), `${imports}console.log(${names.map((name) => `${name}()`).join(' + ')});\n`);
  const client = new LineClient(process.execPath, [join(repository, 'dist/sightline.js'), 'stdio', '--embedded'], {
    cwd: root,
    env: { ...process.env, SIGHTLINE_HOME: join(scratch, 'home') },
  });
  await client.initialize();
  await measure(client, root, 'ordinary work, all in focus', 'work.js', undefined, 2);
  await measure(client, root, 'tiny calls, all in focus', 'tiny.js', undefined, 2);
  await measure(client, root, 'one module of twenty', 'large.js', { files: ['lib/part7.js'] }, 1.3);
  await client.end();
  for (const [index, python] of pythons().entries()) await measurePython(join(scratch, `python${index}`), python);
}

/** A suite that comes out otherwise when it is traced is one too many. */
async function suitesAlike() {
  const python = pythons().at(-1)?.path ?? '/usr/bin/python3';
  const trace = async (cwd, args) => {
    const client = new LineClient(process.execPath, [join(repository, 'dist/sightline.js'), 'stdio', '--embedded'], {
      cwd,
      env: { ...process.env, SIGHTLINE_HOME: join(scratch, 'home-suites'), SIGHTLINE_TRUST: 'all' },
    });
    await client.initialize();
    const { result } = await client.request('tools/call', {
      name: 'debug_trace',
      arguments: { ...args, wait_ms: 40_000 },
    });
    await client.end();
    return result.content[0].text;
  };
  await compareSuites(scratch, python, trace, (name, bare, traced) => {
    console.log(`${name}: ${bare}${bare === traced ? ', the same traced' : ` but traced ${traced}`}`);
    rows.push({ what: `${name}: other results when traced`, value: bare === traced ? 0 : 1, unit: '', atMost: 0 });
  });
}

/** The interpreter of this machine, and the newest beside it. */
function pythons() {
  const versions = join(homedir(), '.pyenv', 'versions');
  const named = existsSync(versions) ? readdirSync(versions).map((name) => join(versions, name, 'bin/python')) : [];
  const found = ['/usr/bin/python3', ...named].flatMap((path) => {
    if (!existsSync(path)) return [];
    const text = execFileSync(path, ['-c', 'import sys; print("%d %d" % sys.version_info[:2])'], { encoding: 'utf8' });
    const [major, minor] = text.split(' ').map(Number);
    return major === 3 && minor >= 8 ? [{ path, minor }] : [];
  });
  const newest = found.toSorted((a, b) => b.minor - a.minor)[0];
  return [...new Set([found.find(({ minor }) => minor < 12), newest])].filter((each) => each !== undefined);
}

async function measurePython(root, { path, minor }) {
  mkdirSync(join(root, '.venv/bin'), { recursive: true });
  symlinkSync(path, join(root, '.venv/bin/python'));
  writeFileSync(join(root, '.venv/pyvenv.cfg'), `home = ${dirname(path)}\n`);
  writeFileSync(join(root, 'work.py'), `${pythonWork(1500)}\n\nprint(run())\n`);
  const tiny =
    'def tiny(n):\n    return (n * 31 + 7) % 1009\n\n\nn = 1\nfor i in range(25_000_000):\n    n = tiny(n + i)\nprint(n)\n';
  writeFileSync(join(root, 'tiny.py'), tiny);
  const names = Array.from({ length: 20 }, (_, index) => `part${index}`);
  for (const name of names) writeFileSync(join(root, `${name}.py`), pythonWork(75));
  const imports = names.map((name) => `import ${name}\n`).join('');
  writeFileSync(join(root, 'large.py'), `${imports}print(${names.map((name) => `${name}.run()`).join(' + ')})\n`);
  const client = new LineClient(process.execPath, [join(repository, 'dist/sightline.js'), 'stdio', '--embedded'], {
    cwd: root,
    env: { ...process.env, SIGHTLINE_HOME: join(scratch, `home-${minor}`) },
  });
  await client.initialize();
  const python = `Python 3.${minor}`;
  const atMost = minor >= 12 ? 2 : 6;
  await measure(client, root, `${python}, ordinary work, all in focus`, 'work.py', undefined, atMost, path);
  await measure(client, root, `${python}, tiny calls, all in focus`, 'tiny.py', undefined, atMost, path);
  await measure(client, root, `${python}, one module of twenty`, 'large.py', { files: ['part7.py'] }, 1.3, path);
  await client.end();
}

async function measure(client, root, name, program, focus, atMost, runtime = process.execPath) {
  const times = { bare: [], traced: [] };
  const timed = async (kind, run) => {
    const began = performance.now();
    await run();
    times[kind].push(performance.now() - began);
  };
  for (let round = 0; round < runs; round++) {
    await timed('bare', () => execFileSync(runtime, [join(root, program)], { cwd: root, stdio: 'ignore' }));
    await timed('traced', async () => {
      const { result } = await client.request('tools/call', {
        name: 'debug_trace',
        arguments: { program, wait_ms: 40_000, ...(focus === undefined ? {} : { focus }) },
      });
      const { text } = result.content[0];
      if (result.isError || !text.startsWith('exit code 0')) throw new Error(`${name}: ${text}`);
    });
  }
  const bare = median(times.bare);
  rows.push({ what: `${name}: bare`, value: bare, unit: ' ms' });
  rows.push({ what: `${name}: traced / bare`, value: median(times.traced) / bare, unit: ' x', atMost });
}
