const maxBytes = 64 * 1024 * 1024;

/** Contents of changes that are not compressed yet, by hash. Beyond the limit the oldest go: they can be had from the disk. */
export class RecentContents {
  readonly #contents = new Map<string, Buffer>();
  #bytes = 0;

  add(contents: ReadonlyMap<string, Buffer>): void {
    for (const [hash, bytes] of contents) {
      if (this.#contents.has(hash)) continue;
      this.#contents.set(hash, bytes);
      this.#bytes += bytes.length;
    }
    for (const hash of this.#contents.keys()) {
      if (this.#bytes <= maxBytes) break;
      this.drop(hash);
    }
  }

  get(hash: string): Buffer | undefined {
    return this.#contents.get(hash);
  }

  drop(hash: string): void {
    this.#bytes -= this.#contents.get(hash)?.length ?? 0;
    this.#contents.delete(hash);
  }

  get isNearlyFull(): boolean {
    return this.#bytes > 0.8 * maxBytes;
  }
}
