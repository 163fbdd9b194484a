import type ts from 'typescript-classic';
import { isJavascriptFile, isTypeDeclarationFile } from '../../../../../base/languages/byPath.ts';
import type { Conflict, RefactorTarget } from '../../model.ts';
import type { RenamePlace, TypeScriptBackend } from '../servers/backend.ts';
import { compiler, parse, tokenAt } from '../syntax/compiler.ts';
import { type Survey, remaining } from './mentions.ts';
import { declaresInScope } from '../syntax/locality.ts';
import { because } from '../../refusals/refuse.ts';

interface Renaming {
  target: RefactorTarget;
  newName: string;
  places: readonly RenamePlace[];
  old: Survey['old'];
}

/** Names by which the language itself, or its library, finds members of objects. */
export const protocols: ReadonlySet<string> = new Set(
  'then toJSON valueOf toString toLocaleString constructor next return throw __proto__'.split(' '),
);

/** Those of them that are plain enough to be meant by nothing else when a class or object has such a method. */
const callable = new Set('then toJSON valueOf toString toLocaleString'.split(' '));

/** What no checker notices: members that are asked for by a string, or that get a meaning by their new name. */
export async function hiddenMeanings(
  backend: TypeScriptBackend,
  { target, newName, places, old }: Renaming,
): Promise<Conflict[]> {
  const text = await backend.text(target.path);
  const token = tokenAt(parse(target.path, text.text), text.offsetAt(target.position));
  const at = { file: target.path, line: target.position.line, column: target.position.column };
  const ambient = await ambientPlace(backend, places);
  if (ambient !== undefined) {
    const message = because('onlyDeclared', { name: target.name });
    const { start } = ambient.range;
    return [{ kind: 'meaning', message, file: ambient.path, line: start.line, column: start.column }];
  }
  // What begins with a small letter already is declared as such an element.
  const isComponent = !/^[a-z]/.test(target.name);
  const tag = isComponent && /^[a-z]/.test(newName) ? await tagPlace(backend, places) : undefined;
  if (tag !== undefined) {
    const message = because('elementOfPage', { name: newName });
    return [{ kind: 'meaning', message, file: tag.path, ...tag.range.start }];
  }
  if (declaresInScope(token) || (await isDeclaredInScope(backend, target.path, places))) return [];
  const found: Conflict[] = [];
  const method = callable.has(target.name) ? await methodPlace(backend, places) : undefined;
  if (method !== undefined)
    found.push({
      kind: 'meaning',
      message: because('languageAsks', { name: target.name }),
      file: method.path,
      ...method.range.start,
    });
  if (protocols.has(newName) && !places.some((place) => place.prefix !== '' || place.suffix !== ''))
    found.push({
      kind: 'meaning',
      message: because('languageGivesMeaning', { name: newName }),
      ...at,
    });
  for (const { path, range, lineText } of remaining(places, old)) {
    if (/^\s*(?:\*|\/\/|\/\*)/.test(lineText)) continue;
    if (!/['"`]$/.test(lineText.slice(0, range.start.column - 1))) continue;
    const after = lineText.slice(range.end.column - 1);
    if (/^['"`]\s+in\s/.test(after) || (/^['"`]/.test(after) && (await asksByString(backend, path))))
      found.push({
        kind: 'meaning',
        message: because('mayAskMemberByOldName', { name: target.name }),
        file: path,
        line: range.start.line,
        column: range.start.column,
      });
  }
  return found;
}

/** In JavaScript nothing tells which names `object[name]` may ask for; a name in a file with such a thing may be one of them. */
async function asksByString(backend: TypeScriptBackend, path: string): Promise<boolean> {
  if (!isJavascriptFile(path)) return false;
  const tsc = compiler();
  const visit = (node: ts.Node): boolean =>
    (tsc.isElementAccessExpression(node) && tsc.isIdentifier(node.argumentExpression)) ||
    (tsc.forEachChild(node, (child) => visit(child) || undefined) ?? false);
  return visit(parse(path, (await backend.text(path)).text));
}

/** What is asked about may be a use; its declaration is among the places. */
async function isDeclaredInScope(
  backend: TypeScriptBackend,
  path: string,
  places: readonly RenamePlace[],
): Promise<boolean> {
  const text = await backend.text(path);
  const source = parse(path, text.text);
  return places.some(
    (place) => place.path === path && declaresInScope(tokenAt(source, text.offsetAt(place.range.start))),
  );
}

/** A place in the declaration of something global that the program itself does not make. */
async function ambientPlace(
  backend: TypeScriptBackend,
  places: readonly RenamePlace[],
): Promise<RenamePlace | undefined> {
  for (const place of places) {
    if (!isTypeDeclarationFile(place.path)) continue;
    const text = await backend.text(place.path);
    if (isGlobalDeclaration(tokenAt(parse(place.path, text.text), text.offsetAt(place.range.start)))) return place;
  }
  return undefined;
}

async function methodPlace(
  backend: TypeScriptBackend,
  places: readonly RenamePlace[],
): Promise<RenamePlace | undefined> {
  for (const place of places) {
    const text = await backend.text(place.path);
    const parent: ts.Node | undefined = tokenAt(parse(place.path, text.text), text.offsetAt(place.range.start)).parent;
    if (parent !== undefined && compiler().isMethodDeclaration(parent)) return place;
  }
  return undefined;
}

/** A place that is the name of a JSX element. */
async function tagPlace(backend: TypeScriptBackend, places: readonly RenamePlace[]): Promise<RenamePlace | undefined> {
  for (const place of places) {
    if (!/x$|\.[cm]?js$/.test(place.path)) continue;
    const text = await backend.text(place.path);
    const before = text.lineText(place.range.start.line)?.slice(0, place.range.start.column - 1) ?? '';
    if (!/<\s*$/.test(before)) continue;
    const { parent } = tokenAt(parse(place.path, text.text), text.offsetAt(place.range.start));
    if (compiler().isJsxOpeningLikeElement(parent)) return place;
  }
  return undefined;
}

function isGlobalDeclaration(token: ts.Node): boolean {
  const tsc = compiler();
  const statement = tsc.findAncestor(token, (node) => node.parent !== undefined && tsc.isSourceFile(node.parent));
  return (
    statement !== undefined &&
    (tsc.isFunctionDeclaration(statement) || tsc.isVariableStatement(statement) || tsc.isClassDeclaration(statement)) &&
    !tsc.isExternalModule(statement.getSourceFile())
  );
}
