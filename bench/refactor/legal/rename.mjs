import { some, ts } from './program.mjs';

const natural = new Set([
  ...names(Function.prototype),
  ...names(Object.prototype),
  'length',
  'name',
  'prototype',
  'then',
]);

function names(object) {
  return Object.getOwnPropertyNames(object);
}

/** Whether the name of a member shows in what the package says: then it is data, and another name is another behaviour. */
export function isVisibleMember(program, args, said) {
  const token = program.tokenAt(args.file, args);
  return isMember(program, token) && new RegExp(`(?<![\\w$])${escaped(token.text)}(?![\\w$])`).test(said);
}

/** Why nobody could give this another name and keep the meaning. */
export function whyNoRename(program, args) {
  const token = program.tokenAt(args.file, args);
  const { checker } = program;
  const symbol = checker.getSymbolAtLocation(token);
  const meaning = program.meaning(token) ?? symbol;
  if (meaning === undefined) return 'the compiler does not know what it means';
  const declarations = [...(meaning.declarations ?? []), ...(symbol?.declarations ?? [])];
  if (declarations.length === 0) return 'it is declared nowhere';
  if (declarations.some((one) => !program.isOwn(one.getSourceFile()))) return 'it belongs to a library or the language';
  const literal = token.parent?.parent;
  if (literal !== undefined && ts.isObjectLiteralExpression(literal) && token.parent.name === token) {
    const expected = checker.getContextualType(literal)?.getProperty(token.text);
    if (expected?.declarations?.some((one) => !program.isOwn(one.getSourceFile())))
      return 'a library asks for it by this name';
  }
  if (!isMember(program, token)) return undefined;
  if (natural.has(token.text)) return 'functions or objects have such a member by nature';
  if (isInherited(program, declarations, token.text)) return 'a class of a library has such a member';
  if (isSuppliedByLibrary(program, declarations, token.text)) return 'an object of a library is used in its place';
  const quoted = new RegExp(`(['"\`])${escaped(token.text)}\\1`);
  if (
    program.sources.some(
      (one) =>
        quoted.test(one.text) &&
        some(one, (node) => ts.isStringLiteralLike(node) && node.text === token.text && !isNameOfMember(node)),
    )
  )
    return 'it is also written as a string';
  return undefined;
}

/** Whether some value of a library's type stands where the owner of the member is expected: it has the member, under its own name. */
function isSuppliedByLibrary(program, declarations, name) {
  const { checker } = program;
  const isWanted = (type) => type?.getProperty(name)?.declarations?.some((one) => declarations.includes(one)) ?? false;
  const isForeign = (type) =>
    type.getProperty(name)?.declarations?.some((one) => !program.isOwn(one.getSourceFile())) ?? false;
  const types = (type) => (type?.isUnion() ? type.types : type === undefined ? [] : [type]);
  return program.sources.some((source) =>
    some(source, (node) => {
      if (!ts.isIdentifier(node) && !ts.isPropertyAccessExpression(node) && !ts.isCallExpression(node)) return false;
      if (!ts.isExpression(node) || node.parent.name === node) return false;
      const isOperand =
        ts.isBinaryExpression(node.parent) && ['||', '??'].includes(node.parent.operatorToken.getText());
      const expected = isOperand ? checker.getTypeAtLocation(node.parent) : checker.getContextualType(node);
      if (!types(expected).some(isWanted)) return false;
      return types(checker.getTypeAtLocation(node)).some(isForeign);
    }),
  );
}

/** Strings that are themselves the name of a member: the compiler follows them. */
function isNameOfMember(node) {
  return (
    (ts.isElementAccessExpression(node.parent) && node.parent.argumentExpression === node) || node.parent.name === node
  );
}

function isMember(program, token) {
  const symbol = program.checker.getSymbolAtLocation(token);
  const flags = ts.SymbolFlags.Property | ts.SymbolFlags.Method | ts.SymbolFlags.Accessor | ts.SymbolFlags.EnumMember;
  return symbol !== undefined && (symbol.flags & flags) !== 0;
}

function isInherited(program, declarations, name) {
  return declarations.some((one) => {
    const owner = ts.findAncestor(one, (node) => ts.isClassLike(node) || ts.isInterfaceDeclaration(node));
    const types = (owner?.heritageClauses ?? []).flatMap((clause) => clause.types);
    return types.some((each) =>
      program.checker
        .getTypeAtLocation(each)
        .getProperty(name)
        ?.declarations?.some((two) => !program.isOwn(two.getSourceFile())),
    );
  });
}

function escaped(text) {
  return text.replaceAll('$', '\\$');
}
