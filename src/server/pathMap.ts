interface Prefix {
  /** As the client writes it. */
  theirs: string;
  /** As it is here. */
  ours: string;
}

/**
 * Paths of clients that see the files elsewhere: in a container, through WSL, in a checkout on another machine. Told once for the whole
 * process (`paths.map`), it holds for what comes in and for what goes out.
 */
export class PathMap {
  readonly #prefixes: readonly Prefix[];

  constructor(map: Readonly<Record<string, string>>) {
    this.#prefixes = Object.entries(map).map(([theirs, ours]) => ({ theirs: bare(theirs), ours: bare(ours) }));
  }

  get isEmpty(): boolean {
    return this.#prefixes.length === 0;
  }

  /** A path, or a `file:` URI, as it is here. */
  inward(path: string): string {
    return replaced(path, this.#sorted('theirs'), 'theirs', 'ours');
  }

  /** A path as the client writes it. What only contains one stays: it may be the content of a file. */
  outward(path: string): string {
    return replaced(path, this.#sorted('ours'), 'ours', 'theirs');
  }

  /** Words of our own, in which paths stand anywhere. */
  outwardText(text: string): string {
    return text.replaceAll(/(?<![\w./\\-])(?:file:\/\/)?\/[^\s"'`,;()]*[^\s"'`,;().:]/g, (path) => this.outward(path));
  }

  outwardData<T>(value: T): T {
    if (this.isEmpty) return value;
    // A value of the same shape, with other texts in it.
    return this.#mapped(value) as T;
  }

  #mapped(value: unknown): unknown {
    // What has lines is a text, whatever it begins with.
    if (typeof value === 'string') return value.includes('\n') ? value : this.outward(value);
    if (Array.isArray(value)) return value.map((item) => this.#mapped(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.#mapped(item)]));
  }

  /** The longest first, because it is the closest. */
  #sorted(side: keyof Prefix): Prefix[] {
    return this.#prefixes.toSorted((a, b) => b[side].length - a[side].length);
  }
}

function replaced(path: string, prefixes: readonly Prefix[], from: keyof Prefix, to: keyof Prefix): string {
  const scheme = path.startsWith('file://') ? 'file://' : '';
  const plain = path.slice(scheme.length);
  for (const prefix of prefixes) {
    if (!plain.startsWith(prefix[from])) continue;
    const rest = plain.slice(prefix[from].length);
    if (rest !== '' && !/^[/\\:]/.test(rest)) continue;
    const separator = prefix[to].includes('\\') ? '\\' : '/';
    const other = separator === '/' ? '\\' : '/';
    const isTheirsWindows = prefix[from].includes('\\') || separator === '\\';
    return `${scheme}${prefix[to]}${isTheirsWindows ? rest.replaceAll(other, separator) : rest}`;
  }
  return path;
}

function bare(path: string): string {
  return path.length > 1 ? path.replace(/[/\\]+$/, '') : path;
}
