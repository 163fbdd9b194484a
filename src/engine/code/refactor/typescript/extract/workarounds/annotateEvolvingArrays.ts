import type ts from 'typescript-classic';
import type { LineIndex, Position, Range } from '../../../../../../base/positions.ts';
import type { RefactorWaiting } from '../../../model.ts';
import { compiler, parse } from '../../syntax/compiler.ts';
import { functionAndCall, type Extracted } from '../newFunction.ts';
import { type Change, textWith } from '../../syntax/textChange.ts';
import { isValueUse, scopeOf } from '../../syntax/scopes.ts';
import type { TypeScriptService } from '../../servers/tsService.ts';

/**
 * `const list = []` has the type of what is put into it later, which a function that makes it, or that alone puts something into it, hides:
 * the array is declared with the type that it comes to have. Undefined when the selection has to do with no such array.
 */
export async function withEvolvedArrays(
  service: TypeScriptService,
  path: string,
  before: LineIndex,
  range: Range,
  after: { text: string; name: string },
  waiting: RefactorWaiting,
): Promise<string | undefined> {
  const source = parse(path, before.text);
  const [start, end] = [before.offsetAt(range.start), before.offsetAt(range.end)];
  const made = parse(path, after.text);
  const declaration = functionAndCall(made, after.name)?.declaration;
  if (declaration?.body === undefined) return undefined;
  const changes: Change[] = [];
  for (const declared of emptyArrays(source)) {
    const uses = usesOf(declared);
    const last = uses.at(-1);
    if (last === undefined) continue;
    const isMadeThere = start <= declared.pos + 1 && declared.end <= end;
    const isHandedOver = declared.end <= start && uses.some((use) => start <= use.pos + 1 && use.end <= end);
    if (!isMadeThere && !isHandedOver) continue;
    const type = await typeAt(service, path, before.positionAt(last.getStart(source)), waiting);
    if (type === undefined) continue;
    changes.push(
      ...(isMadeThere ? typedWhereMade(declaration, declared, type) : typedForCall(declaration, declared, type)),
    );
  }
  return changes.length === 0 ? undefined : textWith(after.text, changes);
}

/** The array is made in the new function; what is only made and handed back has no name there. */
function typedWhereMade({ body }: Extracted['declaration'], declared: ts.VariableDeclaration, type: string): Change[] {
  const tsc = compiler();
  if (body === undefined) return [];
  const [only] = body.statements;
  const isNameless = only !== undefined && tsc.isReturnStatement(only) && isEmptyArray(only.expression);
  const same = emptyArrays(body).find((one) => one.name.getText() === declared.name.getText());
  if (same === undefined && !isNameless) return [];
  return [typedAt(same?.name.getEnd() ?? body.getStart() - 1, type)];
}

/** The array is made before the selection and a parameter of the new function. */
function typedForCall(declaration: Extracted['declaration'], declared: ts.VariableDeclaration, type: string): Change[] {
  const name = declared.name.getText();
  const parameter = declaration.parameters.find((one) => one.name.getText() === name);
  const namesakes = (root: ts.Node): ts.VariableDeclaration[] =>
    emptyArrays(root).filter((one) => one.name.getText() === name);
  const isElsewhere = (one: ts.Node): boolean => one.pos < declaration.pos || one.end > declaration.end;
  // The extraction changes nothing before the selection, but the function may stand there.
  const same = namesakes(declaration.getSourceFile()).filter(isElsewhere)[
    namesakes(declared.getSourceFile()).indexOf(declared)
  ];
  if (parameter === undefined || same === undefined) return [];
  const changes = [typedAt(same.name.getEnd(), type)];
  if (parameter.type !== undefined)
    changes.push({ start: parameter.type.getStart(), end: parameter.type.end, text: type });
  return changes;
}

function typedAt(offset: number, type: string): Change {
  return { start: offset, end: offset, text: `: ${type}` };
}

async function typeAt(
  service: TypeScriptService,
  file: string,
  { line, column }: Position,
  waiting: RefactorWaiting,
): Promise<string | undefined> {
  const { displayString } = await service.request<{ displayString: string }>(
    'quickinfo',
    { file, line, offset: column },
    waiting,
  );
  const type = /^(?:const|let|var|\(property\)) [\w$]+: ([\s\S]+)$/.exec(displayString)?.[1];
  return type === undefined || /\b(?:any|never)\b|\.\.\./.test(type) ? undefined : type;
}

function emptyArrays(root: ts.Node): ts.VariableDeclaration[] {
  const tsc = compiler();
  const found: ts.VariableDeclaration[] = [];
  const visit = (node: ts.Node): void => {
    if (tsc.isVariableDeclaration(node) && node.type === undefined && isEmptyArray(node.initializer)) found.push(node);
    tsc.forEachChild(node, visit);
  };
  visit(root);
  return found;
}

function isEmptyArray(value: ts.Expression | undefined): boolean {
  return value !== undefined && compiler().isArrayLiteralExpression(value) && value.elements.length === 0;
}

function usesOf(declared: ts.VariableDeclaration): ts.Identifier[] {
  const tsc = compiler();
  const name = declared.name.getText();
  const found: ts.Identifier[] = [];
  const visit = (node: ts.Node): void => {
    if (tsc.isIdentifier(node) && node.text === name && isValueUse(node)) found.push(node);
    tsc.forEachChild(node, visit);
  };
  visit(scopeOf(declared));
  return found;
}
