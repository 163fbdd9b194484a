const escape = 0x1b;
/** A sequence that is still open after so much is none. */
const maxSequence = 4096;

const complete =
  /\x1b(?:\][^\x07\x1b]*(?:\x07|\x1b\\)|[PX^_][^\x1b]*\x1b\\|\[[0-?]*[ -/]*[@-~]|[ -/]+[0-~]|[0-OQ-WYZ\\`-~])/y;
const begun = /\x1b(?:\][^\x07\x1b]*\x1b?|[PX^_][^\x1b]*\x1b?|\[[0-?]*[ -/]*|[ -/]*)$/y;

/**
 * Takes the sequences that colour and move out of a stream, also where they are split between chunks: what is kept, counted and searched
 * is what there is to read.
 */
export class EscapeFilter {
  #open = '';

  push(chunk: Buffer): Buffer {
    if (this.#open === '' && !chunk.includes(escape)) return chunk;
    // One character per byte: nothing of the text is looked at.
    const text = this.#open + chunk.toString('latin1');
    this.#open = '';
    const kept: string[] = [];
    let from = 0;
    for (let at = text.indexOf('\x1b'); at !== -1; at = text.indexOf('\x1b', from)) {
      kept.push(text.slice(from, at));
      complete.lastIndex = at;
      begun.lastIndex = at;
      if (complete.test(text)) from = complete.lastIndex;
      else if (text.length - at < maxSequence && begun.test(text)) {
        this.#open = text.slice(at);
        from = text.length;
      } else from = at + 1;
    }
    kept.push(text.slice(from));
    return Buffer.from(kept.join(''), 'latin1');
  }
}
