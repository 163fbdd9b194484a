import { createRequire } from 'node:module';
import type ts from 'typescript-classic';

/** Where something begins that runs by itself. */
export interface StatementStart {
  offset: number;
  /** 1-based. */
  line: number;
  column: number;
}

let compiler: typeof ts | undefined;

/** The statements of JavaScript or TypeScript, as people count them: not the declarations that only name something. */
export function statementStarts(text: string, path: string): StatementStart[] {
  compiler ??= createRequire(import.meta.url)('typescript-classic') as typeof ts;
  const api = compiler;
  const file = api.createSourceFile(path, text, api.ScriptTarget.Latest, false, scriptKind(api, path));
  const found: StatementStart[] = [];
  const visit = (node: ts.Node): void => {
    if (isOnlyTypes(api, node)) return;
    const start = runsAt(api, node);
    if (start !== undefined) {
      const offset = start.getStart(file);
      const { line, character } = file.getLineAndCharacterOfPosition(offset);
      found.push({ offset, line: line + 1, column: character + 1 });
    }
    api.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function runsAt(api: typeof ts, node: ts.Node): ts.Node | undefined {
  if (api.isArrowFunction(node)) return api.isBlock(node.body) ? undefined : node.body;
  if (api.isPropertyDeclaration(node)) return node.initializer;
  if (api.isVariableStatement(node) || api.isExportAssignment(node) || api.isEnumDeclaration(node)) return node;
  const { kind } = node;
  const isPlain = kind >= api.SyntaxKind.FirstStatement && kind <= api.SyntaxKind.LastStatement;
  return isPlain && !api.isEmptyStatement(node) && !api.isLabeledStatement(node) ? node : undefined;
}

function isOnlyTypes(api: typeof ts, node: ts.Node): boolean {
  if (api.isInterfaceDeclaration(node) || api.isTypeAliasDeclaration(node) || api.isTypeNode(node)) return true;
  return (
    api.canHaveModifiers(node) &&
    api.getModifiers(node)?.some(({ kind }) => kind === api.SyntaxKind.DeclareKeyword) === true
  );
}

function scriptKind(api: typeof ts, path: string): ts.ScriptKind {
  if (path.endsWith('.tsx')) return api.ScriptKind.TSX;
  return /\.[cm]?ts$/.test(path) ? api.ScriptKind.TS : api.ScriptKind.JSX;
}
