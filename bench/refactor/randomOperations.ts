// Seeded random refactorings on a real project: after each the type check must be as before, and undo must restore every byte.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type ts from 'typescript-classic';
import { ToolError } from '../../src/base/errors.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { LineIndex } from '../../src/base/positions.ts';
import type { LanguageRefactorer, Proposal } from '../../src/engine/code/refactor/model.ts';
import { RefactorEngine } from '../../src/engine/code/refactor/refactorEngine.ts';
import { compiler, parse } from '../../src/engine/code/refactor/typescript/compiler.ts';
import { typescriptRefactorer } from '../../src/engine/code/refactor/typescript/typescriptRefactorer.ts';
import { EditApplier } from '../../src/engine/workspace/edits/applier.ts';
import { PlanStore } from '../../src/engine/workspace/edits/planStore.ts';
import { LocalHistory } from '../../src/engine/workspace/localHistory/localHistory.ts';
import { undoChanges } from '../../src/engine/workspace/localHistory/undo.ts';
import type { Project } from '../../src/engine/workspace/project.ts';

const [
  repository = '.',
  seedText = '1',
  countText = '10',
  kindsText = 'rename,extractVariable,extractMethod,inline,moveSymbol,moveFile',
] = process.argv.slice(2);
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

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sightline-random-')));
const root = join(folder, 'project');
mkdirSync(root);
for (const name of ['src', 'package.json', 'tsconfig.json'])
  cpSync(join(repository, name), join(root, name), { recursive: true });
symlinkSync(realpathSync(join(repository, 'node_modules')), join(root, 'node_modules'));
writeFileSync(join(root, '.gitignore'), 'node_modules\n');
const project: Project = {
  id: 'r',
  name: 'random',
  root,
  stateDir: join(folder, 'state'),
  env: process.env,
  trusted: true,
};
const history = new LocalHistory();
const applier = new EditApplier(history);
const engine = new RefactorEngine({
  applier,
  history,
  plans: new PlanStore(applier),
  logger: silentLogger,
  refactorers: new Map([['.ts', typescriptRefactorer]]),
});

const files = sources(join(root, 'src'));
const baseline = errors();
console.log(`${files.length} files, ${baseline.length} errors before`);
const results = new Map<string, { done: number; refused: number; broken: number }>();
const reasons = new Map<string, number>();
for (const kind of kindsText.split(',')) {
  const result = { done: 0, refused: 0, broken: 0 };
  results.set(kind, result);
  for (
    let attempt = 0;
    result.done + result.refused + result.broken < Number(countText) && attempt < Number(countText) * 5;
    attempt++
  ) {
    const file = pick(files);
    if (file === undefined) break;
    const before = fingerprint();
    try {
      const refactorer = await engine.refactorer(project, file, 'rename');
      const started = Date.now();
      const proposed = await propose(kind, refactorer, file);
      if (proposed === undefined) continue;
      const applied = await engine.carryOut(
        project,
        refactorer,
        proposed,
        { preview: false, force: false, rollbackOnError: false },
        { tool: kind },
        {},
      );
      const ms = Date.now() - started;
      const after = errors();
      const fresh = after.filter((line) => !baseline.includes(line));
      if (fresh.length > baseline.length || !applied.success) {
        result.broken++;
        console.log(
          `BROKEN ${kind} ${relative(root, file)}: ${applied.message}\n${fresh.slice(0, 4).join('\n')}\n${applied.diff.slice(0, 1500)}`,
        );
      } else {
        result.done++;
        console.log(`ok ${kind} ${ms} ms ${applied.message}`);
      }
      if (applied.historyId !== undefined)
        await undoChanges(applier, history, project, { historyId: applied.historyId }, { tool: 'undo' });
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      result.refused++;
      const reason = error.message.replace(/"[^"]*"|\d+/g, '…').slice(0, 110);
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      console.log(`refused ${kind} ${relative(root, file)}: ${error.message.slice(0, 200)}`);
    }
    if (fingerprint() !== before) {
      console.log(`NOT RESTORED after ${kind} in ${relative(root, file)}`);
      process.exitCode = 1;
      break;
    }
  }
}
console.log(JSON.stringify(Object.fromEntries(results), null, 1));
console.log(
  [...reasons]
    .sort((a, b) => b[1] - a[1])
    .map(([reason, count]) => `${count}x ${reason}`)
    .join('\n'),
);
if ([...results.values()].some((one) => one.broken > 0)) process.exitCode = 1;
await engine.dispose();
rmSync(folder, { recursive: true, force: true });

async function propose(kind: string, refactorer: LanguageRefactorer, file: string): Promise<Proposal | undefined> {
  const tsc = compiler();
  const text = readFileSync(file, 'utf8');
  const index = new LineIndex(text);
  const source = parse(file, text);
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    nodes.push(node);
    tsc.forEachChild(node, visit);
  };
  visit(source);
  const target = (name: ts.Node) => ({
    path: file,
    name: name.getText(),
    position: index.positionAt(name.getStart(source)),
  });
  const range = (start: number, end: number) => ({ start: index.positionAt(start), end: index.positionAt(end) });
  if (kind === 'rename') {
    const name = pick(nodes.filter((node) => tsc.isIdentifier(node)));
    return name === undefined
      ? undefined
      : refactorer.rename(target(name), `${name.getText()}Renamed`, { comments: false }, {});
  }
  if (kind === 'extractVariable') {
    const node = pick(
      nodes.filter(
        (one) =>
          (tsc.isBinaryExpression(one) && one.operatorToken.kind !== tsc.SyntaxKind.EqualsToken) ||
          tsc.isCallExpression(one) ||
          tsc.isPropertyAccessExpression(one),
      ),
    );
    return node === undefined
      ? undefined
      : refactorer.extractVariable(
          { path: file, range: range(node.getStart(source), node.getEnd()), newName: 'extractedValue' },
          {},
        );
  }
  if (kind === 'extractMethod') {
    const block = pick(nodes.filter((one): one is ts.Block => tsc.isBlock(one) && one.statements.length > 1));
    if (block === undefined) return undefined;
    const from = Math.floor(random() * block.statements.length);
    const to = Math.min(block.statements.length - 1, from + Math.floor(random() * 3));
    const [first, last] = [block.statements[from], block.statements[to]];
    if (first === undefined || last === undefined) return undefined;
    return refactorer.extractMethod(
      { path: file, range: range(first.getStart(source), last.getEnd()), newName: 'extractedPart' },
      {},
    );
  }
  if (kind === 'inline') {
    const declaration = pick(
      nodes.filter(
        (one): one is ts.VariableDeclaration =>
          tsc.isVariableDeclaration(one) && tsc.isIdentifier(one.name) && one.initializer !== undefined,
      ),
    );
    return declaration === undefined ? undefined : refactorer.inline(target(declaration.name), { all: true }, {});
  }
  if (kind === 'moveSymbol') {
    const statement = pick(
      source.statements.filter(
        (one) => tsc.isFunctionDeclaration(one) || tsc.isInterfaceDeclaration(one) || tsc.isTypeAliasDeclaration(one),
      ),
    );
    const name = statement !== undefined && 'name' in statement ? (statement.name as ts.Node | undefined) : undefined;
    return name === undefined ? undefined : refactorer.moveSymbol(target(name), file.replace(/\.ts$/, 'Moved.ts'), {});
  }
  if (kind === 'moveFile') return refactorer.moveFile(file, file.replace(/\.ts$/, 'Renamed.ts'), {});
  return undefined;
}

function sources(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => join(directory, name))
    .sort();
}

function errors(): string[] {
  try {
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '--noEmit', '-p', root], {
      cwd: root,
      encoding: 'utf8',
    });
    return [];
  } catch (error) {
    return String((error as { stdout?: string }).stdout ?? error)
      .split('\n')
      .filter((line) => line.includes('error TS'));
  }
}

function fingerprint(): string {
  const hash = createHash('sha256');
  for (const file of sources(join(root, 'src'))) hash.update(file).update(readFileSync(file));
  return hash.digest('hex');
}
