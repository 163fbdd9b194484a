// What could be extracted at all, told from the program text alone: a value that a variable set before its statement can stand for,
// and statements that do something. Nobody could keep the meaning of the others.
import { createRequire } from 'node:module';

const ts = createRequire(import.meta.url)('typescript-classic');
const { SyntaxKind } = ts;

export function isExtractableValue(node) {
  const isKindOfValue =
    (ts.isBinaryExpression(node) && !isAssignment(node)) ||
    ts.isCallExpression(node) ||
    ts.isPropertyAccessExpression(node);
  return isKindOfValue && !isUnique(node) && !isAssignedTo(node) && !isCalled(node) && isEvaluatedOnceAndAlways(node);
}

/** Only the very call that makes it can be the value of a `unique symbol`. */
function isUnique(node) {
  return ts.isVariableDeclaration(node.parent) && node.parent.type?.getText() === 'unique symbol';
}

export function isExtractablePart(statements) {
  return doesSomething(statements) && !leansOnTestedMember(statements);
}

function doesSomething(statements) {
  return statements.some((statement) =>
    ts.isVariableStatement(statement)
      ? statement.declarationList.declarations.some(({ initializer }) => initializer !== undefined)
      : !ts.isDeclarationStatement(statement),
  );
}

/** What a condition around the statements says of a member (`typeof a.b === 'object'`) does not hold in another function. */
function leansOnTestedMember(statements) {
  for (let at = statements[0]; at.parent !== undefined && !ts.isFunctionLike(at); at = at.parent) {
    const { parent } = at;
    const condition = ts.isIfStatement(parent) && parent.expression !== at ? parent.expression : undefined;
    if (condition !== undefined && statements.some((statement) => sharesMember(condition, statement))) return true;
  }
  return false;
}

function isAssignment(node) {
  const { kind } = node.operatorToken;
  return kind >= SyntaxKind.FirstAssignment && kind <= SyntaxKind.LastAssignment;
}

function isAssignedTo(node) {
  const { parent } = node;
  if (ts.isBinaryExpression(parent)) return isAssignment(parent) && parent.left === node;
  if (ts.isPrefixUnaryExpression(parent) || ts.isPostfixUnaryExpression(parent))
    return parent.operator === SyntaxKind.PlusPlusToken || parent.operator === SyntaxKind.MinusMinusToken;
  if (ts.isDeleteExpression(parent)) return true;
  if ((ts.isForOfStatement(parent) || ts.isForInStatement(parent)) && parent.initializer === node) return true;
  const isWithinPattern =
    ts.isArrayLiteralExpression(parent) ||
    ts.isObjectLiteralExpression(parent) ||
    ts.isPropertyAssignment(parent) ||
    ts.isNonNullExpression(parent) ||
    ts.isParenthesizedExpression(parent);
  return isWithinPattern && isAssignedTo(parent);
}

/** A method loses its object when it is taken apart from its call. */
function isCalled(node) {
  if (!ts.isPropertyAccessExpression(node)) return false;
  let called = node;
  while (ts.isNonNullExpression(called.parent) || ts.isParenthesizedExpression(called.parent)) called = called.parent;
  return ts.isCallExpression(called.parent) && called.parent.expression === called;
}

function isEvaluatedOnceAndAlways(node) {
  for (let at = node; at.parent !== undefined; at = at.parent) {
    if (ts.isFunctionLike(at) || ts.isStatement(at)) return true;
    const { parent } = at;
    if (ts.isForStatement(parent) && (parent.condition === at || parent.incrementor === at)) return false;
    if ((ts.isWhileStatement(parent) || ts.isDoStatement(parent)) && parent.expression === at) return false;
    const guard = guardOf(at, parent);
    if (guard !== undefined && (hasCall(node) || sharesName(node, guard))) return false;
    // A condition on a member that its branch reads: the compiler forgets what it has learnt from it.
    const branch = branchOf(at, parent);
    if (branch !== undefined && sharesMember(node, branch)) return false;
  }
  return true;
}

function guardOf(at, parent) {
  if (ts.isConditionalExpression(parent)) return parent.condition === at ? undefined : parent.condition;
  const isShort =
    ts.isBinaryExpression(parent) &&
    [SyntaxKind.AmpersandAmpersandToken, SyntaxKind.BarBarToken, SyntaxKind.QuestionQuestionToken].includes(
      parent.operatorToken.kind,
    );
  return isShort && parent.right === at ? parent.left : undefined;
}

function branchOf(at, parent) {
  if (ts.isIfStatement(parent) && parent.expression === at) return parent.parent;
  if (ts.isConditionalExpression(parent) && parent.condition === at) return parent;
  if (ts.isBinaryExpression(parent) && parent.left === at) return parent.right;
  return undefined;
}

function some(root, test) {
  let found = false;
  const visit = (node) => {
    found ||= test(node);
    if (!found) ts.forEachChild(node, visit);
  };
  visit(root);
  return found;
}

function hasCall(root) {
  return some(root, (node) => ts.isCallExpression(node) || ts.isNewExpression(node) || ts.isAwaitExpression(node));
}

function sharesName(a, b) {
  return some(
    a,
    (node) => ts.isIdentifier(node) && some(b, (other) => ts.isIdentifier(other) && other.text === node.text),
  );
}

function sharesMember(condition, branch) {
  const isMember = (node) => ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node);
  return some(condition, (node) => {
    if (!isMember(node)) return false;
    const text = node.getText();
    return some(
      branch,
      (other) =>
        isMember(other) && other.getText() === text && !(condition.pos <= other.pos && other.end <= condition.end),
    );
  });
}
