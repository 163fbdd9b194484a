import type ts from 'typescript-classic';
import { displayPath } from '../../../../../base/paths.ts';
import { compiler, parse, tokenAt } from '../syntax/compiler.ts';
import { importOf } from '../imports/importsElsewhere.ts';
import type { Reference } from '../servers/references.ts';
import type { TypeScriptService } from '../servers/tsService.ts';
import { refuse } from '../../refusals/refuse.ts';

/** Where a name is used, and what brings it there. */
export interface Uses {
  /** The name itself, or the name as a member of its module (`module.name`). */
  nodes: ts.Expression[];
  /** The imports of other files that bring the name in. */
  imports: (ts.ImportSpecifier | ts.ImportClause)[];
  /** It is passed on by an export of its own file or of another one. */
  isPassedOn: boolean;
  sources: ReadonlyMap<string, ts.SourceFile>;
}

/** Sorts the references to a declaration of `home`; its own name is none. */
export function usesOf(
  service: TypeScriptService,
  references: readonly Reference[],
  declared: ts.Node,
  home: ts.SourceFile,
): Uses {
  const tsc = compiler();
  const sources = new Map([[home.fileName, home]]);
  const uses = { nodes: [] as ts.Expression[], imports: [] as Uses['imports'], isPassedOn: false, sources };
  const isInNamespace = tsc.findAncestor(declared, tsc.isModuleBlock) !== undefined;
  for (const { path, offset, line } of references) {
    if (path === home.fileName && offset === declared.getStart(home)) continue;
    const file = sources.get(path) ?? parse(path, service.textNow(path) ?? '');
    sources.set(path, file);
    const token = tokenAt(file, offset);
    // A mention in a comment is no use.
    if (!isNameAt(token, offset)) continue;
    const { parent } = token;
    if (tsc.isExportSpecifier(parent) || tsc.isExportAssignment(parent)) uses.isPassedOn = true;
    else if (tsc.isImportClause(parent)) uses.imports.push(parent);
    else if (tsc.isImportSpecifier(parent)) {
      if (parent.name === token || parent.propertyName === undefined) uses.imports.push(parent);
    } else if (
      tsc.isPropertyAccessExpression(parent) &&
      parent.name === token &&
      (isInNamespace || isOfModule(parent.expression, file))
    )
      uses.nodes.push(parent);
    // Signatures of a function that has several.
    else if (tsc.isFunctionDeclaration(parent) && parent.name === token && parent.body === undefined) continue;
    else if (tsc.isIdentifier(token) && !isDeclarationName(token) && !isMemberName(token)) uses.nodes.push(token);
    else throw refuse('usedElsewhereAsNoValue', { path: displayPath(service.project.root, path), line });
  }
  uses.imports = [...new Set(uses.imports)];
  return uses;
}

/** Whether a token is the name that begins at an offset; in a comment, some larger node around it is found. */
export function isNameAt(token: ts.Node, offset: number): boolean {
  const tsc = compiler();
  return (tsc.isIdentifier(token) || tsc.isPrivateIdentifier(token)) && token.getStart() === offset;
}

function isDeclarationName(token: ts.Identifier): boolean {
  const tsc = compiler();
  const { parent } = token;
  return (
    ((tsc.isFunctionDeclaration(parent) || tsc.isVariableDeclaration(parent) || tsc.isClassDeclaration(parent)) &&
      parent.name === token) ||
    // Taken out of a module that is loaded when it is needed.
    (tsc.isBindingElement(parent) && parent.initializer !== token)
  );
}

function isMemberName(token: ts.Identifier): boolean {
  const tsc = compiler();
  const { parent } = token;
  return (
    (tsc.isPropertyAccessExpression(parent) && parent.name === token) ||
    (tsc.isQualifiedName(parent) && parent.right === token)
  );
}

/** What is declared by a file itself, and no member of anything, is had from an imported name only when that stands for the file. */
function isOfModule(node: ts.Expression, file: ts.SourceFile): boolean {
  const tsc = compiler();
  if (tsc.isPropertyAccessExpression(node)) return isOfModule(node.expression, file);
  return tsc.isIdentifier(node) && importOf(file, node.text) !== undefined;
}
