import type ts from 'typescript-classic';
import { displayPath } from '../../../../base/paths.ts';
import { LineIndex } from '../../../../base/positions.ts';
import { ToolError } from '../../../../base/errors.ts';
import { proposal, type Proposal, type RefactorTarget, type RefactorWaiting } from '../model.ts';
import { calleeOf, type Callee, type InlinableDeclaration } from './callee.ts';
import { isAssigned, lineOf } from './callArguments.ts';
import { compiler, parse, tokenAt } from './compiler.ts';
import { removalRange, wholeLines } from './deletion.ts';
import { hasEffects } from './effects.ts';
import { importEdit, isNameAt, neededImports, usesOf } from './inlineElsewhere.ts';
import { expressionFor, functionValue } from './inlineExpression.ts';
import { statementsFor } from './inlineStatements.ts';
import { atPlace, placed, type Replacement } from './placement.ts';
import { referencesOf, type Reference } from './references.ts';
import { scopeOf } from './scopes.ts';
import { notOffered } from './serverEdits.ts';
import { addEdit, editedTexts, editOperations, tryContents, withoutCopies, type FileEdits } from './trial.ts';
import type { TypeScriptService } from './tsService.ts';

/** One use of a function. */
export interface Use {
  /** What gives way: the call, what awaits it, or the function's name where it is a value. */
  node: ts.Expression;
  /** Undefined where the function is used as a value. */
  call?: ts.CallExpression;
  /** What a method is called on. */
  receiver?: string;
}

/**
 * Inlines a function or method: its value in place of the call, or its statements before it. The TypeScript server has no such
 * refactoring, so this does only what can be shown to keep the meaning, and says why for everything else.
 */
export async function inlineFunction(
  service: TypeScriptService,
  target: RefactorTarget,
  declaration: InlinableDeclaration,
  options: { all: boolean },
  waiting: RefactorWaiting,
): Promise<Proposal> {
  const tsc = compiler();
  const callee = calleeOf(declaration, target.name);
  const { home } = callee;
  const references = await referencesOf(service, target, waiting);
  const found = tsc.isMethodDeclaration(declaration)
    ? methodUses(service, references, declaration)
    : usesOf(service, references, declaration.name ?? declaration, home);
  const uses = found.nodes.map((node) => useOf(callee, node));
  if (uses.length === 0) throw notOffered(`"${target.name}" is never called`, 'ide_refactor_safe_delete removes it.');
  const values = uses.filter((use) => use.call === undefined);
  if (values.length > 1)
    throw notOffered(`it is used as a value in ${values.length} places, which would be different functions then`);
  const asked = useAt(
    uses.map((use) => use.call?.expression ?? use.node),
    target,
  );
  const isOne = !options.all && uses.length > 1;
  if (isOne && asked === undefined)
    throw notOffered('to inline one call, point at that call', 'Give the line and text of the call, or all: true.');
  const chosen = isOne ? uses.filter((use) => (use.call?.expression ?? use.node) === asked) : uses;
  refuseNested(chosen);

  const edits: FileEdits = new Map();
  const edit = (file: ts.SourceFile, start: number, end: number, newText: string): void => {
    const lines = new LineIndex(file.text);
    addEdit(edits, file.fileName, { start: lines.positionAt(start), end: lines.positionAt(end) }, newText);
  };
  const expressions: Replacement[] = [];
  const statements = new Set<ts.Node>();
  for (const use of chosen) {
    const change = replacementFor(callee, use);
    if ('statement' in change) {
      if (statements.has(change.statement))
        throw notOffered(
          `two calls stand in the statement on line ${lineOf(use.node)}`,
          'Inline one call at a time (all: false).',
        );
      statements.add(change.statement);
      const file = change.statement.getSourceFile();
      const whole = { start: change.statement.getStart(file), end: change.statement.getEnd() };
      const { start, end } = change.text === '' ? wholeLines(change.statement, file) : whole;
      edit(file, start, end, change.text);
    } else expressions.push(change);
  }
  for (const [file, nodes] of byFile(expressions.map((one) => one.node))) {
    const own = expressions.filter((one) => nodes.includes(one.node));
    for (const one of placed(file, own))
      edit(file, one.node.getStart(file), one.node.getEnd(), atPlace(one.node, one.text));
  }
  const nodesOf = (list: readonly Use[]): ts.Node[] => list.map((use) => use.node);
  const parameters = callee.definition.parameters.map((parameter) => parameter.name.getText());
  const body = callee.block ?? callee.expression ?? callee.definition;
  followImports(found.imports, nodesOf(uses), nodesOf(chosen), body, home, parameters, edit);
  const stays = isOne || found.isPassedOn || isKnownOutside(declaration);
  if (!stays) {
    const removed = removalRange(declaration, home);
    edit(home, removed.start, removed.end, '');
  }
  const trial = withoutCopies(await tryContents(service, await editedTexts(service, edits), [], waiting));
  return proposal(
    `inline function ${target.name} in ${chosen.length} place${chosen.length === 1 ? '' : 's'}`,
    editOperations(service, edits),
    { ...trial, notes: stays && !isOne ? [declarationStays(target.name)] : [] },
  );
}

/** The value where that is possible, else the statements. */
function replacementFor(callee: Callee, use: Use): Replacement | { statement: ts.Node; text: string } {
  const scope = use.node.getSourceFile() === callee.home ? scopeOf(callee.declaration) : use.node.getSourceFile();
  if (use.call === undefined) return { node: use.node, text: functionValue(callee, use.node, scope) };
  const call = { ...use, call: use.call };
  if (callee.isEmpty === true) return nothingFor(use);
  const expression =
    callee.expression ?? (compiler().isExpressionStatement(use.node.parent) ? callee.effect : undefined);
  if (expression === undefined) return statementsFor(callee, call, scope);
  try {
    return { node: use.node, text: expressionFor({ ...callee, expression }, call, scope) };
  } catch (error) {
    if (!(error instanceof ToolError) || callee.block === undefined) throw error;
    try {
      return statementsFor(callee, call, scope);
    } catch (other) {
      // What stands against the value itself says more than what stands against the detour.
      throw other instanceof ToolError ? error : other;
    }
  }
}

/** A function that does nothing: the statement that calls it goes, and its value is undefined. */
function nothingFor({ node, call }: Use): Replacement | { statement: ts.Node; text: string } {
  const tsc = compiler();
  if (call?.arguments.some((argument) => hasEffects(argument)))
    throw notOffered(`an argument of the call on line ${lineOf(node)} has side effects`);
  const statement = node.parent;
  const isOwn =
    tsc.isExpressionStatement(statement) && (tsc.isBlock(statement.parent) || tsc.isSourceFile(statement.parent));
  return isOwn ? { statement, text: '' } : { node, text: 'undefined' };
}

function useOf(callee: Callee, node: ts.Expression): Use {
  const tsc = compiler();
  const { parent } = node;
  if (!tsc.isCallExpression(parent) || parent.expression !== node) {
    if (tsc.isMethodDeclaration(callee.declaration))
      throw notOffered(`it is used on line ${lineOf(node)} in another way than by calling it`);
    return { node };
  }
  if (parent.questionDotToken !== undefined) throw notOffered(`the call on line ${lineOf(node)} is optional`);
  const receiver = tsc.isMethodDeclaration(callee.declaration) ? receiverOf(node) : undefined;
  if (!callee.isAsync) return { node: parent, call: parent, receiver };
  if (!tsc.isAwaitExpression(parent.parent))
    throw notOffered(`the function is async, and the call on line ${lineOf(node)} is not awaited at once`);
  return { node: parent.parent, call: parent, receiver };
}

function receiverOf(node: ts.Expression): string {
  const tsc = compiler();
  if (!tsc.isPropertyAccessExpression(node) || node.questionDotToken !== undefined)
    throw notOffered(`it is used on line ${lineOf(node)} in another way than by calling it`);
  const { expression } = node;
  if (expression.kind === tsc.SyntaxKind.ThisKeyword) return 'this';
  if (tsc.isIdentifier(expression) && !isAssigned(expression.text, expression.getSourceFile())) return expression.text;
  throw notOffered(`the call on line ${lineOf(node)} is made on something that is not a plain name`);
}

/** The places where a method is called. Another declaration of it means that not every call need come here. */
function methodUses(
  service: TypeScriptService,
  references: readonly Reference[],
  declaration: ts.MethodDeclaration,
): ReturnType<typeof usesOf> {
  const tsc = compiler();
  const home = declaration.getSourceFile();
  const sources = new Map([[home.fileName, home]]);
  const nodes: ts.Expression[] = [];
  if (!tsc.isClassLike(declaration.parent)) throw notOffered('methods of objects are not inlined');
  for (const { path, offset, line } of references) {
    if (path === home.fileName && offset === declaration.name.getStart(home)) continue;
    const file = sources.get(path) ?? parse(path, service.textNow(path) ?? '');
    sources.set(path, file);
    const token = tokenAt(file, offset);
    if (!isNameAt(token, offset)) continue;
    const { parent } = token;
    if (tsc.isPropertyAccessExpression(parent)) nodes.push(parent);
    else
      throw notOffered(
        `${displayPath(service.project.root, path)}:${line} declares it too, or uses it in another way than by calling it`,
      );
  }
  return { nodes, imports: [], isPassedOn: false, sources };
}

/** Somebody outside the project, or outside the class, may use it: the declaration stays. */
function isKnownOutside(declaration: InlinableDeclaration): boolean {
  const tsc = compiler();
  const flags = tsc.getCombinedModifierFlags(declaration);
  if (!tsc.isMethodDeclaration(declaration)) return (flags & tsc.ModifierFlags.Export) !== 0;
  return (flags & tsc.ModifierFlags.Private) === 0 && !tsc.isPrivateIdentifier(declaration.name);
}

export function declarationStays(name: string): string {
  return `"${name}" can be used from outside, so its declaration stays.`;
}

/** The use that was pointed at. */
export function useAt(uses: readonly ts.Node[], target: RefactorTarget): ts.Node | undefined {
  return uses.find((use) => {
    const file = use.getSourceFile();
    if (file.fileName !== target.path) return false;
    const offset = new LineIndex(file.text).offsetAt(target.position);
    return use.getStart(file) <= offset && offset <= use.getEnd();
  });
}

/** Imports of the name give way to those that the body needs, in files where it is not used any more. */
export function followImports(
  imports: readonly (ts.ImportSpecifier | ts.ImportClause)[],
  uses: readonly ts.Node[],
  chosen: readonly ts.Node[],
  body: ts.Node,
  home: ts.SourceFile,
  own: readonly string[],
  edit: (file: ts.SourceFile, start: number, end: number, text: string) => void,
): void {
  for (const [file, nodes] of byFile(chosen)) {
    if (file === home) continue;
    const brought = imports.find((one) => one.getSourceFile() === file);
    const needed = neededImports(body, home, own, nodes, file);
    if (brought === undefined) {
      if (needed.names.length + needed.statements.length > 0)
        throw notOffered('another file would have to import what the function needs');
      continue;
    }
    const isGone = nodes.length === uses.filter((use) => use.getSourceFile() === file).length;
    for (const change of importEdit(brought, isGone, needed)) edit(file, change.start, change.end, change.text);
  }
}

export function byFile(nodes: readonly ts.Node[]): Map<ts.SourceFile, ts.Node[]> {
  const files = new Map<ts.SourceFile, ts.Node[]>();
  for (const node of nodes) files.set(node.getSourceFile(), [...(files.get(node.getSourceFile()) ?? []), node]);
  return files;
}

function refuseNested(uses: readonly Use[]): void {
  const isInside = (one: ts.Node, other: ts.Node): boolean =>
    other !== one && other.getSourceFile() === one.getSourceFile() && other.pos <= one.pos && one.end <= other.end;
  if (uses.some(({ node }) => uses.some((other) => isInside(node, other.node))))
    throw notOffered(
      'a call stands inside the arguments of another call of the same function',
      'Inline one call at a time (all: false).',
    );
}
