// Real bugs of public projects: the state before a fix with the fix's own tests. Does the first answer of `debug_explain` name a function that the
// fix changed, and does the runner's own stack trace? The repositories are cloned at bench time, from GitHub or from `--clones DIR` (DIR/NAME),
// with what they need to run already installed there (node_modules, or a Python environment with pytest by `--python DIR`). `--only TEXT` picks, `--show` prints,
// `--list FILE` tries other bugs than those of bench/bugs/list.json. Those of the list were used to mend, so their rate says little; those of
// bench/bugs/heldOut.json never were (drawn by chance, seed 20261118, from the same projects): whoever reads answers of these moves them over.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const option = (name) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);
const only = option('--only') ?? '';
const isShown = process.argv.includes('--show');
const place = mkdtempSync(join(tmpdir(), 'sightline-bugs-'));
const clones = option('--clones') ?? join(place, 'clones');
const home = join(place, 'home');
const isTest = (file) => /(^|\/)(tests?|__tests__)\/|test_|_test\.|\.test\.|\.spec\./.test(file);

const git = (cwd, ...args) => execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

const middle = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const lines = [];
mkdirSync(home, { recursive: true });
try {
  const list = option('--list') ?? join(repository, 'bench', 'bugs', 'list.json');
  const bugs = JSON.parse(readFileSync(list, 'utf8'));
  for (const bug of bugs.filter((each) => `${each.repository} ${each.fix}`.includes(only))) lines.push(tryOut(bug));
} finally {
  call(place, 'debug_explain', {}, ['stop']);
  rmSync(place, { recursive: true, force: true });
}
const judged = lines.filter((line) => line.isNamed !== undefined);
const rate = (pick) => `${judged.filter(pick).length} of ${judged.length}`;
console.log(`a function of the fix in the answer's first three: ${rate((line) => line.isNamed)} (at least 60 %)`);
console.log(`in the calls of the test, or who wrote the value: ${rate((line) => line.isAsked)} (at least 70 %)`);
console.log(`in the stack trace alone: ${rate((line) => line.isInStack)}`);
if (judged.length > 0)
  console.log(
    `bytes, median: ${middle(judged.map((line) => line.bytes))}; seconds: ${middle(judged.map((line) => line.seconds))}`,
  );
const isBelow = (pick, share) => judged.filter(pick).length < judged.length * share;
if (judged.length === 0 || isBelow((line) => line.isNamed, 0.6) || isBelow((line) => line.isAsked, 0.7))
  process.exitCode = 1;

function tryOut({ repository: name, fix }) {
  const label = `${name} ${fix}`;
  const clone = cloned(name);
  const project = join(place, 'projects', `${name.replace('/', '-')}-${fix}`);
  git(clone, 'worktree', 'add', '--detach', '--force', project, fix);
  try {
    const files = git(project, 'diff', '--name-only', '--diff-filter=M', `${fix}~1`, fix)
      .split('\n')
      .filter((file) => /\.(py|[cm]?[jt]sx?)$/.test(file));
    const sources = files.filter((file) => !isTest(file));
    const answers = sources.flatMap((file) => changedFunctions(project, fix, file));
    git(project, 'checkout', `${fix}~1`, '--', ...sources);
    const environment = option('--python');
    if (environment !== undefined && files.some((file) => file.endsWith('.py'))) giveEnvironment(project, environment);
    if (existsSync(join(clone, 'node_modules')))
      symlinkSync(join(clone, 'node_modules'), join(project, 'node_modules'));
    const test = failing(
      project,
      git(project, 'diff', '--name-only', `${fix}~1`, fix)
        .split('\n')
        .filter((file) => isTest(file) && files.includes(file)),
    );
    if (test === undefined || answers.length === 0)
      return told({ label, note: test === undefined ? 'no test fails' : 'no function' });
    const begun = performance.now();
    const text = call(project, 'debug_explain', { test });
    const seconds = Math.round((performance.now() - begun) / 100) / 10;
    if (isShown) console.log(text);
    const [stack = '', backwards = ''] = text.split('Where it comes from');
    const named = firstThree(backwards === '' ? stack : backwards, text);
    const has = (where) =>
      answers.some((answer) => new RegExp(`(^|[^\\w])${answer.replace('$', '\\$')}([^\\w]|$)`).test(where));
    return told({
      label,
      test,
      answers,
      isAsked: has(askedText(project, test, text)),
      isNamed: has(named),
      isInStack: has(stack),
      bytes: Buffer.byteLength(text),
      seconds,
    });
  } catch (error) {
    return told({ label, note: String(error.message).split('\n')[0] });
  } finally {
    git(clone, 'worktree', 'remove', '--force', project);
  }
}

/** An environment of the project's own, in which it sees its sources and all that is installed in the one given. */
function giveEnvironment(project, environment) {
  const python = join(resolve(environment), 'bin', 'python');
  execFileSync(python, ['-m', 'venv', '--without-pip', join(project, '.venv')]);
  const packages = (home) =>
    execFileSync(
      python,
      ['-c', `import sysconfig; print(sysconfig.get_path('purelib', vars={'base': ${JSON.stringify(home)}}))`],
      { encoding: 'utf8' },
    ).trim();
  const lines = [
    existsSync(join(project, 'src')) ? join(project, 'src') : project,
    `import site; site.addsitedir(${JSON.stringify(packages(resolve(environment)))})`,
  ];
  writeFileSync(join(packages(join(project, '.venv')), 'bench.pth'), `${lines.join('\n')}\n`);
  // What a build would write.
  const settings = join(project, 'pyproject.toml');
  const version = existsSync(settings)
    ? /version-file\s*=\s*"([^"]+)"/.exec(readFileSync(settings, 'utf8'))?.[1]
    : undefined;
  if (version !== undefined) writeFileSync(join(project, version), '__version__ = "0"\n');
}

/** The calls of the test, and who wrote the value that the explanation names: what one would ask next. */
function askedText(project, test, explained) {
  const [, name] = /^ {2}← (?:returned into )?([\w$.[\]'"#]+) (?:=|by) /m.exec(explained) ?? [];
  const trace = call(project, 'debug_trace', { test });
  const writes = name === undefined ? '' : call(project, 'debug_who_changed', { test, expression: name });
  if (isShown) console.log(`${trace}\n${writes}`);
  return `${trace}\n${writes}`;
}

/** What is said of the suspects, and the first lines of the way back. */
function firstThree(backwards, text) {
  const suspects = (text.split(/\n(?=Suspects|Suspect)/)[1] ?? '').split('\n').slice(0, 4);
  return [...backwards.split('\n').slice(0, 4), ...suspects].join('\n');
}

function told(line) {
  const verdict =
    line.note ??
    `${line.isNamed ? 'named' : 'MISSED'}${line.isAsked ? ', shown when asked' : ''}${line.isInStack ? ', in the stack' : ''}, ${line.bytes} bytes, ${line.seconds} s (${line.answers.slice(0, 4).join(', ')}; ${line.test})`;
  console.log(`${line.label}: ${verdict}`);
  return line;
}

function cloned(name) {
  const folder = join(clones, name.split('/')[1]);
  if (!existsSync(folder)) execFileSync('git', ['clone', '--quiet', `https://github.com/${name}`, folder]);
  return folder;
}

/** The functions whose lines a fix takes away or beside which it adds some, by the text before it. */
function changedFunctions(project, fix, file) {
  const before = git(project, 'show', `${fix}~1:${file}`).split('\n');
  const places = [...git(project, 'diff', '-U0', `${fix}~1`, fix, '--', file).matchAll(/^@@ -(\d+)/gm)].map((match) =>
    Number(match[1]),
  );
  const isStart = file.endsWith('.py')
    ? /^(\s*)(?:async )?def (\w+)/
    : /^(\s*)(?:export )?(?:default )?(?:async )?(?:function\*? |(?:const|let|var) (?=[\w$]+ = (?:async )?(?:\(|function|[\w$]+ =>))|(?:static |async )*(?=[\w$]+\([^)]*\) \{))([\w$]+)/;
  return [...new Set(places.map((line) => enclosing(before, line, isStart)).filter((each) => each !== undefined))];
}

function enclosing(text, line, isStart) {
  let width = Number.MAX_SAFE_INTEGER;
  for (let at = line - 1; at >= 0; at--) {
    const indent = text[at]?.search(/\S/) ?? -1;
    if (indent < 0 || indent >= width) continue;
    const found = isStart.exec(text[at] ?? '');
    const isKeyword = ['if', 'for', 'while', 'switch', 'catch', 'return'].includes(found?.[2] ?? '');
    if (found !== null && !isKeyword) return found[2];
    // What begins further left is around all above it; the end of a list of parameters stands where its function begins.
    if (!/^\s*\)/.test(text[at])) width = indent;
  }
  return undefined;
}

function failing(project, tests) {
  for (const file of tests) {
    const answer = JSON.parse(
      call(project, 'run_tests', { files: [file], wait_ms: 40_000 }, undefined, 'json') || '{}',
    );
    const [first] = (answer.runs ?? []).flatMap((run) => run.failures ?? []);
    if (first !== undefined) return `${file}::${first.test}`;
  }
  return undefined;
}

function call(cwd, tool, args, words, output = 'text') {
  const argv = words ?? ['call', tool, '--json', JSON.stringify(args), '--output', output];
  const env = { ...process.env, HOME: home, SIGHTLINE_TRUST: 'all' };
  const { stdout } = spawnSync(process.execPath, [join(repository, 'dist', 'sightline.js'), ...argv], {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  return stdout ?? '';
}
