import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { startSightline } from '../../tests/harness/harness.ts';
import type { TestClient } from '../../tests/harness/testClient.ts';
import { ensureEngine, testCacheDir } from '../../tests/support/engines.ts';
import { cache } from '../code/pythonPackages.ts';
import { typeErrors } from '../refactor/realPackages.ts';
import { projects, type Language } from './projects.ts';
import { chosen, pythonSymbols, scriptSymbols, type TruthSymbol } from './symbols.ts';

interface Outcome {
  done: number;
  refused: number;
  broken: number;
}

const safeDelete = 'ide_refactor_safe_delete';
const move = 'ide_refactor_move';

/** Safe deletes and moves of random symbols, each taken back: what was called done must check and load as before. */
export async function tryChanges(
  language: Language,
  count: number,
  seed: number,
  only: readonly string[] | undefined,
): Promise<Outcome> {
  if (language === 'python') for (const engine of ['python', 'ty', 'rope'] as const) await ensureEngine(engine);
  const sum: Record<string, Outcome> = {};
  const own = projects.filter(
    (one) => one.language === language && (only === undefined || only.includes(one.name) || only.includes(language)),
  );
  for (const project of own) {
    const ide = await startSightline({ project: { '.gitignore': '' }, env: { SIGHTLINE_CACHE: testCacheDir } });
    try {
      cpSync(project.fetch(), ide.root, { recursive: true });
      const agent = await ide.connect({ face: 'index' });
      const before = stateOf(language, ide.root);
      const symbols = candidates(language, ide.root);
      const share = Math.ceil(count / own.length);
      const tops = chosen(
        symbols.filter(({ top, kind }) => top && kind !== 'variable'),
        share,
        seed,
      );
      for (const symbol of chosen(symbols, share, seed))
        add(safeDelete, await attempt(agent, language, ide.root, before, safeDelete, argsOf(ide.root, symbol)));
      for (const [index, symbol] of tops.entries()) {
        const extension = /\.\w+$/.exec(symbol.file)?.[0] ?? '';
        const target = join(dirname(relative(ide.root, symbol.file)), `moved_${index}${extension}`);
        const args = { ...argsOf(ide.root, symbol), target_file: target };
        add(move, await attempt(agent, language, ide.root, before, move, args));
      }
      await agent.close();
    } finally {
      await ide.dispose();
    }
  }
  for (const [tool, { done, refused, broken }] of Object.entries(sum))
    console.log(`${language} ${tool}: ${done} done, ${refused} refused, ${broken} broken and called done (target 0)`);
  const all = Object.values(sum);
  const total = (key: keyof Outcome) => all.reduce((before, one) => before + one[key], 0);
  return { done: total('done'), refused: total('refused'), broken: total('broken') };

  function add(tool: string, result: keyof Outcome): void {
    const known = (sum[tool] ??= { done: 0, refused: 0, broken: 0 });
    known[result]++;
  }
}

function argsOf(root: string, { file, line, column }: TruthSymbol): Record<string, unknown> {
  return { file: relative(root, file), line, column };
}

async function attempt(
  agent: TestClient,
  language: Language,
  root: string,
  before: readonly string[],
  tool: string,
  args: Record<string, unknown>,
): Promise<keyof Outcome> {
  const outcome = await agent.call(tool, args, { timeoutMs: 120_000 });
  if (outcome.error !== undefined || outcome.data?.['success'] !== true) return 'refused';
  const after = stateOf(language, root);
  const known = [...before];
  // What was wrong already may be wrong elsewhere now.
  const fresh = after.filter((one) => !isTaken(known, one) && !isTaken(known, withoutPath(one)));
  await agent.data('undo', { history_id: outcome.data['historyId'] });
  if (fresh.length === 0) return 'done';
  console.log(`BROKEN ${tool} ${JSON.stringify(args)}: ${fresh.slice(0, 3).join('; ').slice(0, 400)}`);
  return 'broken';
}

function isTaken(known: string[], one: string): boolean {
  const at = known.findIndex((each) => each === one || withoutPath(each) === one);
  if (at >= 0) known.splice(at, 1);
  return at >= 0;
}

function withoutPath(error: string): string {
  return error.replace(/^\S+: (?=error TS)/, '');
}

function candidates(language: Language, root: string): TruthSymbol[] {
  if (language === 'python') return pythonSymbols(root).filter(({ file }) => !/\/tests?\//.test(file));
  const pattern = language === 'commonjs' ? /^lib\/.*\.js$/ : /^src\/.*\.tsx?$/;
  const files = filesOf(root).filter((file) => pattern.test(file) && !/__tests__|\.d\.ts$/.test(file));
  return scriptSymbols(files.map((file) => join(root, file))).filter(({ kind }) => kind !== 'key');
}

/** What the checker says, or what does not load: one line each, without places. */
function stateOf(language: Language, root: string): string[] {
  if (language === 'typescript') return typeErrors(root).map((line) => line.replace(/\(\d+,\d+\)/, ''));
  if (language === 'commonjs') return output('node', ['-e', loadAll, ...scripts(root)], root);
  const sources = filesOf(root).filter(
    (file) => file.endsWith('.py') && !/(^|\/)(tests?|docs|examples|demos)\//.test(file),
  );
  const flakes = output('python3', ['-m', 'pyflakes', ...sources], root, { PYTHONPATH: pyflakes() });
  return flakes
    .filter((line) => /undefined name|unused|invalid syntax/.test(line))
    .map((line) => line.replace(/:\d+:\d+:?/, ''));
}

const loadAll =
  'for (const file of process.argv.slice(1)) try { require(file) } catch (error) { console.log(file + ": " + String(error.message).split("\\n")[0]) }; process.exit(0)';

function scripts(root: string): string[] {
  return filesOf(root)
    .filter((file) => /^lib\/.*\.js$/.test(file))
    .map((file) => join(root, file));
}

function filesOf(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (file) => !/(^|\/)(node_modules|\.git|\.sightline)\//.test(file),
  );
}

function output(command: string, args: readonly string[], cwd: string, env: Record<string, string> = {}): string[] {
  try {
    const text = execFileSync(command, args, {
      cwd,
      env: { ...process.env, ...env },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return text.split('\n').filter((line) => line !== '');
  } catch (error) {
    // pyflakes ends so when it found something.
    return String((error as { stdout?: string }).stdout ?? error)
      .split('\n')
      .filter((line) => line !== '');
  }
}

function pyflakes(): string {
  const folder = join(cache, 'packages', 'pyflakes');
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true });
    const quiet = ['--quiet', '--disable-pip-version-check', '--root-user-action=ignore', '--target', folder];
    execFileSync('python3', ['-m', 'pip', 'install', ...quiet, 'pyflakes==3.2.0'], { stdio: 'inherit' });
  }
  return folder;
}
