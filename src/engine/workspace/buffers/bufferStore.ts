import { readFileSync, realpathSync } from 'node:fs';
import { Emitter } from '../../../base/emitter.ts';
import { isInside } from '../../../base/paths.ts';
import { maxEditableBytes, stampOf } from '../edits/readVersion.ts';
import type { TextEdit } from '../edits/operations.ts';
import { decodeText } from '../textEncoding.ts';

/** An editor at the other end of a connection. */
export interface Editor {
  /** What it calls itself: `Neovim`. */
  readonly name: string;
  /** Asks it to make edits in a buffer of this version. What it answers is only its word: whether the text has come is seen. */
  edit(uri: string, version: number, edits: readonly TextEdit[]): Promise<void>;
}

/** A file as an editor shows it. */
export interface OpenBuffer {
  readonly editor: Editor;
  /** Canonical. */
  readonly path: string;
  /** As the editor names it, which may be by a link. */
  readonly uri: string;
  version: number;
  text: string;
  /** The text that was last known to be on disk; undefined when the buffer has differed from the disk since it came. */
  saved: string | undefined;
  /** A change was lost or came in the wrong order: nobody here knows what the editor shows. */
  isLost: boolean;
  /** Counts over all buffers: of two editors with the same file, the one with the larger number was typed in last. */
  changedAt: number;
}

/** What editors show of the files on this machine. They live as long as their editor's connection, in memory only. */
export class BufferStore {
  /** The path of a buffer that came, changed or went. */
  readonly onDidChange = new Emitter<string>();
  readonly #buffers = new Map<Editor, Map<string, OpenBuffer>>();
  #clock = 0;

  get isEmpty(): boolean {
    return this.#buffers.size === 0;
  }

  /** `isSaved`: the feed's word; otherwise it is compared with the disk. */
  open(
    editor: Editor,
    given: string,
    { uri, version, text, isSaved }: { uri: string; version: number; text: string; isSaved?: boolean },
  ): void {
    const path = canonical(given);
    const saved = (isSaved ?? text === textOnDisk(path)) ? text : undefined;
    const ofEditor = this.#buffers.get(editor) ?? new Map<string, OpenBuffer>();
    this.#buffers.set(editor, ofEditor);
    ofEditor.set(path, { editor, path, uri, version, text, saved, isLost: false, changedAt: ++this.#clock });
    this.onDidChange.fire(path);
  }

  /** False when it came in the wrong order; a whole text puts that right. */
  change(
    editor: Editor,
    given: string,
    version: number,
    change: { whole: string } | ((text: string) => string),
  ): boolean {
    const buffer = this.#of(editor, given);
    if (buffer === undefined) return false;
    const isNext = version > buffer.version && (typeof change !== 'function' || !buffer.isLost);
    buffer.isLost = !isNext;
    buffer.changedAt = ++this.#clock;
    if (isNext) {
      buffer.version = version;
      buffer.text = typeof change === 'function' ? change(buffer.text) : change.whole;
    }
    this.onDidChange.fire(buffer.path);
    return isNext;
  }

  saved(editor: Editor, given: string): void {
    const buffer = this.#of(editor, given);
    if (buffer === undefined) return;
    buffer.saved = buffer.text;
    this.onDidChange.fire(buffer.path);
  }

  close(editor: Editor, given: string): void {
    const path = canonical(given);
    if (this.#buffers.get(editor)?.delete(path) === true) this.onDidChange.fire(path);
  }

  /** The editor is gone, and with it all that only it knew. */
  drop(editor: Editor): void {
    const paths = [...(this.#buffers.get(editor)?.keys() ?? [])];
    this.#buffers.delete(editor);
    for (const path of paths) this.onDidChange.fire(path);
  }

  /** Buffers of a file that hold what is not on disk, the one that was changed last first. */
  unsaved(path: string): OpenBuffer[] {
    const found: OpenBuffer[] = [];
    for (const ofEditor of this.#buffers.values()) {
      const buffer = ofEditor.get(path);
      if (buffer !== undefined && isUnsaved(buffer)) found.push(buffer);
    }
    return found.sort((a, b) => b.changedAt - a.changedAt);
  }

  /** Files below a folder of which some editor holds another text than the disk. */
  unsavedBelow(root: string): string[] {
    const paths = new Set([...this.#buffers.values()].flatMap((ofEditor) => [...ofEditor.keys()]));
    return [...paths].filter((path) => isInside(root, path) && this.unsaved(path).length > 0).sort();
  }

  #of(editor: Editor, given: string): OpenBuffer | undefined {
    return this.#buffers.get(editor)?.get(canonical(given));
  }
}

/**
 * A buffer that nobody touched may be older than the disk, when another program wrote the file: then the disk is right. One that
 * the editor has read again is equal to the disk, however it got there.
 */
function isUnsaved(buffer: OpenBuffer): boolean {
  if (buffer.isLost) return stampOf(buffer.path) !== undefined;
  if (buffer.text === buffer.saved) return false;
  const disk = textOnDisk(buffer.path);
  if (disk === buffer.text) buffer.saved = disk;
  return disk !== undefined && disk !== buffer.text;
}

/** Undefined when there is no such text file. */
function textOnDisk(path: string): string | undefined {
  const found = stampOf(path);
  if (found === undefined || !found.stats.isFile() || found.stats.size > BigInt(maxEditableBytes)) return undefined;
  try {
    return decodeText(readFileSync(path))?.text;
  } catch {
    return undefined;
  }
}

function canonical(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
