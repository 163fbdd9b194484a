import { LineIndex } from '../../../../../base/positions.ts';
import type { TextEdit } from '../../../../workspace/edits/operations.ts';
import { applyTextEdits } from '../../../../workspace/edits/text/textEdits.ts';
import { type ServerEdits } from '../servers/serverEdits.ts';
import { addEdit, editedTexts, type FileEdits } from '../servers/trial.ts';
import { fromTs, type TypeScriptService } from '../servers/tsService.ts';
import { refuse } from '../../refusals/refuse.ts';

/** Puts the caller's name in place of the one the server made up. The made-up name occurs nowhere else in the file: it was chosen so. */
export async function withName(service: TypeScriptService, answer: ServerEdits, newName: string): Promise<FileEdits> {
  const { edits, madeUpName } = answer;
  if (madeUpName === undefined) throw refuse('serverDoesNotSayName');
  const texts = await editedTexts(service, edits);
  const after = texts.get(madeUpName.path) ?? '';
  const at = new LineIndex(after).offsetAt(madeUpName);
  const madeUp = /^#?[\w$]+/u.exec(after.slice(at))?.[0] ?? '';
  if (madeUp === newName) return edits;
  // Some extractions are named after what is extracted (a property's own name): such a name is told from others by the server.
  if (!/^#?new(Function|Method|Local|Property|Type)(_\d+)?$/i.test(madeUp))
    return renamedInPlace(service, texts, madeUpName, newName);
  const pattern = new RegExp(`(?<![\\w$#])${madeUp.replace(/[$]/g, '\\$')}(?![\\w$])`, 'g');
  const named: FileEdits = new Map();
  for (const [path, list] of edits)
    named.set(
      path,
      list.map((edit) => ({ ...edit, newText: edit.newText.replace(pattern, () => newName) })),
    );
  return named;
}

async function renamedInPlace(
  service: TypeScriptService,
  texts: ReadonlyMap<string, string>,
  madeUpName: { path: string; line: number; column: number },
  newName: string,
): Promise<FileEdits> {
  const { path } = madeUpName;
  const text = texts.get(path) ?? '';
  const answer = await service.overlaid(texts, () =>
    service.request<{
      locs: { file: string; locs: { start: TsPlace; end: TsPlace; prefixText?: string; suffixText?: string }[] }[];
    }>('rename', {
      file: path,
      line: madeUpName.line,
      offset: madeUpName.column,
    }),
  );
  const places: TextEdit[] = answer.locs
    .filter((group) => group.file === path)
    .flatMap((group) => group.locs)
    .map((span) => ({
      range: { start: fromTs(span.start), end: fromTs(span.end) },
      newText: (span.prefixText ?? '') + newName + (span.suffixText ?? ''),
    }));
  if (places.length < 2) throw refuse('serverCannotRename');
  return wholeFile(service, path, applyTextEdits(text, places, path));
}

interface TsPlace {
  line: number;
  offset: number;
}

export async function wholeFile(service: TypeScriptService, path: string, text: string): Promise<FileEdits> {
  const before = await service.text(path);
  const edits: FileEdits = new Map();
  addEdit(edits, path, { start: before.positionAt(0), end: before.positionAt(before.text.length) }, text);
  return edits;
}
