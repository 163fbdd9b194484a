import { ToolError } from '../../../../base/errors.ts';
import { displayPath, isInside } from '../../../../base/paths.ts';
import { LineIndex, type Range } from '../../../../base/positions.ts';
import {
  proposal,
  sameTextFor,
  type Conflict,
  type Proposal,
  type RefactorTarget,
  type RefactorWaiting,
} from '../model.ts';
import { invalidName, parse, tokenAt, compiler } from './compiler.ts';
import { isLocalDeclaration } from './locality.ts';
import { addEdit, editedTexts, editOperations, mapOffset, tryContents, type FileEdits, type Trial } from './trial.ts';
import { fromTs, sourcePattern, tsPosition, type TypeScriptService } from './tsService.ts';

interface TsSpan {
  start: { line: number; offset: number };
  end: { line: number; offset: number };
  prefixText?: string;
  suffixText?: string;
}

interface TsRename {
  info: { canRename: boolean; localizedErrorMessage?: string };
  locs: { file: string; locs: TsSpan[] }[];
}

interface Place {
  path: string;
  range: Range;
  prefix: string;
  suffix: string;
}

/** Renames a symbol everywhere, through imports and re-exports. The result is tried out: it must bind exactly as before. */
export async function renameSymbol(
  service: TypeScriptService,
  asked: RefactorTarget,
  newName: string,
  waiting: RefactorWaiting,
): Promise<Proposal> {
  const target = await declarationOf(service, asked, waiting);
  const oldName = target.name;
  checkName(oldName, newName);
  if (newName === oldName) throw new ToolError('invalid_arguments', `It is called "${oldName}" already.`);
  const declared = parse(target.path, (await service.text(target.path)).text);
  const isLocal = isLocalDeclaration(tokenAt(declared, (await service.text(target.path)).offsetAt(target.position)));
  const mentions = isLocal ? [target.path] : await service.openMentions(oldName, waiting);
  const places = await placesOf(service, target, waiting);
  const outside = places.find((place) => !isOwn(service, place.path));
  if (outside !== undefined)
    throw new ToolError(
      'refactoring_conflict',
      `"${oldName}" is also declared in ${outside.path}, which is not part of the project.`,
    );

  const edits: FileEdits = new Map();
  for (const place of places) addEdit(edits, place.path, place.range, place.prefix + newName + place.suffix);
  const known = new Set(mentions);
  // Names that exist already may be captured; files that mention the new name are where that would show.
  if (!isLocal) for (const file of await service.openMentions(newName, waiting)) known.add(file);
  const dependents = [...known].filter((file) => !edits.has(file));
  const trial = await tryOut(service, target, newName, places, edits, dependents, waiting);
  const files = edits.size;
  return proposal(
    `rename ${oldName} to ${newName}: ${places.length} places in ${files} file${files === 1 ? '' : 's'}`,
    editOperations(service, edits),
    {
      ...trial,
      dependents,
      renamed: { from: oldName, to: newName },
      notes: await leftBehind(service, oldName, places, mentions),
    },
  );
}

/** A use of an import means the thing imported, not the local name of it, unless the import gives it a name of its own. */
async function declarationOf(
  service: TypeScriptService,
  asked: RefactorTarget,
  waiting: RefactorWaiting,
): Promise<RefactorTarget> {
  await service.open([asked.path]);
  const found = await service.request<
    { file: string; start: { line: number; offset: number }; end: { line: number; offset: number } }[]
  >('definition', { file: asked.path, ...tsPosition(asked.position) }, waiting);
  const [only] = found;
  if (found.length !== 1 || only === undefined || !isOwn(service, only.file) || !sourcePattern.test(only.file))
    return asked;
  const text = await service.text(only.file);
  const name = text.text.slice(text.offsetAt(fromTs(only.start)), text.offsetAt(fromTs(only.end)));
  if (name !== asked.name) return asked;
  return { path: only.file, name, position: fromTs(only.start) };
}

/** Every place that must change. Exports under the same name are followed to their importers instead of being aliased. */
async function placesOf(
  service: TypeScriptService,
  target: RefactorTarget,
  waiting: RefactorWaiting,
): Promise<Place[]> {
  const places = new Map<string, Place>();
  const queue: { path: string; line: number; offset: number }[] = [
    { path: target.path, ...tsPosition(target.position) },
  ];
  const asked = new Set<string>();
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const key = `${next.path}:${next.line}:${next.offset}`;
    if (asked.has(key)) continue;
    asked.add(key);
    await service.open([next.path]);
    const answer = await service.request<TsRename>(
      'rename',
      { file: next.path, line: next.line, offset: next.offset },
      waiting,
    );
    if (!answer.info.canRename)
      throw new ToolError(
        'refactoring_not_available',
        `"${target.name}" cannot be renamed: ${answer.info.localizedErrorMessage ?? 'the TypeScript server gives no reason'}`,
      );
    for (const group of answer.locs) {
      for (const span of group.locs) {
        const placeKey = `${group.file}:${span.start.line}:${span.start.offset}`;
        const known = places.get(placeKey);
        const place: Place = {
          path: group.file,
          range: { start: fromTs(span.start), end: fromTs(span.end) },
          prefix: span.prefixText ?? '',
          suffix: span.suffixText ?? '',
        };
        // A shorthand, or an export under the same name, that is met from both its sides changes whole and needs no alias.
        if (known === undefined) places.set(placeKey, place);
        else if (known.prefix !== place.prefix || known.suffix !== place.suffix)
          places.set(placeKey, { ...place, prefix: '', suffix: '' });
        // An export that would keep its name by an alias is followed to those who import it instead.
        if (place.suffix.startsWith(' as ')) queue.push({ path: group.file, ...span.start });
      }
    }
  }
  return [...places.values()];
}

function checkName(oldName: string, newName: string): void {
  const why = invalidName(newName);
  if (why !== undefined) throw new ToolError('invalid_arguments', `${why}.`, { hint: 'Choose another new_name.' });
  if (oldName.startsWith('#') !== newName.startsWith('#'))
    throw new ToolError(
      'invalid_arguments',
      `"${oldName}" and "${newName}" must both be private names (#) or neither.`,
    );
}

/** With the edits laid over the files, the new name must be found in exactly the places that were changed, and no error may appear. */
async function tryOut(
  service: TypeScriptService,
  target: RefactorTarget,
  newName: string,
  places: readonly Place[],
  edits: FileEdits,
  dependents: readonly string[],
  waiting: RefactorWaiting,
): Promise<Partial<Trial>> {
  const texts = await editedTexts(service, edits);
  const expected = new Set<string>();
  let start: { path: string; offset: number } | undefined;
  for (const place of places) {
    const before = await service.text(place.path);
    const offset = before.offsetAt(place.range.start);
    const after = mapOffset(before, edits.get(place.path) ?? [], offset) + place.prefix.length;
    expected.add(`${place.path}:${after}`);
    const isTarget = place.path === target.path && offset === before.offsetAt(target.position);
    if (isTarget) start = { path: place.path, offset: after };
  }
  if (start === undefined) return {};
  const first = start;
  const found = await service.overlaid(texts, async () => {
    const index = new LineIndex(texts.get(first.path) ?? '');
    const again = await placesOf(
      service,
      { path: first.path, name: newName, position: index.positionAt(first.offset) },
      waiting,
    );
    return again.map((place) => {
      const text = texts.get(place.path);
      const lines = text === undefined ? undefined : new LineIndex(text);
      return { place, key: lines === undefined ? '' : `${place.path}:${lines.offsetAt(place.range.start)}` };
    });
  });
  const foundKeys = new Set(found.map((one) => one.key));
  const conflicts: Conflict[] = [];
  for (const { place, key } of found)
    if (!expected.has(key))
      conflicts.push({
        kind: 'name',
        message: `"${newName}" already means something else there and would be taken for the renamed symbol`,
        file: place.path,
        line: place.range.start.line,
        column: place.range.start.column,
      });
  const lost = [...expected].filter((key) => !foundKeys.has(key));
  if (lost.length > 0) {
    const [path = ''] = /^.*(?=:\d+$)/.exec(lost[0] ?? '') ?? [];
    const offset = Number(/\d+$/.exec(lost[0] ?? '')?.[0]);
    const at = new LineIndex(texts.get(path) ?? '').positionAt(offset);
    conflicts.push({
      kind: 'name',
      message: `${lost.length} place${lost.length === 1 ? '' : 's'} would mean another "${newName}" than the renamed one`,
      file: path,
      line: at.line,
      column: at.column,
    });
  }
  if (conflicts.length > 0) return { conflicts };
  return tryContents(service, texts, dependents, waiting, sameTextFor({ from: target.name, to: newName }));
}

/** Mentions that were not renamed: strings and comments, said so that nobody has to look for them. */
async function leftBehind(
  service: TypeScriptService,
  name: string,
  places: readonly Place[],
  mentions: readonly string[],
): Promise<string[]> {
  const changed = new Set(places.map((place) => `${place.path}:${place.range.start.line}:${place.range.start.column}`));
  const inText: string[] = [];
  const ts = compiler();
  for (const path of mentions.slice(0, 40)) {
    const text = await service.text(path);
    const source = parse(path, text.text);
    for (const match of text.text.matchAll(new RegExp(`(?<![\\w$])${escapeRegExp(name)}(?![\\w$])`, 'g'))) {
      const at = text.positionAt(match.index);
      if (changed.has(`${path}:${at.line}:${at.column}`)) continue;
      const token = tokenAt(source, match.index);
      const isName = ts.isIdentifier(token) || ts.isPrivateIdentifier(token);
      if (!isName) inText.push(`${displayPath(service.project.root, path)}:${at.line}`);
    }
  }
  if (inText.length === 0) return [];
  return [
    `"${name}" also stands in ${inText.length} strings or comments, left as they are: ${inText.slice(0, 8).join(', ')}${inText.length > 8 ? ', …' : ''}`,
  ];
}

function isOwn(service: TypeScriptService, path: string): boolean {
  return isInside(service.project.root, path) && !path.includes('/node_modules/');
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
