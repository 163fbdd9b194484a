import {
  hasEffects,
  holds,
  isConditional,
  isInLoopHead,
  isWrite,
  ownerOfThis,
  some,
  someNow,
  ts,
  usesThis,
} from './program.mjs';

/** Why nobody could put the value or the body in place of the name and keep the meaning. */
export function whyNoInline(program, args) {
  const name = program.tokenAt(args.file, args);
  const declaration = name.parent;
  const symbol = program.checker.getSymbolAtLocation(name);
  const merged = program.meaning(name) ?? symbol;
  const uses = program.uses(merged, name.text);
  if (uses.length === 0) return 'it is not used';
  const reason = uses.map((use) => whyNoValue(use)).find((one) => one !== undefined);
  if (reason !== undefined) return reason;
  const functionLike = ts.isFunctionDeclaration(declaration) ? declaration : plain(declaration.initializer);
  const isFunction = functionLike !== undefined && ts.isFunctionLike(functionLike);
  const whole = uses.map((use) => wholeOf(use));
  const isCalledOnly = whole.every((use) => ts.isCallExpression(use.parent) && use.parent.expression === use);
  if (isFunction && (isCalledOnly || ts.isFunctionDeclaration(declaration)))
    return whyNoBody(program, functionLike, declaration, symbol, whole);
  return whyNoCopy(program, declaration, symbol, whole);
}

function plain(value) {
  return value !== undefined && ts.isParenthesizedExpression(value) ? plain(value.expression) : value;
}

function wholeOf(use) {
  return ts.isPropertyAccessExpression(use.parent) && use.parent.name === use ? use.parent : use;
}

function whyNoValue(use) {
  const { parent } = use;
  if (isWrite(use)) return 'it is assigned again';
  if (ts.isTypeNode(parent) || ts.isTypeQueryNode(parent) || ts.isQualifiedName(parent)) return 'it is used as a type';
  if (ts.isJsxOpeningLikeElement(parent)) return 'it is an element';
  return undefined;
}

/** A variable: its value in place of each use. */
function whyNoCopy(program, declaration, symbol, uses) {
  const { checker } = program;
  const { initializer } = declaration;
  const home = declaration.getSourceFile();
  const elsewhere = uses.filter((use) => use.getSourceFile() !== home);
  const isExported =
    (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Export) !== 0 ||
    isPassedOn(home, declaration.name.text);
  if (some(initializer, (node) => ts.isIdentifier(node) && checker.getSymbolAtLocation(node) === symbol))
    return 'its value refers to itself';
  if (isExported && elsewhere.length === 0) return 'it is there for others, none of whom are here';
  const isTwice = uses.length > 1 || isExported;
  const effects = hasEffects(initializer);
  if (effects && isTwice) return 'its value does something, and would do it again';
  if (effects && !isNext(declaration, uses[0])) return 'its value does something, and would do it later';
  const kept = ts.isFunctionLike(withoutTypes(initializer))
    ? uses.filter((use) => !(ts.isCallExpression(use.parent) && use.parent.expression === use))
    : uses;
  if (makesObject(initializer) && (kept.length > 1 || (kept.length === 1 && isExported)))
    return 'its value is one object, and each use would get another';
  if (usesThis(initializer) && uses.some((use) => ownerOfThis(use) !== ownerOfThis(declaration)))
    return 'this means something else there';
  return (
    whyOtherNames(program, initializer, declaration, uses) ??
    whyOtherTime(program, initializer, declaration, uses, elsewhere.length > 0)
  );
}

/** A value without parentheses and without what only the compiler reads. */
function withoutTypes(value) {
  const isWrapped =
    ts.isParenthesizedExpression(value) ||
    ts.isAsExpression(value) ||
    ts.isSatisfiesExpression(value) ||
    ts.isNonNullExpression(value);
  return isWrapped ? withoutTypes(value.expression) : value;
}

/** A new object each time it is evaluated, or in some cases. */
function makesObject(initializer) {
  const value = withoutTypes(initializer);
  if (ts.isConditionalExpression(value)) return makesObject(value.whenTrue) || makesObject(value.whenFalse);
  if (ts.isBinaryExpression(value) && ['&&', '||', '??', ','].includes(value.operatorToken.getText()))
    return makesObject(value.left) || makesObject(value.right);
  return (
    ts.isObjectLiteralExpression(value) ||
    ts.isArrayLiteralExpression(value) ||
    ts.isFunctionLike(value) ||
    ts.isClassExpression(value) ||
    ts.isRegularExpressionLiteral(value)
  );
}

/** A function: its body in place of each call. */
function whyNoBody(program, definition, declaration, symbol, uses) {
  const { checker } = program;
  const { body } = definition;
  const own = (node) => ts.isIdentifier(node) && checker.getSymbolAtLocation(node) === symbol;
  if (body === undefined) return 'it has no body';
  if ((symbol.declarations ?? []).filter((one) => ts.isFunctionLike(one)).length > 1)
    return 'it has several signatures, and its body fits them only together';
  if (definition.asteriskToken !== undefined) return 'it is a generator';
  if (definition.type !== undefined && ts.isTypePredicateNode(definition.type))
    return 'it tells the compiler what its argument is, which its body does not';
  if (some(body, own)) return 'it calls itself';
  if (
    !ts.isArrowFunction(definition) &&
    (usesThis(body) || someNow(body, (node) => ts.isIdentifier(node) && node.text === 'arguments'))
  )
    return 'its body is about its own this or arguments';
  const calls = uses.filter((use) => ts.isCallExpression(use.parent) && use.parent.expression === use);
  const values = uses.filter((use) => !calls.includes(use));
  if (values.length > 1) return 'it is kept as a value in several places, which would be several functions';
  if (values.length === 1 && (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Export) !== 0)
    return 'it is kept as a value, and exported: that would be two functions';
  if (
    values.some(
      (use) =>
        ts.isNewExpression(use.parent) ||
        ts.isTypeOfExpression(use.parent) ||
        ts.isPropertyAccessExpression(use.parent),
    )
  )
    return 'it is more than called';
  if (calls.some((use) => use.parent.questionDotToken !== undefined)) return 'a call of it is optional';
  const isAsync = (ts.getCombinedModifierFlags(definition) & ts.ModifierFlags.Async) !== 0;
  if (isAsync && calls.some((use) => !ts.isAwaitExpression(use.parent.parent)))
    return 'it is asynchronous and not awaited at once';
  for (const use of calls) {
    const why = whyNoCall(definition, use.parent, isAsync);
    if (why !== undefined) return why;
  }
  return whyOtherNames(program, definition, declaration, uses);
}

function whyNoCall(definition, call, isAsync) {
  const { body, parameters } = definition;
  const named = parameters.filter((one) => one.dotDotDotToken === undefined);
  if (call.arguments.slice(0, named.length).some((one) => ts.isSpreadElement(one)))
    return 'its arguments are not told apart at a call';
  if (
    named.some(
      (one, index) =>
        one.initializer !== undefined &&
        !isPlain(one.initializer) &&
        (call.arguments[index] === undefined || !isGiven(call.arguments[index])),
    )
  )
    return 'a default value is worked out at a call';
  const place = placeOf(isAsync ? call.parent : call);
  const isValue = !ts.isBlock(body) || (body.statements.length === 1 && ts.isReturnStatement(body.statements[0]));
  if (isValue) {
    // A value can stand where the call stands, if its arguments may be read when and as often as it reads them.
    const isFree = call.arguments.every((one) => isPlain(one) || ts.isIdentifier(one) || ts.isFunctionLike(one));
    return isFree || place !== 'inside' ? undefined : 'its arguments would be evaluated at another time';
  }
  if (isChoice([...body.statements]) && place === 'inside')
    return call.arguments.every((one) => isPlain(one) || ts.isIdentifier(one))
      ? undefined
      : 'its arguments would be evaluated at another time';
  if (place === 'inside') return 'statements cannot stand in the middle of what is evaluated';
  const returns = [];
  const visit = (node) => {
    if (ts.isFunctionLike(node)) return;
    if (ts.isReturnStatement(node)) returns.push(node);
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(body, visit);
  const isEarly = returns.some((one) => one !== body.statements.at(-1));
  if (isEarly && place !== 'return') return 'it returns in the middle, which would end its caller';
  if (place === 'first' && !(body.statements.at(-1) !== undefined && ts.isReturnStatement(body.statements.at(-1))))
    return 'its result is used, and it returns none';
  return undefined;
}

/** `if (a) return b; return c;` */
function isChoice(statements) {
  const [first, ...rest] = statements;
  if (first === undefined) return false;
  if (ts.isReturnStatement(first)) return rest.length === 0;
  if (ts.isBlock(first)) return rest.length === 0 && isChoice([...first.statements]);
  if (!ts.isIfStatement(first)) return false;
  const other = first.elseStatement === undefined ? rest : [first.elseStatement];
  return isChoice([first.thenStatement]) && isChoice(other);
}

/** Where statements can stand for a call: in place of its statement, of what returns it, or before it when it is the first thing done. */
function placeOf(node) {
  let at = node;
  while (ts.isParenthesizedExpression(at.parent)) at = at.parent;
  if (ts.isArrowFunction(at.parent) && at.parent.body === at) return 'return';
  if (ts.isReturnStatement(at.parent)) return 'return';
  if (ts.isExpressionStatement(at.parent)) {
    const block = at.parent.parent;
    const isLast = ts.isBlock(block) && block.statements.at(-1) === at.parent && ts.isFunctionLike(block.parent);
    return isLast ? 'return' : 'statement';
  }
  const isGuarded = ts.isExpressionStatement(at.parent.parent) && isConditional(at);
  if (isGuarded) return 'statement';
  const statement = ts.findAncestor(at, (one) => ts.isStatement(one) || ts.isFunctionLike(one));
  if (statement === undefined || !ts.isStatement(statement) || ts.isIterationStatement(statement, false))
    return 'inside';
  if (
    !ts.isBlock(statement.parent) &&
    !ts.isSourceFile(statement.parent) &&
    !ts.isCaseOrDefaultClause(statement.parent)
  )
    return 'inside';
  for (let part = at; part !== statement; part = part.parent) {
    if (isConditional(part) || isInLoopHead(part)) return 'inside';
    let isFirst = true;
    ts.forEachChild(part.parent, (sibling) => {
      if (sibling.getStart() >= part.getStart() || sibling === part) return;
      if (ts.isToken(sibling) && !ts.isIdentifier(sibling)) return;
      if (isNamed(part.parent, sibling)) return;
      if (
        !(
          ts.isIdentifier(sibling) ||
          isPlain(sibling) ||
          ts.isFunctionLike(sibling) ||
          isCalleeOf(part.parent, sibling)
        )
      )
        isFirst = false;
    });
    if (!isFirst) return 'inside';
  }
  return 'first';
}

function isNamed(parent, node) {
  return (
    parent.name === node ||
    ts.isTypeNode(node) ||
    ts.isModifier(node) ||
    (ts.isBinaryExpression(parent) && parent.left === node && ts.isIdentifier(node))
  );
}

function isCalleeOf(parent, node) {
  return ts.isCallExpression(parent) && parent.expression === node && !hasEffects(node);
}

function isPlain(node) {
  return (
    ts.isLiteralExpression(node) ||
    node.kind === ts.SyntaxKind.TrueKeyword ||
    node.kind === ts.SyntaxKind.FalseKeyword ||
    node.kind === ts.SyntaxKind.NullKeyword ||
    node.kind === ts.SyntaxKind.ThisKeyword ||
    (ts.isIdentifier(node) && node.text === 'undefined') ||
    (ts.isPrefixUnaryExpression(node) && ts.isNumericLiteral(node.operand))
  );
}

function isGiven(node) {
  return (
    (isPlain(node) && node.getText() !== 'undefined') ||
    ts.isFunctionLike(node) ||
    ts.isObjectLiteralExpression(node) ||
    ts.isArrayLiteralExpression(node) ||
    ts.isNewExpression(node) ||
    ts.isTemplateExpression(node)
  );
}

/** What the code names must be known, and the same, where it goes. */
function whyOtherNames(program, code, declaration, uses) {
  const { checker } = program;
  const home = declaration.getSourceFile();
  const free = new Map();
  const visit = (node) => {
    if (ts.isIdentifier(node) && !(ts.isPropertyAccessExpression(node.parent) && node.parent.name === node)) {
      const symbol = checker.getSymbolAtLocation(node);
      const isInner = symbol?.declarations?.some((one) => holds(code, one));
      if (symbol !== undefined && !isInner) free.set(node.text, symbol);
    }
    ts.forEachChild(node, visit);
  };
  visit(code);
  const everything = ts.SymbolFlags.Value | ts.SymbolFlags.Type | ts.SymbolFlags.Namespace | ts.SymbolFlags.Alias;
  const plain = (symbol) =>
    symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0 ? checker.getAliasedSymbol(symbol) : symbol;
  for (const use of uses)
    for (const [name, symbol] of free) {
      const there = checker.resolveName(name, use, everything, false);
      if (there !== undefined && plain(there) !== plain(symbol))
        return `"${name}" means something else where it is used`;
      const isOwn = symbol.declarations?.some(
        (one) =>
          one.getSourceFile() === home &&
          !ts.isImportSpecifier(one) &&
          !ts.isImportClause(one) &&
          !ts.isNamespaceImport(one),
      );
      if (use.getSourceFile() === home || !isOwn || there !== undefined) continue;
      const isExported = checker.getExportsOfModule(checker.getSymbolAtLocation(home)).some((one) => one.name === name);
      const isInNamespace = symbol.declarations.some(
        (one) =>
          ts.findAncestor(one, ts.isModuleBlock) !== undefined &&
          (ts.getCombinedModifierFlags(one) & ts.ModifierFlags.Export) !== 0,
      );
      if (!isExported && !isInNamespace) return `"${name}" cannot be had in another file`;
    }
  return undefined;
}

/** What the value reads must still be the same when it is used. */
function whyOtherTime(program, value, declaration, uses, isElsewhere) {
  const { checker } = program;
  const names = new Set();
  const members = new Set();
  const visit = (node) => {
    if (ts.isFunctionLike(node)) return;
    if (ts.isIdentifier(node)) names.add(checker.getSymbolAtLocation(node));
    if (ts.isPropertyAccessExpression(node)) members.add(node.name.text);
    if (ts.isElementAccessExpression(node)) members.add('[]');
    ts.forEachChild(node, visit);
  };
  visit(value);
  if (isElsewhere && members.size > 0) return 'what it reads may have changed when another file uses it';
  const home = ts.findAncestor(declaration, ts.isFunctionLike);
  const last = Math.max(...uses.map((use) => use.getEnd()));
  const isAnyTime = uses.some(
    (use) =>
      ts.findAncestor(use, ts.isFunctionLike) !== home ||
      ts.findAncestor(use, (one) => ts.isIterationStatement(one, false) && !holds(one, declaration)) !== undefined,
  );
  const isWritten = (node) => {
    if (!isAnyTime && (node.getStart() < declaration.getEnd() || node.getEnd() > last)) return false;
    if (ts.isIdentifier(node) && isWrite(node)) return names.has(checker.getSymbolAtLocation(node));
    if (ts.isPropertyAccessExpression(node) && isWrite(node)) return members.has(node.name.text);
    if (ts.isElementAccessExpression(node) && isWrite(node)) return members.size > 0;
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression) && members.size > 0) {
      const base = node.expression.expression;
      return base.kind === ts.SyntaxKind.ThisKeyword
        ? true
        : ts.isIdentifier(base) && names.has(checker.getSymbolAtLocation(base));
    }
    return false;
  };
  return some(declaration.getSourceFile(), isWritten) ? 'what it reads is changed before it is used' : undefined;
}

/** Nothing is done between a declaration and its use. */
function isNext(declaration, use) {
  const list = declaration.parent;
  const statement = list.parent;
  const siblings = statement.parent?.statements;
  if (siblings === undefined || !ts.isVariableDeclarationList(list)) return false;
  const later = list.declarations.slice(list.declarations.indexOf(declaration) + 1);
  const rest = [...later, ...siblings.slice(siblings.indexOf(statement) + 1)];
  for (const holder of rest) {
    if (!holds(holder, use)) {
      if (hasEffects(holder) || !(ts.isVariableStatement(holder) || ts.isVariableDeclaration(holder))) return false;
      continue;
    }
    if (
      ts.isIterationStatement(holder, false) &&
      !((ts.isForOfStatement(holder) || ts.isForInStatement(holder)) && holds(holder.expression, use))
    )
      return false;
    if (ts.isIfStatement(holder) && !holds(holder.expression, use)) return false;
    if (ts.isBlock(holder) || ts.isTryStatement(holder) || ts.isClassLike(holder) || ts.isFunctionLike(holder))
      return false;
    for (let at = use; at !== holder; at = at.parent) {
      if (isConditional(at) || ts.isFunctionLike(at)) return false;
      let isFirst = true;
      ts.forEachChild(at.parent, (sibling) => {
        if (sibling.getStart() < at.getStart() && hasEffects(sibling)) isFirst = false;
      });
      if (!isFirst) return false;
    }
    return true;
  }
  return false;
}

function isPassedOn(home, name) {
  return home.statements.some(
    (one) =>
      (ts.isExportDeclaration(one) &&
        one.exportClause !== undefined &&
        ts.isNamedExports(one.exportClause) &&
        one.exportClause.elements.some((each) => (each.propertyName ?? each.name).text === name)) ||
      (ts.isExportAssignment(one) && ts.isIdentifier(one.expression) && one.expression.text === name),
  );
}
