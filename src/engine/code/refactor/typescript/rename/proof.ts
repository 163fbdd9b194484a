import type ts from 'typescript-classic';
import { isJavascriptFile } from '../../../../../base/languages/byPath.ts';
import type { LineIndex, Position } from '../../../../../base/positions.ts';
import type { RenamePlace } from '../servers/backend.ts';
import { compiler, parse, tokenAt } from '../syntax/compiler.ts';
import { declaresInScope, isLocalDeclaration } from '../syntax/locality.ts';
import { remaining } from '../semantics/mentions.ts';
import type { RenameRound } from './state.ts';

type Claim = Pick<RenameRound, 'backend' | 'target' | 'newName' | 'places' | 'old' | 'fresh' | 'asObject'>;

/**
 * Why the places alone do not show that a rename keeps every meaning; undefined when they do. A name of a scope (not a member of an
 * object) whose new name stands nowhere near can neither be captured nor capture, and nothing can tell the program from the one
 * before, unless the module is handled as an object. Trying out a rename of 147 files takes a minute; looking at this takes none.
 */
export function whyUnproven(claim: Claim): Promise<string | undefined> {
  const known = reasons.get(claim.places) ?? reasonOf(claim);
  reasons.set(claim.places, known);
  return known;
}

/** By the places that they are about: every stage asks. */
const reasons = new WeakMap<readonly RenamePlace[], Promise<string | undefined>>();

async function reasonOf(claim: Claim): Promise<string | undefined> {
  const { backend, target, newName, places, fresh } = claim;
  if (special.has(newName) || newName in globalThis) return 'the new name has a meaning of its own';
  if (places.some((place) => isJavascriptFile(place.path))) return 'JavaScript is not checked by names alone';
  const isUpper = (name: string): boolean => name.charAt(0) !== name.charAt(0).toLowerCase();
  if (isUpper(target.name) !== isUpper(newName) && places.some((place) => place.path.endsWith('x')))
    return 'JSX takes lower and upper case names differently';
  const changed = new Set(places.map((place) => place.path));
  if (fresh.files.some((file) => changed.has(file))) return 'the new name stands in a changed file';
  const text = await backend.text(target.path);
  const isPlain = isPlainlyExported(text, target.position);
  if (!isPlain) {
    const source = parse(target.path, text.text);
    const token = tokenAt(source, text.offsetAt(target.position));
    if (!declaresInScope(token)) return 'members are related by their types';
    if (isLocalDeclaration(token)) return undefined;
    if (!compiler().isExternalModule(source)) return 'it is global';
    if (changed.size === 1 && !isExported(source, token)) return undefined;
  }
  if (fresh.files.length > 0) return 'the new name stands in other files';
  return hasStructuralNamesake(claim) ? claim.asObject : undefined;
}

/** `export const name` and the like at the beginning of a line of a file without unindented namespaces: no need to parse it. */
export function isPlainlyExported(text: LineIndex, position: Position): boolean {
  const before = text.lineText(position.line)?.slice(0, position.column - 1) ?? '';
  return (
    /^export (?:declare |abstract |async )*(?:const|let|var|function\*?|class|interface|type|enum) +$/.test(before) &&
    !/^(?:export +)?(?:declare +)?(?:namespace|module|global)\b[^\n]*\{[^\S\n]*\r?\n(?=[^\s}])/m.test(text.text)
  );
}

/** Names that the language, the compiler or common tools give a meaning without anybody declaring them. */
const special = new Set(
  'arguments eval undefined NaN Infinity async let static of get set type any unknown never object string number boolean bigint symbol void React h Fragment JSX require exports module default constructor prototype then toString valueOf toJSON __proto__ __dirname __filename global window self document name asserts is keyof infer readonly unique'.split(
    ' ',
  ),
);

function isExported(source: ts.SourceFile, token: ts.Node): boolean {
  const tsc = compiler();
  const statement = tsc.findAncestor(token, (node) => node.parent === source);
  if (statement === undefined) return true;
  if (
    tsc.canHaveModifiers(statement) &&
    tsc.getModifiers(statement)?.some((one) => one.kind === tsc.SyntaxKind.ExportKeyword)
  )
    return true;
  const name = token.getText(source);
  return source.statements.some(
    (one) =>
      (tsc.isExportDeclaration(one) || tsc.isExportAssignment(one)) &&
      new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`).test(one.getText(source)),
  );
}

/** Whether some other thing could be a property of that name: only then could a module be taken for an object with it. */
function hasStructuralNamesake({ places, old }: Claim): boolean {
  return remaining(places, old).some(({ range, lineText }) => {
    const before = lineText.slice(0, range.start.column - 1);
    const after = lineText.slice(range.end.column - 1);
    if (/^\s*(?:\*|\/\/|\/\*)/.test(before) || /\/\/\s/.test(before)) return false;
    if (/[\w$)\]]\??\.\s*$/.test(before)) return false;
    const isKey = /^\s*\??\s*:(?!:)/.test(after) && !/\?\s*[^:]*$/.test(before);
    const isQuoted = /['"`]$/.test(before) && /^['"`]/.test(after);
    const isMethod =
      /^\s*(?:(?:readonly|public|static|async|get|set|\*)\s+)*$/.test(before) && /^\s*\??\s*[(<]/.test(after);
    const isShorthand = /[{,]\s*$/.test(before) && /^\s*[,}]/.test(after);
    return isKey || isQuoted || isMethod || isShorthand;
  });
}
