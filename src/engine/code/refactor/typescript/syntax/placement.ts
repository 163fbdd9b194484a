import type ts from 'typescript-classic';
import { compiler, parse, syntaxErrors } from './compiler.ts';
import { refuse } from '../../refusals/refuse.ts';

export interface Replacement {
  /** An expression or a type of the file. */
  node: ts.Node;
  /** What is to stand there, as if it stood alone. */
  text: string;
}

const nothing = { start: 0, end: 0 };

/**
 * The replacements with parentheses where they are needed. No table of precedences decides that: the file with the new text is
 * parsed, and must be the old tree with the new nodes in place of the old ones, and without what is cut out.
 */
export function placed(
  source: ts.SourceFile,
  replacements: readonly Replacement[],
  cut: { start: number; end: number } = nothing,
): Replacement[] {
  const shapes = new Map(replacements.map((one) => [one.node, shapeOfText(one.text, one.node, source)]));
  const wanted = shape(source, source, shapes, cut);
  const plain = replacements.map((one) => (isWrapped(one) ? wrapped(one) : one));
  if (hasShape(source, plain, wanted, cut)) return plain;
  const checked = plain.map((one, index) => {
    const asked = replacements[index] ?? one;
    const alone = new Map([[one.node, shapes.get(one.node) ?? '']]);
    const fits = (other: Replacement): boolean => hasShape(source, [other], shape(source, source, alone, cut), cut);
    if (fits(one)) return one;
    const apart = setApart(one);
    return apart !== one && fits(apart) ? apart : one === asked ? wrapped(one) : one;
  });
  if (hasShape(source, checked, wanted, cut)) return checked;
  const guarded = checked.map(setApart);
  if (!hasShape(source, guarded, wanted, cut)) throw refuse('readDifferently');
  return guarded;
}

/** Without semicolons, a line that begins with a parenthesis or bracket would go on with the line before. */
function setApart(one: Replacement): Replacement {
  return /^[([`/+-]/.test(one.text) && isFirstOfStatement(one.node) ? { ...one, text: `;${one.text}` } : one;
}

function isFirstOfStatement(node: ts.Node): boolean {
  const tsc = compiler();
  const start = node.getStart();
  const statement = tsc.findAncestor(node, tsc.isStatement);
  return statement !== undefined && tsc.isExpressionStatement(statement) && statement.getStart() === start;
}

function wrapped({ node, text }: Replacement): Replacement {
  return { node, text: `(${text})` };
}

/** Where the language demands no parentheses and people write them all the same, or where two operators may not be mixed. */
function isWrapped({ node, text }: Replacement): boolean {
  const tsc = compiler();
  const { parent } = node;
  const isLeft =
    ((tsc.isPropertyAccessExpression(parent) || tsc.isElementAccessExpression(parent)) && parent.expression === node) ||
    (tsc.isCallExpression(parent) && parent.expression === node);
  const value = expressionOf(text);
  if (value === undefined) return false;
  if (isLeft)
    return (
      tsc.isObjectLiteralExpression(value) ||
      tsc.isFunctionExpression(value) ||
      tsc.isClassExpression(value) ||
      tsc.isArrowFunction(value) ||
      tsc.isNumericLiteral(value)
    );
  if (!tsc.isBinaryExpression(parent)) return false;
  const operator = parent.operatorToken.kind;
  if (operator === tsc.SyntaxKind.AsteriskAsteriskToken && parent.left === node)
    return tsc.isPrefixUnaryExpression(value) || tsc.isAwaitExpression(value) || tsc.isTypeOfExpression(value);
  const isLogical = (kind: ts.SyntaxKind): boolean =>
    kind === tsc.SyntaxKind.BarBarToken || kind === tsc.SyntaxKind.AmpersandAmpersandToken;
  if (!tsc.isBinaryExpression(value)) return false;
  const own = value.operatorToken.kind;
  const nullish = tsc.SyntaxKind.QuestionQuestionToken;
  return (own === nullish && isLogical(operator)) || (operator === nullish && isLogical(own));
}

function hasShape(
  source: ts.SourceFile,
  replacements: readonly Replacement[],
  wanted: string,
  cut: { start: number; end: number },
): boolean {
  let text = '';
  let at = 0;
  const changes = replacements.map(({ node, text: newText }) => ({
    start: node.getStart(source),
    end: node.getEnd(),
    text: atPlace(node, newText),
  }));
  if (cut.end > cut.start) changes.push({ ...cut, text: '' });
  for (const change of changes.sort((a, b) => a.start - b.start)) {
    text += source.text.slice(at, change.start) + change.text;
    at = change.end;
  }
  const after = parse(source.fileName, text + source.text.slice(at));
  return shape(after, after, new Map(), nothing) === wanted;
}

/** A shorthand property keeps its name before the value. */
export function atPlace(node: ts.Node, text: string): string {
  return compiler().isShorthandPropertyAssignment(node.parent) && node.parent.name === node
    ? `${node.getText()}: ${text}`
    : text;
}

function shapeOfText(text: string, node: ts.Node, source: ts.SourceFile): string {
  const tsc = compiler();
  if (tsc.isTypeNode(node)) {
    const file = parse(source.fileName, `type _ = (\n${text}\n)`);
    const [statement] = file.statements;
    return statement !== undefined && tsc.isTypeAliasDeclaration(statement)
      ? shape(statement.type, file, new Map(), nothing)
      : '';
  }
  const value = expressionOf(text);
  return value === undefined ? '' : shape(value, value.getSourceFile(), new Map(), nothing);
}

/** A text as an expression, wherever `await` and `yield` are allowed. */
export function expressionOf(text: string): ts.Expression | undefined {
  const tsc = compiler();
  const wrappedText = `async function* _() { (\n${text}\n) }`;
  // What is no TypeScript without JSX (elements) or with it (`<T>value`) is told by the errors of the parser.
  const plain = parse('/expression.ts', wrappedText);
  const file = syntaxErrors(plain).length > 0 ? parse('/expression.tsx', wrappedText) : plain;
  const [holder] = file.statements;
  if (holder === undefined || !tsc.isFunctionDeclaration(holder)) return undefined;
  const statement = holder.body?.statements[0];
  if (statement === undefined || !tsc.isExpressionStatement(statement)) return undefined;
  return tsc.isParenthesizedExpression(statement.expression) ? statement.expression.expression : undefined;
}

/** A tree as text, in which parentheses do not count and some nodes are taken for others. */
function shape(
  node: ts.Node,
  source: ts.SourceFile,
  taken: ReadonlyMap<ts.Node, string>,
  cut: { start: number; end: number },
): string {
  const tsc = compiler();
  const other = taken.get(node);
  if (other !== undefined) return other;
  if (tsc.isParenthesizedExpression(node)) return shape(node.expression, source, taken, cut);
  if (tsc.isParenthesizedTypeNode(node)) return shape(node.type, source, taken, cut);
  if (tsc.isShorthandPropertyAssignment(node) && node.objectAssignmentInitializer === undefined) {
    const value = taken.get(node.name);
    if (value !== undefined)
      return `(${tsc.SyntaxKind.PropertyAssignment} 0 ${shape(node.name, source, new Map(), nothing)} ${value})`;
  }
  const children: string[] = [];
  tsc.forEachChild(node, (child) => {
    const isCut = cut.start <= child.getStart(source) && child.getEnd() <= cut.end && cut.end > cut.start;
    if (!isCut) children.push(shape(child, source, taken, cut));
  });
  const operator = tsc.isPrefixUnaryExpression(node) || tsc.isPostfixUnaryExpression(node) ? `o${node.operator}` : '';
  const flags = node.flags & (tsc.NodeFlags.BlockScoped | tsc.NodeFlags.OptionalChain);
  if (children.length === 0) return `${node.kind}${operator}:${node.getText(source)}`;
  return `(${node.kind}${operator} ${flags} ${children.join(' ')})`;
}
