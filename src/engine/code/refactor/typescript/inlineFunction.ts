import type ts from 'typescript-classic';
import { displayPath } from '../../../../base/paths.ts';
import { LineIndex, type Position } from '../../../../base/positions.ts';
import { proposal, type Proposal, type RefactorTarget, type RefactorWaiting } from '../model.ts';
import { compiler, parse, tokenAt } from './compiler.ts';
import { removalRange } from './deletion.ts';
import { hasEffects, isAssignmentOperator, isPrimary } from './effects.ts';
import { importEdit, importOf, neededImports } from './inlineElsewhere.ts';
import { statementsFor } from './inlineStatements.ts';
import { referencesOf } from './references.ts';
import { bindingNames, freeNames, isShadowed, isValueUse, scopeOf } from './scopes.ts';
import { notOffered } from './serverEdits.ts';
import { addEdit, editedTexts, editOperations, tryContents, type FileEdits } from './trial.ts';
import type { TypeScriptService } from './tsService.ts';

type InlinableDeclaration = ts.FunctionDeclaration | ts.VariableDeclaration;

/**
 * Inlines a function: its returned expression in place of the call, or its statements. The TypeScript server has no such
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
  const source = declaration.getSourceFile();
  const path = source.fileName;
  const definition = functionOf(declaration);
  const body = bodyOf(definition);
  refuseUnlessPlain(definition, body, target.name);
  const references = await referencesOf(service, target, waiting);
  const isExported = (tsc.getCombinedModifierFlags(declaration) & tsc.ModifierFlags.Export) !== 0;
  const nameStart = declaration.name?.getStart(source) ?? -1;
  const sources = new Map([[path, source]]);
  const imports: ts.ImportSpecifier[] = [];
  const calls: ts.CallExpression[] = [];
  for (const use of references) {
    if (use.path === path && use.offset === nameStart) continue;
    const file = sources.get(use.path) ?? parse(use.path, service.textNow(use.path) ?? '');
    sources.set(use.path, file);
    const shown = displayPath(service.project.root, use.path);
    const imported = file === source ? undefined : importOf(tokenAt(file, use.offset), target.name, shown);
    if (imported !== undefined) imports.push(imported);
    else calls.push(callAt(file, use.offset, target.name, use.line));
  }
  if (calls.length === 0) throw notOffered(`"${target.name}" is never called`, 'ide_refactor_safe_delete removes it.');
  const askedFile = sources.get(target.path);
  const asked = askedFile === undefined ? undefined : callCovering(calls, askedFile, target.position);
  const isOne = !options.all && calls.length > 1;
  if (isOne && asked === undefined)
    throw notOffered('to inline one call, point at that call', 'Give the line and text of the call, or all: true.');
  const chosen = isOne && asked !== undefined ? [asked] : calls;
  refuseNested(chosen);

  const edits: FileEdits = new Map();
  const edit = (file: ts.SourceFile, start: number, end: number, newText: string): void => {
    const lines = new LineIndex(file.text);
    addEdit(edits, file.fileName, { start: lines.positionAt(start), end: lines.positionAt(end) }, newText);
  };
  for (const call of chosen) {
    const file = call.getSourceFile();
    if (file !== source && tsc.isBlock(body))
      throw notOffered('a function of several statements is only inlined within its own file');
    const scope = file === source ? scopeOf(declaration) : file;
    const { node, text: newText } = tsc.isBlock(body)
      ? statementsFor(definition, body, call, scope)
      : { node: call, text: substituted(definition, body, call, scope) };
    edit(file, node.getStart(file), node.getEnd(), newText);
  }
  const parameters = definition.parameters.map((parameter) => parameter.name.getText());
  for (const specifier of imports) {
    const file = specifier.getSourceFile();
    const there = chosen.filter((call) => call.getSourceFile() === file);
    if (there.length === 0) continue;
    const needed = neededImports(body, parameters, there, specifier);
    const isGone = there.length === calls.filter((call) => call.getSourceFile() === file).length;
    const change = importEdit(specifier, isGone ? needed : [target.name, ...needed]);
    edit(file, change.start, change.end, change.text);
  }
  const goes = !isOne && !isExported;
  if (goes) {
    const removed = removalRange(declaration, source);
    edit(source, removed.start, removed.end, '');
  }
  const trial = await tryContents(service, await editedTexts(service, edits), [], waiting);
  const notes = isExported && !isOne ? [`"${target.name}" is exported, so its declaration stays.`] : [];
  return proposal(
    `inline function ${target.name} in ${chosen.length} place${chosen.length === 1 ? '' : 's'}`,
    editOperations(service, edits),
    { ...trial, notes },
  );
}

function callCovering(
  calls: readonly ts.CallExpression[],
  file: ts.SourceFile,
  position: Position,
): ts.CallExpression | undefined {
  const offset = new LineIndex(file.text).offsetAt(position);
  return calls.find(
    ({ expression }) =>
      expression.getSourceFile() === file && expression.getStart(file) <= offset && offset <= expression.getEnd(),
  );
}

function refuseNested(calls: readonly ts.CallExpression[]): void {
  const isInside = (call: ts.Node, other: ts.Node): boolean =>
    other !== call && other.getSourceFile() === call.getSourceFile() && other.pos <= call.pos && call.end <= other.end;
  if (calls.some((call) => calls.some((other) => isInside(call, other))))
    throw notOffered(
      'a call stands inside the arguments of another call of the same function',
      'Inline one call at a time (all: false).',
    );
}

type PlainFunction = ts.FunctionDeclaration | ts.FunctionExpression | ts.ArrowFunction;

function functionOf(declaration: InlinableDeclaration): PlainFunction {
  const tsc = compiler();
  if (tsc.isFunctionDeclaration(declaration)) return declaration;
  const { initializer } = declaration;
  if ((declaration.parent.flags & tsc.NodeFlags.Const) === 0)
    throw notOffered('the variable that holds the function is not a constant');
  if (initializer !== undefined && (tsc.isArrowFunction(initializer) || tsc.isFunctionExpression(initializer)))
    return initializer;
  throw notOffered('it is not a function');
}

/** The expression that the function returns, if it does nothing else; its statements otherwise. */
function bodyOf(definition: PlainFunction): ts.Expression | ts.Block {
  const tsc = compiler();
  const { body } = definition;
  if (body === undefined) throw notOffered('the function has no body');
  if (!tsc.isBlock(body)) return body;
  const [only, ...rest] = body.statements;
  if (only === undefined)
    throw notOffered('the function is empty', 'ide_refactor_safe_delete removes it with its calls.');
  if (rest.length === 0 && tsc.isReturnStatement(only) && only.expression !== undefined) return only.expression;
  return body;
}

function refuseUnlessPlain(definition: PlainFunction, body: ts.Node, name: string): void {
  const tsc = compiler();
  if (definition.asteriskToken !== undefined) throw notOffered('a generator cannot be inlined');
  if ((tsc.getCombinedModifierFlags(definition) & tsc.ModifierFlags.Async) !== 0)
    throw notOffered('an async function is not inlined: its result is a promise');
  for (const parameter of definition.parameters) {
    if (parameter.dotDotDotToken !== undefined) throw notOffered('it has a rest parameter');
    if (!tsc.isIdentifier(parameter.name)) throw notOffered('it takes a parameter apart');
    if (parameter.initializer !== undefined) throw notOffered('it has a parameter with a default value');
  }
  const visit = (node: ts.Node): void => {
    if (node.kind === tsc.SyntaxKind.ThisKeyword && !tsc.isArrowFunction(definition))
      throw notOffered('its body uses "this"');
    if (tsc.isIdentifier(node) && node.text === 'arguments' && isValueUse(node))
      throw notOffered('its body uses "arguments"');
    if (tsc.isIdentifier(node) && node.text === name && isValueUse(node)) throw notOffered('it calls itself');
    if (tsc.isMetaProperty(node) || node.kind === tsc.SyntaxKind.SuperKeyword)
      throw notOffered('its body uses new.target or super');
    const written =
      tsc.isBinaryExpression(node) && isAssignmentOperator(node.operatorToken.kind)
        ? node.left
        : tsc.isPostfixUnaryExpression(node) || tsc.isPrefixUnaryExpression(node)
          ? node.operand
          : undefined;
    const isParameter =
      written !== undefined &&
      tsc.isIdentifier(written) &&
      definition.parameters.some((one) => one.name.getText() === written.text);
    if (
      isParameter &&
      !(
        tsc.isPrefixUnaryExpression(node) &&
        node.operator !== tsc.SyntaxKind.PlusPlusToken &&
        node.operator !== tsc.SyntaxKind.MinusMinusToken
      )
    )
      throw notOffered('it assigns to a parameter');
    tsc.forEachChild(node, visit);
  };
  visit(body);
}

function callAt(source: ts.SourceFile, offset: number, name: string, line: number): ts.CallExpression {
  const tsc = compiler();
  const token = tokenAt(source, offset);
  const { parent } = token;
  const isPlainCall =
    tsc.isCallExpression(parent) && parent.expression === token && parent.questionDotToken === undefined;
  if (!isPlainCall) throw notOffered(`"${name}" is used on line ${line} in another way than by calling it`);
  if (parent.arguments.some((argument) => tsc.isSpreadElement(argument)))
    throw notOffered(`the call on line ${line} spreads its arguments`);
  return parent;
}

/** The body with the call's arguments in place of the parameters, as text. */
function substituted(definition: PlainFunction, body: ts.Expression, call: ts.CallExpression, scope: ts.Node): string {
  const tsc = compiler();
  const source = body.getSourceFile();
  const parameters = definition.parameters.map((parameter) => parameter.name.getText());
  if (call.arguments.length !== parameters.length)
    throw notOffered(`the call on line ${lineOf(call)} does not pass exactly the parameters`);
  for (const name of freeNames(body)) {
    if (!parameters.includes(name) && isShadowed(name, call, scope))
      throw notOffered(`"${name}" means something else at the call on line ${lineOf(call)}`);
  }
  const uses: { start: number; end: number; index: number; isShorthand: boolean; inner: boolean }[] = [];
  const collect = (node: ts.Node, inner: boolean): void => {
    if (
      tsc.isIdentifier(node) &&
      isValueUse(node) &&
      parameters.includes(node.text) &&
      !isShadowed(node.text, node.parent, definition)
    )
      uses.push({
        start: node.getStart(source),
        end: node.getEnd(),
        index: parameters.indexOf(node.text),
        isShorthand: tsc.isShorthandPropertyAssignment(node.parent),
        inner,
      });
    if (tsc.isFunctionLike(node) && tsc.isFunctionLike(node)) {
      const own = node.parameters.flatMap((parameter) => bindingNames(parameter.name));
      for (const argument of call.arguments)
        for (const name of freeNames(argument))
          if (own.includes(name))
            throw notOffered(
              `"${name}" in the call on line ${lineOf(call)} would be captured by a function inside the body`,
            );
    }
    const isLater =
      tsc.isFunctionLike(node) ||
      tsc.isConditionalExpression(node) ||
      (tsc.isBinaryExpression(node) && /^(&&|\|\||\?\?)$/.test(node.operatorToken.getText()));
    tsc.forEachChild(node, (child) => collect(child, inner || isLater));
  };
  collect(body, false);
  call.arguments.forEach((argument, index) => {
    if (!hasEffects(argument)) return;
    const own = uses.filter((use) => use.index === index);
    if (own.length !== 1 || own[0]?.inner)
      throw notOffered(
        `an argument of the call on line ${lineOf(call)} has side effects and would not be evaluated exactly once`,
      );
  });
  const effectful = uses.filter((use) => hasEffects(call.arguments[use.index] ?? call)).map((use) => use.index);
  const isInOrder = effectful.every((index, at) => at === 0 || (effectful[at - 1] ?? -1) < index);
  const count = call.arguments.filter((argument) => hasEffects(argument)).length;
  if (!isInOrder || (count > 0 && hasEffects(body) && count + 1 > 1 && !isCallOfArguments(body)))
    throw notOffered(`the arguments of the call on line ${lineOf(call)} would be evaluated in another order`);
  let result = '';
  let at = body.getStart(source);
  for (const use of uses.sort((a, b) => a.start - b.start)) {
    const argument = call.arguments[use.index];
    if (argument === undefined) continue;
    const argumentText = argument.getText();
    const isNumber =
      tsc.isNumericLiteral(argument) && !tsc.isPropertyAccessExpression(tokenAt(source, use.start).parent);
    const value =
      isPrimary(argument) || isNumber || isWholeOperand(body, use.start, use.end) ? argumentText : `(${argumentText})`;
    result +=
      source.text.slice(at, use.start) + (use.isShorthand ? `${parameters[use.index] ?? ''}: ${argumentText}` : value);
    at = use.end;
  }
  result += source.text.slice(at, body.getEnd());
  return needsParentheses(body, call) ? `(${result})` : result;
}

/** A parameter that stands alone as an argument, in a template or as an element needs no parentheses around what replaces it. */
function isWholeOperand(body: ts.Expression, start: number, end: number): boolean {
  const tsc = compiler();
  const source = body.getSourceFile();
  const node = tokenAt(source, start);
  const { parent } = node;
  if (node.getEnd() !== end) return false;
  if (tsc.isCallExpression(parent) || tsc.isNewExpression(parent)) return parent.expression !== node;
  return (
    tsc.isTemplateSpan(parent) ||
    tsc.isArrayLiteralExpression(parent) ||
    tsc.isPropertyAssignment(parent) ||
    tsc.isParenthesizedExpression(parent) ||
    (tsc.isElementAccessExpression(parent) && parent.argumentExpression === node)
  );
}

/** `f(a(), b())` evaluates its arguments before the call, so effects of the call itself come last. */
function isCallOfArguments(body: ts.Expression): boolean {
  const tsc = compiler();
  return (
    tsc.isCallExpression(body) &&
    !hasEffects(body.expression) &&
    body.arguments.every((argument) => !hasEffects(argument))
  );
}

function needsParentheses(body: ts.Expression, call: ts.CallExpression): boolean {
  const tsc = compiler();
  const { parent } = call;
  const isStatement = tsc.isExpressionStatement(parent) || (tsc.isArrowFunction(parent) && parent.body === call);
  if (tsc.isObjectLiteralExpression(body) || tsc.isFunctionExpression(body) || tsc.isClassExpression(body))
    return (
      isStatement ||
      tsc.isPropertyAccessExpression(parent) ||
      (tsc.isCallExpression(parent) && parent.expression === call)
    );
  if (isPrimary(body)) return false;
  const isAlone =
    isStatement ||
    tsc.isVariableDeclaration(parent) ||
    tsc.isReturnStatement(parent) ||
    tsc.isParenthesizedExpression(parent) ||
    tsc.isTemplateSpan(parent) ||
    tsc.isArrayLiteralExpression(parent) ||
    tsc.isPropertyAssignment(parent) ||
    (tsc.isCallExpression(parent) && parent.expression !== call) ||
    (tsc.isBinaryExpression(parent) &&
      parent.right === call &&
      parent.operatorToken.kind === tsc.SyntaxKind.EqualsToken) ||
    tsc.isIfStatement(parent);
  return !isAlone || (tsc.isBinaryExpression(body) && body.operatorToken.kind === tsc.SyntaxKind.CommaToken);
}

function lineOf(node: ts.Node): number {
  const source = node.getSourceFile();
  return source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
}
