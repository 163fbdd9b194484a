import type ts from 'typescript-classic';
import { compiler, parse } from '../syntax/compiler.ts';
import { type Change, textWith } from '../syntax/textChange.ts';
import { importOf, newImports, typeNames, type Imported } from '../imports/importsElsewhere.ts';
import { freeNames, scopeDeclares } from '../syntax/scopes.ts';

/**
 * What a declaration needs of a package that is not installed: the server does not add it to the imports of a file that imports something
 * else of that package already.
 */
export function withMissedImports(path: string, text: string, before: string, old: ts.SourceFile): string {
  const tsc = compiler();
  const source = parse(path, text);
  const known = parse(path, before);
  const needed = (file: ts.SourceFile): string[] => [...freeNames(file), ...typeNames(file)];
  const lacked = new Set(needed(known));
  const edits: Change[] = [];
  const lines: string[] = [];
  for (const name of new Set(needed(source))) {
    const origin = importOf(old, name);
    if (origin === undefined || origin.module.startsWith('.') || lacked.has(name)) continue;
    if (scopeDeclares(source, name) || importOf(source, name) !== undefined) continue;
    const list = source.statements
      .filter((one) => tsc.isImportDeclaration(one))
      .filter(({ moduleSpecifier: module }) => tsc.isStringLiteral(module) && module.text === origin.module)
      .flatMap(({ importClause: clause }) => (clause === undefined || isOfTypes(clause) ? [] : [clause.namedBindings]))
      .find((one) => one !== undefined && tsc.isNamedImports(one));
    const last = list !== undefined && tsc.isNamedImports(list) ? list.elements.at(-1) : undefined;
    if (last === undefined || origin.imported === 'default' || origin.imported === '*')
      lines.push(`import ${broughtAs(name, origin)} from ${origin.statement?.moduleSpecifier.getText(old) ?? ''};`);
    else edits.push({ start: last.getEnd(), end: last.getEnd(), text: `, ${element(name, origin)}` });
  }
  const [start, end, added] = newImports(source, lines);
  return textWith(text, lines.length === 0 ? edits : [...edits, { start, end, text: added }]);
}

function isOfTypes(clause: ts.ImportClause): boolean {
  return clause.phaseModifier === compiler().SyntaxKind.TypeKeyword;
}

function broughtAs(name: string, origin: Imported): string {
  if (origin.imported === 'default') return name;
  return origin.imported === '*' ? `* as ${name}` : `{ ${element(name, origin)} }`;
}

function element(name: string, { imported, isType }: Imported): string {
  return `${isType === true ? 'type ' : ''}${imported === name ? name : `${imported} as ${name}`}`;
}
