import { hasEffects, holds, isConditional, isInLoopHead, isWrite, some, ts } from './program.mjs';

/** Why no constant before its statement could stand for an expression. */
export function whyNoVariable(program, args) {
  const node = nodeIn(program, args);
  if (node === undefined) return 'it is no expression';
  const { parent } = node;
  const { checker } = program;
  const isMember = ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node);
  if (isWrite(node)) return 'it is assigned to';
  if (isMember && ts.isCallExpression(parent) && parent.expression === node)
    return 'it is called, and needs its object for that';
  if (
    node.expression?.kind === ts.SyntaxKind.SuperKeyword ||
    some(node, (one) => one.kind === ts.SyntaxKind.SuperKeyword)
  )
    return 'it is about super';
  if (
    ts.findAncestor(
      node,
      (one) => ts.isTypeNode(one) || ts.isHeritageClause(one) || ts.isDecorator(one) || ts.isEnumMember(one),
    ) !== undefined
  )
    return 'it is part of a type or a heritage';
  const type = checker.getTypeAtLocation(node);
  if ((type.flags & (ts.TypeFlags.Void | ts.TypeFlags.Never)) !== 0) return 'it has no value';
  if ((type.flags & ts.TypeFlags.UniqueESSymbol) !== 0) return 'its type is tied to its declaration';
  for (let at = node; !ts.isStatement(at) && at.parent !== undefined; at = at.parent) {
    if (ts.isArrowFunction(at.parent) && at.parent.body === at) break;
    if (isConditional(at) && hasEffects(node)) return 'it is not always evaluated, and does something';
    if (isConditional(at) && mentionsTested(node, at)) return 'it is only what it is where a condition holds';
    if (isInLoopHead(at)) return 'a loop evaluates it in each round';
    if ((ts.isParameter(at.parent) || ts.isPropertyDeclaration(at.parent)) && at.parent.initializer === at)
      return 'there is no statement to put it before';
  }
  if (isNarrowing(node, checker) && isTest(node)) return 'what it tests is known only where it stands';
  return undefined;
}

/** Why no function could be made of statements. */
export function whyNoFunction(program, args) {
  const { checker } = program;
  const source = program.source(args.file);
  const start = source.getPositionOfLineAndCharacter(args.start_line - 1, args.start_column - 1);
  const end = source.getPositionOfLineAndCharacter(args.end_line - 1, args.end_column - 1);
  const isIn = (node) => start <= node.getStart(source) && node.getEnd() <= end;
  const first = program.tokenAt(args.file, { line: args.start_line, column: args.start_column });
  const block = ts.findAncestor(first, (node) => ts.isBlock(node) && !isIn(node));
  const statements = block.statements.filter(isIn);
  const isMereReturn = (node) =>
    ts.isReturnStatement(node) && (node.expression === undefined || ts.isIdentifier(node.expression));
  if (statements.length === 1 && isMereReturn(statements[0])) return 'it is nothing but a return';
  const [only] = statements;
  const named = statements.length === 1 && ts.isVariableStatement(only) ? only.declarationList.declarations : [];
  if (named.length === 1 && named[0].initializer !== undefined && ts.isIdentifier(named[0].initializer))
    return 'it only gives something another name';
  const ends = (node) => node !== undefined && (ts.isReturnStatement(node) || ts.isThrowStatement(node));
  const around = ts.findAncestor(block, ts.isFunctionLike);
  for (const statement of statements) {
    let why;
    const visit = (node) => {
      if (why !== undefined) return;
      if (node.kind === ts.SyntaxKind.SuperKeyword) why = 'it is about super';
      if (ts.isIdentifier(node) && node.text === 'arguments') why = 'it is about the arguments of its function';
      if (ts.isFunctionLike(node)) {
        if (!ts.isArrowFunction(node)) return;
      } else if (
        ts.isReturnStatement(node) &&
        !(node.parent === block && node === statements.at(-1)) &&
        !ends(statements.at(-1)) &&
        !alwaysEnds(statements.at(-1))
      )
        why = 'it returns in some cases only';
      if (ts.isBreakOrContinueStatement(node)) {
        const target = ts.findAncestor(node, (one) =>
          node.label === undefined
            ? ts.isIterationStatement(one, false) || (ts.isSwitchStatement(one) && ts.isBreakStatement(node))
            : ts.isLabeledStatement(one) && one.label.text === node.label.text,
        );
        if (target !== undefined && !isIn(target)) why = 'it leaves a loop around it';
      }
      ts.forEachChild(node, visit);
    };
    visit(statement);
    if (why !== undefined) return why;
  }
  for (const statement of statements) {
    const isType =
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement) ||
      ts.isClassDeclaration(statement) ||
      ts.isFunctionDeclaration(statement);
    const declared = isType
      ? [statement]
      : ts.isVariableStatement(statement)
        ? statement.declarationList.declarations
        : [];
    for (const one of declared) {
      const isUsedOutside =
        ts.isIdentifier(one.name ?? one) &&
        some(
          around ?? source,
          (node) =>
            ts.isIdentifier(node) &&
            node.text === one.name.text &&
            !isIn(node) &&
            checker.getSymbolAtLocation(node) === checker.getSymbolAtLocation(one.name),
        );
      if (isUsedOutside && isType) return 'what it declares is used after it';
      if (isUsedOutside && one.initializer === undefined && statements.length === 1)
        return 'it declares a variable that gets its value after it';
    }
  }
  if (givesFirstValues(program, around, statements))
    return 'it gives members their first value, which counts only in the constructor itself';
  // A member that a condition around narrows has its whole type again in another function.
  const isNarrowed = (node) => {
    if (!ts.isPropertyAccessExpression(node) || isWrite(node)) return false;
    const symbol = checker.getSymbolAtLocation(node);
    const declared = symbol === undefined ? undefined : checker.getTypeOfSymbol(symbol);
    const isNarrow =
      declared !== undefined &&
      checker.getTypeAtLocation(node) !== declared &&
      checker.typeToString(checker.getTypeAtLocation(node)) !== checker.typeToString(declared);
    return isNarrow && isTestedAround(node, block);
  };
  if (statements.some((statement) => some(statement, isNarrowed)))
    return 'a condition around it says what a member of an object is';
  return undefined;
}

/**
 * Members that must have a value when the constructor ends (or that only the constructor may set) and get it in these statements alone.
 * One of them can stay behind: the last statement may be its assignment, the function then returns the value.
 */
function givesFirstValues({ checker, program }, around, statements) {
  if (around === undefined || !ts.isConstructorDeclaration(around)) return false;
  const options = program.getCompilerOptions();
  const isStrict = options.strictPropertyInitialization ?? options.strict ?? false;
  const targetOf = (node) =>
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
    node.left.expression?.kind === ts.SyntaxKind.ThisKeyword &&
    (ts.isPropertyAccessExpression(node.left) || ts.isElementAccessExpression(node.left))
      ? checker.getSymbolAtLocation(node.left.name ?? node.left.argumentExpression)
      : undefined;
  const last = statements.at(-1);
  // Nothing is left of `this.member = name` for a function to do.
  const isMereName = (one) => statements.length === 1 && ts.isIdentifier(one.expression.right);
  return around.parent.members.filter(ts.isPropertyDeclaration).some((member) => {
    const { name } = member;
    const symbol = ts.isComputedPropertyName(name)
      ? checker.getSymbolAtLocation(name.expression)
      : checker.getSymbolAtLocation(name);
    const sets = (root) => some(root, (node) => symbol !== undefined && targetOf(node) === symbol);
    const isLast = ts.isExpressionStatement(last) && targetOf(last.expression) === symbol && !isMereName(last);
    if (!statements.some((one) => sets(one) && !(isLast && one === last))) return false;
    if ((ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Readonly) !== 0) return true;
    const type = checker.getTypeAtLocation(member);
    const mayBeMissing =
      member.initializer !== undefined ||
      member.exclamationToken !== undefined ||
      member.questionToken !== undefined ||
      (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0 ||
      checker.typeToString(type).includes('undefined');
    return isStrict && !mayBeMissing && !around.body.statements.some((one) => !statements.includes(one) && sets(one));
  });
}

function alwaysEnds(node) {
  if (node === undefined) return false;
  if (ts.isReturnStatement(node) || ts.isThrowStatement(node)) return true;
  if (ts.isBlock(node)) return alwaysEnds(node.statements.at(-1));
  if (ts.isIfStatement(node)) return alwaysEnds(node.thenStatement) && alwaysEnds(node.elseStatement);
  if (ts.isTryStatement(node))
    return alwaysEnds(node.tryBlock) && (node.catchClause === undefined || alwaysEnds(node.catchClause.block));
  return false;
}

/** Whether the text of a reference stands in a condition, or in a statement before that leaves, around a block. */
function isTestedAround(node, block) {
  const text = node.getText();
  for (let at = block; at.parent !== undefined && !ts.isSourceFile(at.parent); at = at.parent) {
    const { parent } = at;
    if (
      (ts.isIfStatement(parent) || ts.isConditionalExpression(parent) || ts.isWhileStatement(parent)) &&
      (parent.expression ?? parent.condition).getText().includes(text)
    )
      return true;
    if (ts.isCaseClause(parent) || ts.isSwitchStatement(parent)) return true;
    if (
      ts.isBlock(at) &&
      at.statements.some(
        (one) => ts.isIfStatement(one) && one.getEnd() <= node.getStart() && one.expression.getText().includes(text),
      )
    )
      return true;
    if (
      ts.isBlock(at) &&
      at.statements.some(
        (one) =>
          ts.isExpressionStatement(one) && one.getEnd() <= node.getStart() && one.getText().includes(`${text} =`),
      )
    )
      return true;
    if (ts.isFunctionLike(at)) return false;
  }
  return false;
}

function nodeIn(program, args) {
  const source = program.source(args.file);
  const start = source.getPositionOfLineAndCharacter(args.start_line - 1, args.start_column - 1);
  const end = source.getPositionOfLineAndCharacter(args.end_line - 1, args.end_column - 1);
  let found;
  const visit = (node) => {
    if (node.getStart(source) === start && node.getEnd() === end && ts.isExpression(node)) found ??= node;
    if (node.getStart(source) <= start && end <= node.getEnd()) ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** A name, or member of a name, that the condition before a branch mentions as well. */
function mentionsTested(node, branch) {
  const { parent } = branch;
  const condition = ts.isConditionalExpression(parent) ? parent.condition : (parent.left ?? parent.expression);
  if (condition === undefined) return false;
  return some(
    node,
    (one) => ts.isIdentifier(one) && some(condition, (two) => ts.isIdentifier(two) && two.text === one.text),
  );
}

/** Something that tells the compiler more about what it mentions. */
function isNarrowing(node, checker) {
  if (ts.isParenthesizedExpression(node)) return isNarrowing(node.expression, checker);
  if (ts.isBinaryExpression(node)) {
    const operator = node.operatorToken.getText();
    if (operator === '&&' || operator === '||')
      return isNarrowing(node.left, checker) || isNarrowing(node.right, checker);
    return ['===', '!==', '==', '!=', 'in', 'instanceof'].includes(operator);
  }
  if (ts.isCallExpression(node)) {
    const signature = checker.getResolvedSignature(node);
    return signature !== undefined && checker.getTypePredicateOfSignature(signature) !== undefined;
  }
  return ts.isPropertyAccessExpression(node) || ts.isPrefixUnaryExpression(node);
}

/** A comparison or type test in a condition whose branches speak of what it tests: the compiler narrows by it only where it stands. */
function isTest(node) {
  for (let at = node; at.parent !== undefined && !ts.isFunctionLike(at); at = at.parent) {
    const { parent } = at;
    const branches =
      ts.isIfStatement(parent) && parent.expression === at
        ? [parent.thenStatement, parent.elseStatement, ...after(parent)]
        : ts.isConditionalExpression(parent) && parent.condition === at
          ? [parent.whenTrue, parent.whenFalse]
          : ts.isBinaryExpression(parent) && parent.left === at && ['&&', '||'].includes(parent.operatorToken.getText())
            ? [parent.right]
            : [];
    if (branches.some((branch) => branch !== undefined && speaksOf(branch, node))) return true;
    if (ts.isStatement(parent) && !ts.isIfStatement(parent)) return false;
  }
  return false;
}

function after(statement) {
  const list = statement.parent.statements ?? [];
  return list.slice(list.indexOf(statement) + 1);
}

function speaksOf(branch, test) {
  return some(test, (one) => {
    if (!ts.isIdentifier(one) || (ts.isPropertyAccessExpression(one.parent) && one.parent.name === one)) return false;
    return some(branch, (two) => ts.isIdentifier(two) && two.text === one.text && !holds(test, two));
  });
}
