import type ts from 'typescript-classic';
import { LineIndex } from '../../../../../base/positions.ts';
import type { RefactorWaiting } from '../../model.ts';
import { compiler, parse, tokenAt } from '../syntax/compiler.ts';
import { definitionsOf } from '../servers/references.ts';
import type { TypeScriptService } from '../servers/tsService.ts';

/** The first decorator of these declarations by which somebody else may get hold of what it decorates. */
export async function registeringDecorator(
  service: TypeScriptService,
  declarations: readonly ts.Node[],
  waiting: RefactorWaiting,
): Promise<ts.Decorator | undefined> {
  const tsc = compiler();
  for (const declaration of declarations)
    for (const decorator of tsc.canHaveDecorators(declaration) ? (tsc.getDecorators(declaration) ?? []) : [])
      if (await mayRegister(service, decorator, waiting)) return decorator;
  return undefined;
}

/** A decorator of the project that does not touch what it is given keeps nothing of it; of all others nothing is known. */
async function mayRegister(
  service: TypeScriptService,
  { expression }: ts.Decorator,
  waiting: RefactorWaiting,
): Promise<boolean> {
  const tsc = compiler();
  const isMade = tsc.isCallExpression(expression);
  const named = isMade ? expression.expression : expression;
  const source = expression.getSourceFile();
  const name = tsc.isPropertyAccessExpression(named) ? named.name : named;
  const position = new LineIndex(source.text).positionAt(name.getStart(source));
  const target = { path: source.fileName, name: name.getText(source), position };
  const [only, ...others] = await definitionsOf(service, target, waiting);
  if (only === undefined || others.length > 0) return true;
  const { parent } = tokenAt(parse(only.path, service.textNow(only.path) ?? ''), only.offset);
  const value = tsc.isVariableDeclaration(parent) ? parent.initializer : parent;
  const decorating = isMade ? returnedFunction(value) : value;
  if (decorating === undefined || !tsc.isFunctionLike(decorating) || !('body' in decorating)) return true;
  const { body } = decorating;
  const given = decorating.parameters[0]?.name;
  if (body === undefined) return true;
  if (/\baddInitializer\b|\barguments\b/.test(body.getText())) return true;
  return given !== undefined && (!tsc.isIdentifier(given) || mentions(body, given.text));
}

function returnedFunction(value: ts.Node | undefined): ts.Node | undefined {
  const tsc = compiler();
  if (value === undefined || !tsc.isFunctionLike(value) || !('body' in value)) return undefined;
  const { body } = value;
  if (body === undefined || !tsc.isBlock(body)) return body;
  const last = body.statements.at(-1);
  return last !== undefined && tsc.isReturnStatement(last) ? last.expression : undefined;
}

function mentions(node: ts.Node, name: string): boolean {
  const tsc = compiler();
  if (tsc.isIdentifier(node) && node.text === name) return true;
  return tsc.forEachChild(node, (child) => mentions(child, name) || undefined) ?? false;
}
