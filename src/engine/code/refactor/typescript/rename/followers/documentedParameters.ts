import type ts from 'typescript-classic';
import type { RenamePlace } from '../../servers/backend.ts';
import { compiler, parse, tokenAt } from '../../syntax/compiler.ts';
import type { RenameFollower } from '../state.ts';

/** Where the documentation of a function that is assigned to something names a renamed parameter; the server knows only that of declarations. */
export const documentedParameters: RenameFollower = {
  name: 'documented parameters',
  // A parameter is known within its function only.
  appliesTo: ({ places }) => new Set(places.map(({ path }) => path)).size === 1,
  async follow({ backend, target: { name }, places }) {
    const tsc = compiler();
    const path = places[0]?.path ?? '';
    const text = await backend.text(path);
    const mention = new RegExp(`@param\\b.*(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`);
    if (!mention.test(text.text)) return {};
    const source = parse(path, text.text);
    const own = places.map(({ range }) => text.offsetAt(range.start));
    const extra: RenamePlace[] = [];
    for (const offset of own) {
      const { parent } = tokenAt(source, offset);
      if (parent === undefined || !tsc.isParameter(parent) || parent.name.getText(source) !== name) continue;
      for (const tag of tsc.getJSDocTags(parent.parent)) {
        const documented = tsc.isJSDocParameterTag(tag) ? leftmost(tag.name) : undefined;
        if (documented?.text !== name || own.includes(documented.getStart(source))) continue;
        const [start, end] = [text.positionAt(documented.getStart(source)), text.positionAt(documented.getEnd())];
        extra.push({ path, range: { start, end }, prefix: '', suffix: '' });
      }
    }
    return { extra };
  },
};

function leftmost(name: ts.EntityName): ts.Identifier {
  return compiler().isIdentifier(name) ? name : leftmost(name.left);
}
