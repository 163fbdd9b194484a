import type ts from 'typescript-classic';
import { displayPath } from '../../../../base/paths.ts';
import { isAssigned, lineOf } from './callArguments.ts';
import { namespaceNames, type Callee, type MemberFunction } from './callee.ts';
import { compiler, parse, tokenAt } from './compiler.ts';
import { isWritten } from './effects.ts';
import { isNameAt, type Uses } from './inlineElsewhere.ts';
import type { Reference } from './references.ts';
import { notOffered } from './serverEdits.ts';
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

export function useOf(callee: Callee, node: ts.Expression): Use {
  const tsc = compiler();
  const { parent } = node;
  if (tsc.isGetAccessorDeclaration(callee.declaration)) {
    if (isWritten(node)) throw notOffered(`it is assigned to on line ${lineOf(node)}`);
    return { node, call: readAsCall(node), receiver: receiverOf(node) };
  }
  if (!tsc.isCallExpression(parent) || parent.expression !== node) {
    if (tsc.isMethodDeclaration(callee.declaration))
      throw notOffered(`it is used on line ${lineOf(node)} in another way than by calling it`);
    return { node };
  }
  if (parent.questionDotToken !== undefined) throw notOffered(`the call on line ${lineOf(node)} is optional`);
  const receiver = tsc.isMethodDeclaration(callee.declaration)
    ? receiverOf(node)
    : tsc.isPropertyAccessExpression(node) && namespaceNames(callee) !== undefined
      ? node.expression.getText()
      : undefined;
  if (!callee.isAsync) return { node: parent, call: parent, receiver };
  if (!tsc.isAwaitExpression(parent.parent))
    throw notOffered(`the function is async, and the call on line ${lineOf(node)} is not awaited at once`);
  return { node: parent.parent, call: parent, receiver };
}

/** `box.area`, as if it were `box.area()`. */
function readAsCall(node: ts.Expression): ts.CallExpression {
  const tsc = compiler();
  const call = tsc.factory.createCallExpression(node, undefined, []);
  return Object.assign(tsc.setTextRange(call, node), { parent: node.parent });
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
export function methodUses(
  service: TypeScriptService,
  references: readonly Reference[],
  declaration: MemberFunction,
): Uses {
  const tsc = compiler();
  const home = declaration.getSourceFile();
  const sources = new Map([[home.fileName, home]]);
  const nodes: ts.Expression[] = [];
  if (!tsc.isClassLike(declaration.parent)) throw notOffered('methods and getters of objects are not inlined');
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
