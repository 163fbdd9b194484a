import type ts from 'typescript-classic';
import { compiler } from './compiler.ts';

/** Whether nothing comes after a statement, whichever way it takes. */
export function alwaysEnds(node: ts.Statement | undefined): boolean {
  const tsc = compiler();
  if (node === undefined) return false;
  if (tsc.isReturnStatement(node) || tsc.isThrowStatement(node)) return true;
  if (tsc.isBlock(node)) return alwaysEnds(node.statements.at(-1));
  if (tsc.isIfStatement(node)) return alwaysEnds(node.thenStatement) && alwaysEnds(node.elseStatement);
  if (!tsc.isTryStatement(node)) return false;
  if (alwaysEnds(node.finallyBlock)) return true;
  return alwaysEnds(node.tryBlock) && (node.catchClause === undefined || alwaysEnds(node.catchClause.block));
}
