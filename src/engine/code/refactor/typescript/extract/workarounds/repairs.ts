import type ts from 'typescript-classic';
import { ancestor, compiler, parse, tokenAt } from '../../syntax/compiler.ts';
import { functionAndCall, type Extracted } from '../newFunction.ts';
import { type Change, textWith } from '../../syntax/textChange.ts';

/**
 * Other forms of an extracted function, for when the server's own does not compile: a variable that has no value yet is declared inside
 * instead of being passed, or passed as it is; what was known not to be null where the code stood is said not to be; and a function
 * keeps the return type that the code around it relied on, or says that it never returns.
 */
export function repairedExtractions(path: string, text: string, name: string, problems: readonly Problem[]): string[] {
  const unassigned = new Set(
    problems.flatMap(({ message }) => /^Variable '([^']+)' is used before being assigned/.exec(message)?.[1] ?? []),
  );
  const unknown = new Set(problems.flatMap(({ message }) => /^Cannot find name '([^']+)'/.exec(message)?.[1] ?? []));
  const forms: Form[] = [{}, { returnType: 'around' }, { returnType: 'never' }];
  const wanted = unassigned.size === 0 ? forms : [...forms.map(inside), ...forms.map(passed)];
  return [
    silencedInside(path, text, name),
    staticForBlock(path, text, name),
    withSentTypes(path, text, name),
    withoutReturnType(path, text, name),
    ...wanted.map((form) => rewritten(path, text, name, { unassigned, unknown, problems }, form)),
  ].filter((repaired): repaired is string => repaired !== undefined && repaired !== text);
}

/** A comment that silences the checker for the statement below it goes where that statement went. */
function silencedInside(path: string, text: string, name: string): string | undefined {
  const tsc = compiler();
  const source = parse(path, text);
  const found = functionAndCall(source, name);
  const first = found?.declaration.body?.statements[0];
  const statement = found === undefined ? undefined : ancestor(found.call, tsc.isStatement);
  if (first === undefined || statement === undefined) return undefined;
  const lineOf = (node: ts.Node): number => text.lastIndexOf('\n', node.getStart(source) - 1) + 1;
  const comment = /[^\S\n]*\/\/\s*@ts-(?:ignore|expect-error)\b[^\n]*\n$/.exec(text.slice(0, lineOf(statement)))?.[0];
  if (comment === undefined) return undefined;
  const indentation = text.slice(lineOf(first), first.getStart(source));
  return textWith(text, [
    { start: lineOf(statement) - comment.length, end: lineOf(statement), text: '' },
    { start: lineOf(first), end: lineOf(first), text: indentation + comment.trimStart() },
  ]);
}

/** `static { … }` has the class itself for `this`, whose methods are static; the server makes one that is not. */
function staticForBlock(path: string, text: string, name: string): string | undefined {
  const tsc = compiler();
  const source = parse(path, text);
  const found = functionAndCall(source, name);
  const isInBlock = found !== undefined && ancestor(found.call, tsc.isClassStaticBlockDeclaration) !== undefined;
  if (!isInBlock || !tsc.isMethodDeclaration(found.declaration)) return undefined;
  const at = (found.declaration.asteriskToken ?? found.declaration.name).getStart(source);
  return textWith(text, [{ start: at, end: at, text: 'static ' }]);
}

/** The type that is wanted of the value at one place may be too little at another. */
function withoutReturnType(path: string, text: string, name: string): string | undefined {
  const source = parse(path, text);
  const type = functionAndCall(source, name)?.declaration.type;
  if (type === undefined) return undefined;
  return textWith(text, [{ start: text.lastIndexOf(')', type.getStart(source)) + 1, end: type.getEnd(), text: '' }]);
}

/** What a generator is sent has the type that the generator around says: the extracted one says it where it takes it. */
function withSentTypes(path: string, text: string, name: string): string | undefined {
  const tsc = compiler();
  const source = parse(path, text);
  const found = functionAndCall(source, name);
  const around = found === undefined ? undefined : ancestor(found.call, tsc.isFunctionLike)?.type;
  const sent = around !== undefined && tsc.isTypeReferenceNode(around) ? around.typeArguments?.[2] : undefined;
  if (found?.declaration.body === undefined || sent === undefined) return undefined;
  const edits: Change[] = [];
  const visit = (node: ts.Node): void => {
    if (tsc.isFunctionLike(node)) return;
    const isSent = tsc.isVariableDeclaration(node) && node.type === undefined && node.initializer !== undefined;
    if (isSent && tsc.isYieldExpression(node.initializer) && node.initializer.asteriskToken === undefined)
      edits.push({ start: node.name.getEnd(), end: node.name.getEnd(), text: `: ${sent.getText(source)}` });
    tsc.forEachChild(node, visit);
  };
  tsc.forEachChild(found.declaration.body, visit);
  return edits.length === 0 ? undefined : textWith(text, edits);
}

interface Problem {
  message: string;
  line?: number;
  column?: number;
}

interface Trouble {
  unassigned: ReadonlySet<string>;
  unknown: ReadonlySet<string>;
  problems: readonly Problem[];
}

interface Form {
  unassigned?: 'inside' | 'passed';
  returnType?: 'around' | 'never';
}

const inside = (form: Form): Form => ({ ...form, unassigned: 'inside' });
const passed = (form: Form): Form => ({ ...form, unassigned: 'passed' });

function rewritten(
  path: string,
  text: string,
  name: string,
  { unassigned, unknown, problems }: Trouble,
  form: Form,
): string | undefined {
  const source = parse(path, text);
  const found = functionAndCall(source, name);
  const body = found?.declaration.body;
  if (found === undefined || body === undefined) return undefined;
  const { declaration, call } = found;
  const changes: Change[] = [
    ...typeParameterChanges(found, unknown, source),
    ...knownValues(found, problems, source),
    ...typesBeforeCall(found, source),
    ...awaitedLoops(found, problems, source),
  ];
  const kept = declaration.parameters.map((parameter) => !unassigned.has(parameter.name.getText(source)));
  if (form.unassigned === 'inside' && kept.includes(false)) {
    const declared = declaration.parameters.filter((_, index) => kept[index] === false);
    changes.push(withOnly(declaration.parameters, kept, source), withOnly(call.arguments, kept, source));
    const at = (body.statements[0] ?? body).getStart(source);
    const indent = /[ \t]*$/.exec(text.slice(0, at))?.[0] ?? '';
    const lines = declared.map((parameter) => `let ${parameter.getText(source)};\n${indent}`);
    changes.push({ start: at, end: at, text: lines.join('') });
  }
  if (form.unassigned === 'passed')
    for (const [index, argument] of call.arguments.entries())
      if (kept[index] === false) changes.push({ start: argument.getEnd(), end: argument.getEnd(), text: '!' });
  if (form.returnType !== undefined) {
    // Only when it is written there does the compiler know that nothing comes after a function that always throws.
    const isThrowing = compiler().isThrowStatement(body.statements.at(-1) ?? body);
    const type =
      form.returnType === 'never' ? (isThrowing ? 'never' : undefined) : returnTypeAround(call)?.getText(source);
    if (type === undefined || declaration.type !== undefined) return undefined;
    const close = text.lastIndexOf(')', body.getStart(source));
    changes.push({ start: close + 1, end: close + 1, text: `: ${type}` });
  }
  return textWith(text, changes);
}

/** Type parameters of the functions around that the server forgot to pass on. */
function typeParameterChanges(
  { declaration, call }: Extracted,
  unknown: ReadonlySet<string>,
  source: ts.SourceFile,
): Change[] {
  const tsc = compiler();
  const missing: ts.TypeParameterDeclaration[] = [];
  for (let at = ancestor(call, tsc.isFunctionLike); at !== undefined; at = ancestor(at.parent, tsc.isFunctionLike))
    missing.push(...(at.typeParameters?.filter(({ name }) => unknown.has(name.text)) ?? []));
  if (missing.length === 0) return [];
  const all = [...(declaration.typeParameters ?? []), ...missing];
  const listOf = (texts: readonly string[]): string => `<${texts.join(', ')}>`;
  const spanOf = (list: ts.NodeArray<ts.Node> | undefined, otherwise: number): { start: number; end: number } =>
    list === undefined ? { start: otherwise, end: otherwise } : { start: list.pos - 1, end: list.end + 1 };
  return [
    {
      ...spanOf(declaration.typeParameters, declaration.name?.getEnd() ?? declaration.getEnd()),
      text: listOf(all.map((parameter) => parameter.getText(source))),
    },
    { ...spanOf(call.typeArguments, call.expression.getEnd()), text: listOf(all.map(({ name }) => name.text)) },
  ];
}

/** `made.call<T>(this, …)`: the types are those of the function, not of `call`. */
function typesBeforeCall({ call }: Extracted, source: ts.SourceFile): Change[] {
  const { expression, typeArguments } = call;
  if (!compiler().isPropertyAccessExpression(expression) || typeArguments === undefined) return [];
  if (expression.name.text !== 'call') return [];
  const made = expression.expression;
  const types = source.text.slice(typeArguments.pos - 1, typeArguments.end + 1);
  // Without semicolons a line that begins with a parenthesis would be read as part of the one before.
  const isFirst = ancestor(call, compiler().isStatement)?.getStart(source) === call.getStart(source);
  const isApart = /(^|[;{}])\s*$/.test(source.text.slice(0, call.getStart(source)));
  return [
    {
      start: made.getStart(source),
      end: made.getEnd(),
      text: `${isFirst && !isApart ? ';' : ''}(${made.getText(source)}${types})`,
    },
    { start: typeArguments.pos - 1, end: typeArguments.end + 1, text: '' },
  ];
}

/** The server makes a function async for what it awaits, and not for the loops that do, nor when it is a generator. */
function awaitedLoops({ declaration, call }: Extracted, problems: readonly Problem[], source: ts.SourceFile): Change[] {
  const isGenerator = declaration.asteriskToken !== undefined;
  const pattern = isGenerator ? /^'(?:for await|await)' / : /^'for await' loops are only allowed/;
  if (!problems.some(({ message }) => pattern.test(message))) return [];
  const isMethod = compiler().isMethodDeclaration(declaration);
  const at = (isMethod ? (declaration.asteriskToken ?? declaration.name) : declaration).getStart(source);
  const start = call.getStart(source);
  return [{ start: at, end: at, text: 'async ' }, ...(isGenerator ? [] : [{ start, end: start, text: 'await ' }])];
}

/** Where the code stood, conditions or assignments before it told that something is not null; the new function must be told. */
function knownValues({ declaration }: Extracted, problems: readonly Problem[], source: ts.SourceFile): Change[] {
  const ends = new Set<number>();
  for (const { message, line, column } of problems) {
    const isNullish =
      /is possibly '(?:null|undefined)'|is possibly 'null' or 'undefined'|which is possibly/.test(message) ||
      /^The 'this' context of type .*(?:undefined|null)/.test(message);
    if (!isNullish || line === undefined || column === undefined) continue;
    const offset = source.getPositionOfLineAndCharacter(line - 1, column - 1);
    if (offset < declaration.pos || declaration.end < offset) continue;
    const held = heldAt(source, offset);
    const named = /^'([^']+)' is possibly/.exec(message)?.[1];
    const value = named === undefined ? held.at(-1) : held.find((one) => one.getText(source) === named);
    if (value !== undefined) ends.add(value.getEnd());
  }
  return [...ends].map((at) => ({ start: at, end: at, text: '!' }));
}

/** What begins at an offset and has a member taken from it or is called, from the inside out; of `f.call(…)`, only `f`. */
function heldAt(source: ts.SourceFile, offset: number): ts.Expression[] {
  const tsc = compiler();
  const found: ts.Expression[] = [];
  for (let at: ts.Node = tokenAt(source, offset); at.parent?.getStart(source) === offset; at = at.parent) {
    const { parent } = at;
    const isHeld =
      (tsc.isPropertyAccessExpression(parent) ||
        tsc.isElementAccessExpression(parent) ||
        tsc.isCallExpression(parent)) &&
      parent.expression === at;
    const isByCall = tsc.isPropertyAccessExpression(at) && /^(?:call|apply|bind)$/.test(at.name.text);
    if (isHeld && tsc.isExpression(at) && !(isByCall && tsc.isCallExpression(parent))) found.push(at);
    if (tsc.isCallExpression(parent)) break;
  }
  return found;
}

/** The declared type of what the function around a returned call returns. */
function returnTypeAround(call: ts.CallExpression): ts.TypeNode | undefined {
  const tsc = compiler();
  if (!tsc.isReturnStatement(call.parent)) return undefined;
  return ancestor(call.parent, tsc.isFunctionLike)?.type;
}

function withOnly(list: ts.NodeArray<ts.Node>, kept: readonly boolean[], source: ts.SourceFile): Change {
  const parts = list.filter((_, index) => kept[index] !== false).map((node) => node.getText(source));
  return {
    start: list[0]?.getStart(source) ?? list.pos,
    end: list.at(-1)?.getEnd() ?? list.end,
    text: parts.join(', '),
  };
}
