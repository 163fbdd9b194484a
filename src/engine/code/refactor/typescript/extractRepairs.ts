import type ts from 'typescript-classic';
import { ancestor, compiler, parse } from './compiler.ts';
import { functionAndCall, textWith, type Change, type Extracted } from './extractedFunction.ts';

/**
 * Other forms of an extracted function, for when the server's own does not compile: a variable that has no value yet is declared inside
 * instead of being passed, or passed as it is; and a function keeps the return type that the code around it relied on.
 */
export function repairedExtractions(
  path: string,
  text: string,
  name: string,
  problems: readonly { message: string }[],
): string[] {
  const unassigned = new Set(
    problems.flatMap(({ message }) => /^Variable '([^']+)' is used before being assigned/.exec(message)?.[1] ?? []),
  );
  const unknown = new Set(problems.flatMap(({ message }) => /^Cannot find name '([^']+)'/.exec(message)?.[1] ?? []));
  const forms: Form[] = [{}, { returnType: true }];
  const wanted = unassigned.size === 0 ? forms : [...forms.map(inside), ...forms.map(passed)];
  return wanted
    .map((form) => rewritten(path, text, name, { unassigned, unknown }, form))
    .filter((repaired): repaired is string => repaired !== undefined && repaired !== text);
}

/** The extracted constant with the type that was asked of the value where it stood, if that is written there. */
export function typedConstant(path: string, text: string, name: string): string | undefined {
  const tsc = compiler();
  const source = parse(path, text);
  let constant: ts.VariableDeclaration | undefined;
  let wanted: ts.TypeNode | undefined;
  const visit = (node: ts.Node): void => {
    if (tsc.isVariableDeclaration(node) && node.name.getText(source) === name) constant = node;
    if (tsc.isIdentifier(node) && node.text === name && node !== constant?.name) wanted = typeWantedOf(node);
    tsc.forEachChild(node, visit);
  };
  visit(source);
  if (constant === undefined || constant.type !== undefined || wanted === undefined) return undefined;
  const at = constant.name.getEnd();
  return textWith(text, [{ start: at, end: at, text: `: ${wanted.getText(source)}` }]);
}

function typeWantedOf(use: ts.Identifier): ts.TypeNode | undefined {
  const tsc = compiler();
  const { parent } = use;
  if ((tsc.isVariableDeclaration(parent) || tsc.isPropertyDeclaration(parent)) && parent.initializer === use)
    return parent.type;
  if (tsc.isArrowFunction(parent) && parent.body === use) return parent.type;
  return tsc.isReturnStatement(parent) ? ancestor(parent, tsc.isFunctionLike)?.type : undefined;
}

interface Form {
  unassigned?: 'inside' | 'passed';
  returnType?: boolean;
}

const inside = (form: Form): Form => ({ ...form, unassigned: 'inside' });
const passed = (form: Form): Form => ({ ...form, unassigned: 'passed' });

function rewritten(
  path: string,
  text: string,
  name: string,
  { unassigned, unknown }: { unassigned: ReadonlySet<string>; unknown: ReadonlySet<string> },
  form: Form,
): string | undefined {
  const source = parse(path, text);
  const found = functionAndCall(source, name);
  const body = found?.declaration.body;
  if (found === undefined || body === undefined) return undefined;
  const { declaration, call } = found;
  const changes: Change[] = typeParameterChanges(found, unknown, source);
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
  if (form.returnType === true) {
    const type = returnTypeAround(call);
    if (type === undefined || declaration.type !== undefined) return undefined;
    const close = text.lastIndexOf(')', body.getStart(source));
    changes.push({ start: close + 1, end: close + 1, text: `: ${type.getText(source)}` });
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
