const keptBytes = 128 * 1024;

/** The last of what a terminal was sent, as it came: a person who joins sees it on a terminal of their own. */
export class RawTail {
  #chunks: Buffer[] = [];
  #size = 0;
  #total = 0;

  get totalBytes(): number {
    return this.#total;
  }

  append(bytes: Buffer): void {
    // A copy: the chunk may be a piece of something larger.
    const kept = Buffer.from(bytes.length > keptBytes ? bytes.subarray(-keptBytes) : bytes);
    this.#chunks.push(kept);
    this.#size += kept.length;
    this.#total += bytes.length;
    while (this.#size - (this.#chunks[0]?.length ?? 0) >= keptBytes) this.#size -= this.#chunks.shift()?.length ?? 0;
  }

  /** From a position on, as far as it is kept. */
  since(position: number): Buffer {
    const all = Buffer.concat(this.#chunks);
    const missing = Math.max(this.#total - position, 0);
    return missing === 0 ? Buffer.alloc(0) : all.subarray(-Math.min(missing, all.length));
  }
}
