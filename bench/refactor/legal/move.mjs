import { holds, isWrite, some, ts } from './program.mjs';

/** Why nobody could put a declaration in another file and leave the rest where it is. */
export function whyNoMove(program, args) {
  const { checker } = program;
  const name = program.tokenAt(args.file, args);
  const source = program.source(args.file);
  const symbol = checker.getSymbolAtLocation(name);
  const moved = source.statements.filter((one) =>
    some(
      one,
      (node) => node.parent?.name === node && ts.isIdentifier(node) && node.text === name.text && isTop(node, source),
    ),
  );
  const stays = (one) =>
    one !== undefined &&
    one.getSourceFile() === source &&
    !moved.some((each) => holds(each, one)) &&
    !ts.isImportSpecifier(one) &&
    !ts.isImportClause(one);
  const isStaying = (node) =>
    ts.isIdentifier(node) &&
    (checker.getSymbolAtLocation(node)?.declarations ?? []).some((one) => stays(one) && isTop(one.name ?? one, source));
  if (moved.some((one) => some(one, (node) => isStaying(node) && isWrite(node))))
    return 'it assigns to a variable that stays, which no import allows';
  // Files that need each other can only be loaded when neither needs the other for that.
  const isLeftBehind = source.statements.some(
    (one) =>
      !moved.includes(one) &&
      some(
        one,
        (node) =>
          ts.isIdentifier(node) &&
          checker.getSymbolAtLocation(node) === symbol &&
          !ts.isExportSpecifier(node.parent) &&
          ts.findAncestor(
            node,
            (up) => ts.isTypeNode(up) || ts.isInterfaceDeclaration(up) || ts.isTypeAliasDeclaration(up),
          ) === undefined,
      ),
  );
  if (isLeftBehind && moved.some((one) => someWhileLoading(one, isStaying)))
    return 'it needs what stays while it is loaded, and what stays needs it';
  return undefined;
}

function isTop(name, source) {
  const statement = ts.findAncestor(name, (one) => one.parent === source);
  return (
    statement !== undefined && ts.findAncestor(name, (one) => ts.isFunctionLike(one) && one !== statement) === undefined
  );
}

function someWhileLoading(root, is) {
  let found = false;
  const visit = (node) => {
    // What a class extends is a value, although it is written like a type.
    const isType = ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node);
    if (found || isType || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    if (ts.isHeritageClause(node) && node.token === ts.SyntaxKind.ImplementsKeyword) return;
    if (
      ts.isFunctionLike(node) ||
      (ts.isPropertyDeclaration(node) && (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Static) === 0)
    )
      return;
    found = is(node);
    if (!found) ts.forEachChild(node, visit);
  };
  visit(root);
  return found;
}
