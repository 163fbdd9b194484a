import { dirname, join, relative } from 'node:path';
import { advise, step } from '../../../base/text/advice.ts';
import { contentHash } from '../../../base/ids.ts';
import { BugError, ToolError } from '../../../base/errors.ts';
import { displayPath, isInside } from '../../../base/paths.ts';
import { applyByteEdits } from './text/byteEdits.ts';
import { confinedPath } from './confinement.ts';
import { demandVersion } from './demandVersion.ts';
import { listBelow, pathKind } from './directoryContents.ts';
import {
  sameVersion,
  type ChangePlan,
  type EditedSpan,
  type FileOperation,
  type FileVersion,
  type Move,
  type TextEdit,
} from './operations.ts';
import { maxEditableBytes, type FileStamp, type LoadedVersion } from './readVersion.ts';
import { SeenFiles } from './seenFiles.ts';
import { canEncode, decodeText, encodeText, type DecodedText } from '../textEncoding.ts';
import { applyTextEdits, uniformLineEnd, withLineEnds } from './text/textEdits.ts';

/** Works out what a list of operations does to each path, without touching anything. */
export async function planChange(
  root: string,
  operations: readonly FileOperation[],
  seen = new SeenFiles(),
): Promise<ChangePlan> {
  const simulation = new Simulation(root, seen);
  await simulation.preload(operations);
  for (const operation of operations) await simulation.run(operation);
  return simulation.finish();
}

interface SimulatedFile {
  version: FileVersion;
  bytes: Buffer | undefined;
  /** Undefined when it is not text. */
  decoded: () => DecodedText | undefined;
  /** The path on disk whose unchanged content this is. */
  origin: string | undefined;
  /** The path on disk of which this is what was made, edited or not. */
  madeOf?: string | undefined;
  /** What was edited of the file that is on disk at this path. */
  edited?: { path: string; spans: readonly EditedSpan[] } | undefined;
}

class Simulation {
  readonly #root: string;
  readonly #seen: SeenFiles;
  readonly #stamps = new Map<string, FileStamp>();
  readonly #confined = new Map<string, Promise<string>>();
  /** What was on disk, for every path looked at. */
  readonly #before = new Map<string, SimulatedFile | null>();
  readonly #now = new Map<string, SimulatedFile | null>();
  readonly #removedDirectories: string[] = [];
  readonly #addedDirectories = new Set<string>();
  #changesCount = 0;

  constructor(root: string, seen: SeenFiles) {
    this.#root = root;
    this.#seen = seen;
  }

  /** Reads what will be edited, many files at once; each operation then finds its file read. */
  async preload(operations: readonly FileOperation[]): Promise<void> {
    const left = operations.filter((operation) => operation.kind === 'edit').map((operation) => operation.path);
    const read = async (): Promise<void> => {
      for (let path = left.shift(); path !== undefined; path = left.shift())
        await this.#load(await this.#pathOf(path, true));
    };
    await Promise.all(Array.from({ length: 16 }, read));
  }

  async run(operation: FileOperation): Promise<void> {
    switch (operation.kind) {
      case 'edit':
        return this.#edit(operation);
      case 'write':
        return this.#write(operation);
      case 'create':
        return this.#create(operation);
      case 'rename':
        return this.#rename(operation);
      case 'delete':
        return this.#delete(operation);
    }
  }

  finish(): ChangePlan {
    const transitions = [];
    const contents = new Map<string, Buffer>();
    const moves: Move[] = [];
    const editedMoves: Move[] = [];
    const spans = new Map<string, readonly EditedSpan[]>();
    for (const [path, after] of this.#now) {
      const before = this.#before.get(path) ?? null;
      if (sameVersion(before?.version ?? null, after?.version ?? null)) continue;
      transitions.push({ path, before: before?.version ?? null, after: after?.version ?? null });
      if (after?.edited?.path === path) spans.set(path, after.edited.spans);
      for (const file of [before, after]) if (file?.bytes !== undefined) contents.set(file.version.hash, file.bytes);
    }
    const changed = new Map(transitions.map((transition) => [transition.path, transition]));
    for (const { path, before } of transitions) {
      const { origin, madeOf } = this.#now.get(path) ?? {};
      if (madeOf === undefined || madeOf === path || before !== null || changed.get(madeOf)?.after !== null) continue;
      (origin === madeOf ? moves : editedMoves).push({ from: madeOf, to: path });
    }
    this.#refuseLargeUnlessMoved(moves);
    this.#refuseFileInPlaceOfDirectory();
    const removedDirectories = this.#removedDirectories
      .filter((directory) => ![...this.#now].some(([path, file]) => file !== null && isInside(directory, path)))
      .sort((a, b) => b.length - a.length);
    return {
      transitions: transitions.sort((a, b) => (a.path < b.path ? -1 : 1)),
      moves,
      editedMoves,
      removedDirectories,
      addedDirectories: [...this.#addedDirectories].sort(),
      changesCount: this.#changesCount,
      contents,
      stamps: this.#stamps,
      spans,
    };
  }

  async #edit(operation: FileOperation & { kind: 'edit' }): Promise<void> {
    const path = await this.#pathOf(operation.path, true);
    const file = await this.#load(path);
    if (file === null) throw this.#missing(path);
    this.#demandVersion(path, file, operation.expectedHash);
    const { bytes, spans } = this.#edited(path, file, operation.edits);
    this.#changesCount += operation.edits.length;
    if (file.bytes?.equals(bytes) !== true) this.#put(path, bytes, file, spans);
  }

  #edited(path: string, file: SimulatedFile, edits: readonly TextEdit[]): { bytes: Buffer; spans?: EditedSpan[] } {
    const shown = displayPath(this.#root, path);
    const edited = file.bytes === undefined ? undefined : applyByteEdits(file.bytes, edits, shown);
    if (edited !== undefined) {
      const { bytes, spans } = edited;
      const isWithinLines =
        edits.every(({ range, newText }) => range.start.line === range.end.line && !newText.includes('\n')) &&
        spans.every((span) => span.end < (file.bytes?.length ?? 0));
      return isWithinLines && file.origin === path ? { bytes, spans } : { bytes };
    }
    const decoded = file.decoded();
    if (decoded === undefined) throw this.#notText(path, file);
    return { bytes: this.#encode(path, applyTextEdits(decoded.text, edits, shown), decoded) };
  }

  async #write(operation: FileOperation & { kind: 'write' }): Promise<void> {
    const path = await this.#pathOf(operation.path, true);
    const file = await this.#load(path);
    this.#demandVersion(path, file, operation.expectedHash);
    let bytes: Buffer;
    if (typeof operation.content !== 'string') bytes = Buffer.from(operation.content);
    else {
      // A text written over a text keeps its byte order mark, encoding and kind of line ends.
      const old = file?.decoded();
      const lineEnd = old === undefined ? undefined : uniformLineEnd(old.text);
      const text = operation.content.replace(/^\ufeff/, '');
      const converted = lineEnd === undefined || lineEnd === '\n' ? text : withLineEnds(text, lineEnd);
      bytes = this.#encode(path, converted, old ?? { encoding: 'utf-8', hasBom: false });
    }
    if (bytes.length > maxEditableBytes) throw tooLarge(displayPath(this.#root, path), bytes.length);
    this.#changesCount += 1;
    if (file?.bytes?.equals(bytes) !== true) this.#put(path, bytes, file);
  }

  async #create(operation: FileOperation & { kind: 'create' }): Promise<void> {
    const path = await this.#pathOf(operation.path, true);
    const existing = await this.#load(path);
    if (existing !== null && !operation.overwrite) {
      if (operation.ignoreIfExists) return;
      throw new ToolError('edit_conflict', `${displayPath(this.#root, path)} exists already. Nothing was changed.`, {
        hint: 'Write the file instead, or choose another name.',
      });
    }
    this.#changesCount += 1;
    this.#put(path, Buffer.from(operation.content ?? '', 'utf8'), existing);
  }

  async #rename(operation: FileOperation & { kind: 'rename' }): Promise<void> {
    const from = await this.#pathOf(operation.from, false);
    const to = await this.#pathOf(operation.to, false);
    if (from === to) return;
    const files = await this.#filesAt(from);
    const directories = await this.#directoriesAt(from);
    if (files.length === 0 && directories.length === 0) throw this.#missing(from);
    const isDirectory = files[0] !== from;
    if (isDirectory && isInside(from, to))
      throw new ToolError('edit_conflict', `${displayPath(this.#root, from)} cannot be moved into itself.`);
    const occupied = await this.#filesAt(to);
    if (occupied.length > 0) {
      if (operation.ignoreIfExists && !operation.overwrite) return;
      if (!operation.overwrite || isDirectory || occupied[0] !== to)
        throw new ToolError('edit_conflict', `${displayPath(this.#root, to)} exists already. Nothing was changed.`, {
          hint: 'Choose another target, or delete what is there first.',
        });
    }
    this.#changesCount += 1;
    for (const path of files) {
      const file = await this.#load(path);
      if (file === null) throw new BugError(`${path} vanished from the simulation`);
      const target = isDirectory ? join(to, relative(from, path)) : to;
      await this.#load(target);
      this.#now.set(target, file);
      this.#now.set(path, null);
    }
    if (isDirectory) {
      this.#removedDirectories.push(...directories);
      for (const directory of directories) {
        const target = join(to, relative(from, directory));
        if (!files.some((path) => isInside(directory, path))) this.#addedDirectories.add(target);
      }
    }
  }

  async #delete(operation: FileOperation & { kind: 'delete' }): Promise<void> {
    const path = await this.#pathOf(operation.path, false);
    const directories = await this.#directoriesAt(path);
    const files = await this.#filesAt(path);
    if (files.length === 0 && directories.length === 0) {
      if (operation.ignoreIfNotExists) return;
      throw this.#missing(path);
    }
    if (directories.length > 0 && !operation.recursive && (files.length > 0 || directories.length > 1))
      throw new ToolError('edit_conflict', `${displayPath(this.#root, path)} is a directory that is not empty.`, {
        hint: 'Ask for a recursive deletion if the whole directory should go.',
      });
    for (const file of files) {
      const loaded = await this.#load(file);
      if (file === path) this.#demandVersion(path, loaded, operation.expectedHash);
      this.#now.set(file, null);
    }
    this.#removedDirectories.push(...directories);
    this.#changesCount += 1;
  }

  /** The path itself if a file is there now, or all files below it if it is a directory. */
  async #filesAt(path: string): Promise<string[]> {
    if (!this.#now.has(path)) {
      const kind = await pathKind(path);
      if (kind === 'file') await this.#load(path);
      if (kind === 'directory') {
        for (const below of await listBelow(path))
          if (!below.isDirectory && !this.#now.has(below.path)) await this.#load(below.path);
      }
    }
    if ((this.#now.get(path) ?? null) !== null) return [path];
    return [...this.#now].filter(([at, file]) => file !== null && at !== path && isInside(path, at)).map(([at]) => at);
  }

  async #directoriesAt(path: string): Promise<string[]> {
    if ((await pathKind(path)) !== 'directory') return [];
    return [path, ...(await listBelow(path)).filter((below) => below.isDirectory).map((below) => below.path)];
  }

  async #load(path: string): Promise<SimulatedFile | null> {
    const known = this.#now.get(path);
    if (known !== undefined) return known;
    const loaded = await this.#read(path);
    let file: SimulatedFile | null = null;
    if (loaded !== null) {
      const { version, bytes, stamp } = loaded;
      file = { version, bytes, decoded: () => loaded.decoded, origin: path, madeOf: path };
      this.#stamps.set(path, stamp);
    }
    this.#before.set(path, file);
    this.#now.set(path, file);
    return file;
  }

  async #read(path: string): Promise<LoadedVersion | null> {
    try {
      return await this.#seen.read(path);
    } catch (error) {
      if (!(error instanceof ToolError && error.code === 'not_a_regular_file')) throw error;
      throw new ToolError(
        error.code,
        `${error.message.replace(path, displayPath(this.#root, path))} Nothing was changed.`,
        {
          hint: 'Only regular files are written; name a file in it or beside it.',
        },
      );
    }
  }

  #put(path: string, bytes: Buffer, old: SimulatedFile | null, spans?: readonly EditedSpan[]): void {
    const mode = old?.version.kind === 'file' ? old.version.mode : newFileMode;
    const version: FileVersion = { kind: 'file', hash: contentHash(bytes), mode, size: bytes.length };
    const decoded = () => decodeText(bytes);
    const edited = spans === undefined ? undefined : { path, spans };
    this.#now.set(path, { version, bytes, decoded, origin: undefined, madeOf: old?.madeOf, edited });
  }

  #encode(path: string, text: string, like: Omit<DecodedText, 'text'>): Buffer {
    if (canEncode(text, like.encoding)) return encodeText(text, like.encoding, like.hasBom);
    const shown = displayPath(this.#root, path);
    if (like.encoding !== 'latin1')
      throw new ToolError(
        'invalid_arguments',
        `The new text of ${shown} has half of a surrogate pair, which is no character. Nothing was changed.`,
        { hint: 'Pass whole characters.' },
      );
    throw new ToolError(
      'edit_conflict',
      `${shown} is encoded in ${like.encoding}, which lacks characters of the new text. Nothing was changed.`,
      { hint: 'Leave those characters out, or convert the file to UTF-8 first.' },
    );
  }

  #pathOf(path: string, follow: boolean): Promise<string> {
    const key = `${follow}:${path}`;
    let confined = this.#confined.get(key);
    if (confined === undefined) {
      confined = confinedPath(this.#root, path, follow);
      this.#confined.set(key, confined);
    }
    return confined;
  }

  #demandVersion(path: string, file: SimulatedFile | null, expected: string | null | undefined): void {
    if (expected === undefined) return;
    // The demand is about what is on disk, not about what an earlier operation of the same change made of it.
    const onDisk = this.#before.get(path);
    const hash = (onDisk === undefined ? file : onDisk)?.version.hash ?? null;
    demandVersion(displayPath(this.#root, path), hash, expected);
  }

  #missing(path: string): ToolError {
    const shown = displayPath(this.#root, path);
    return new ToolError('file_not_found', `There is no ${shown}. Nothing was changed.`, {
      hint: advise`Look for the file with ${step('listProjectFiles')}.`,
    });
  }

  #notText(path: string, file: SimulatedFile): ToolError {
    const shown = displayPath(this.#root, path);
    if (file.version.kind === 'file' && file.version.size > maxEditableBytes) return tooLarge(shown, file.version.size);
    return new ToolError('binary_file', `${shown} is not text. Nothing was changed.`);
  }

  #refuseLargeUnlessMoved(moves: readonly Move[]): void {
    const moved = new Set(moves.flatMap((move) => [move.from, move.to]));
    for (const [path, file] of this.#now) {
      const before = this.#before.get(path) ?? null;
      const large = [before, file].find((one) => one?.version.kind === 'file' && one.bytes === undefined);
      if (large?.version.kind === 'file' && before !== file && !moved.has(path))
        throw tooLarge(displayPath(this.#root, path), large.version.size);
    }
  }

  #refuseFileInPlaceOfDirectory(): void {
    for (const [path, file] of this.#now) {
      if (file === null) continue;
      for (
        let parent = dirname(path);
        isInside(this.#root, parent) && parent !== this.#root;
        parent = dirname(parent)
      ) {
        const holder = this.#now.get(parent) ?? this.#before.get(parent) ?? null;
        if (holder !== null)
          throw new ToolError(
            'edit_conflict',
            `${displayPath(this.#root, path)} would need ${displayPath(this.#root, parent)} to be a directory, and it is a file.`,
          );
      }
    }
  }
}

const newFileMode = 0o644;

function tooLarge(path: string, bytes: number): ToolError {
  return new ToolError(
    'file_too_large',
    `${path} has ${bytes} bytes; Sightline changes files up to ${maxEditableBytes} bytes. Nothing was changed.`,
  );
}
