import type ts from 'typescript-classic';
import { compiler, parse, syntaxErrors, tokenAt } from './compiler.ts';
import { refuse } from '../../refusals/refuse.ts';

/** Refuses a change of code that the parser had to guess at, unless the change leaves nothing to guess. */
export function refuseBroken(path: string, before: string, after: string, offset: number): void {
  const source = parse(path, before);
  const errors = syntaxErrors(source);
  if (errors.length === 0 || syntaxErrors(parse(path, after)).length === 0) return;
  const around = codeAround(source, offset);
  const error = errors.find(({ start }) => around.getStart(source) <= start && start < around.end);
  if (error === undefined) return;
  const line = source.getLineAndCharacterOfPosition(error.start).line + 1;
  throw refuse('brokenCode', { line });
}

/** The body of the function around, or else the whole statement of the file: blocks may be guesses themselves. */
function codeAround(source: ts.SourceFile, offset: number): ts.Node {
  const tsc = compiler();
  const found = tsc.findAncestor(
    tokenAt(source, offset),
    (node) => node.parent === source || (tsc.isBlock(node) && tsc.isFunctionLike(node.parent)),
  );
  return found ?? source;
}
