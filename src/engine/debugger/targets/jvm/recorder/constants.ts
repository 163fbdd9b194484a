/** Of each kind of entry, how many bytes it takes behind its mark. A text tells its own length. */
const sizes = new Map<number, number>([
  [3, 4],
  [4, 4],
  [5, 8],
  [6, 8],
  [7, 2],
  [8, 2],
  [9, 4],
  [10, 4],
  [11, 4],
  [12, 4],
  [15, 3],
  [16, 2],
  [17, 4],
  [18, 4],
  [19, 2],
  [20, 2],
]);

const kinds = { text: 1, long: 5, double: 6, field: 9 };

/** The numbers under which code refers to fields of a name. */
export function fieldNumbers(pool: Buffer, name: string): ReadonlySet<number> {
  const starts = new Map<number, number>();
  for (let at = 0, number = 1; at < pool.length; number++) {
    const kind = pool.readUInt8(at);
    starts.set(number, at);
    at += kind === kinds.text ? 3 + pool.readUInt16BE(at + 1) : 1 + (sizes.get(kind) ?? 0);
    // These count for two.
    if (kind === kinds.long || kind === kinds.double) number++;
  }
  const start = (number: number) => starts.get(number) ?? 0;
  const textAt = (at: number) => pool.subarray(at + 3, at + 3 + pool.readUInt16BE(at + 1)).toString('utf8');
  const found = [...starts].filter(([, at]) => {
    if (pool.readUInt8(at) !== kinds.field) return false;
    const nameAndType = start(pool.readUInt16BE(at + 3));
    return textAt(start(pool.readUInt16BE(nameAndType + 1))) === name;
  });
  return new Set(found.map(([number]) => number));
}
