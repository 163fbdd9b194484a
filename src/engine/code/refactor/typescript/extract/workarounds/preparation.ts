import { LineIndex, type Range } from '../../../../../../base/positions.ts';
import { applyTextEdits } from '../../../../../workspace/edits/text/textEdits.ts';
import type { ExtractRequest, RefactorWaiting } from '../../../model.ts';
import { arrowExtraction } from './arrows.ts';
import { parse } from '../../syntax/compiler.ts';
import { functionScope, offeredOf, variableScope } from '../scopes.ts';
import { actionsFor, editsFor } from '../../servers/serverEdits.ts';
import type { TypeScriptService } from '../../servers/tsService.ts';

/** A text that means what the one on disk does, written so that the selection in it is something the server extracts. */
export interface PreparedText {
  text: string;
  start: number;
  end: number;
}

/** A prepared text, and how what the server makes of it is written rightly; undefined when it cannot be. */
export interface Disguise extends PreparedText {
  reveal: (after: string) => string | undefined;
}

/** What extracting from a prepared text makes of it, and where the new thing is put; undefined when nothing is offered. */
export async function extractPrepared(
  service: TypeScriptService,
  request: ExtractRequest,
  what: 'function' | 'constant',
  { text, start, end }: PreparedText,
  waiting: RefactorWaiting,
): Promise<{ after: string; where: string } | undefined> {
  const { path, newName, scope } = request;
  const lines = new LineIndex(text);
  const range: Range = { start: lines.positionAt(start), end: lines.positionAt(end) };
  const own = what === 'constant' && scope === undefined ? arrowExtraction(path, lines, range, newName) : undefined;
  if (own !== undefined)
    return { after: applyTextEdits(text, own.get(path) ?? [], path), where: 'constant in a block of its own' };
  const answer = await service.overlaid(new Map([[path, text]]), async () => {
    const offered = offeredOf(await actionsFor(service, path, range, `refactor.extract.${what}`, waiting), what);
    const action =
      what === 'constant'
        ? variableScope(offered, request)
        : offered.length === 0
          ? undefined
          : functionScope(offered, request, parse(path, text), range);
    if (action === undefined) return undefined;
    return { action, edits: (await editsFor(service, path, range, action, waiting)).edits.get(path) ?? [] };
  });
  if (answer === undefined) return undefined;
  const after = applyTextEdits(text, answer.edits, path);
  // What the server made up is no name that the file had.
  const named = after.replace(/(?<![\w$#])new(?:Function|Method|Local|Property)(?:_\d+)?(?![\w$])/g, (name) =>
    new RegExp(`(?<![\\w$#])${name}(?![\\w$])`).test(text) ? name : newName,
  );
  return { after: named, where: answer.action.description.replace(/^Extract to /, '') };
}
