/** How many bytes instructions take that do not take one. */
const lengths = new Map<number, number>();
for (const [length, ranges] of [
  [2, [0x10, 0x12, [0x15, 0x19], [0x36, 0x3a], 0xa9, 0xbc]],
  [3, [0x11, 0x13, 0x14, 0x84, [0x99, 0xa8], [0xb2, 0xb8], 0xbb, 0xbd, 0xc0, 0xc1, 0xc6, 0xc7]],
  [4, [0xc5]],
  [5, [0xb9, 0xba, 0xc8, 0xc9]],
] as const)
  for (const range of ranges) {
    const [from, to] = typeof range === 'number' ? [range, range] : range;
    for (let code = from; code <= to; code++) lengths.set(code, length);
  }

const tableSwitch = 0xaa;
const lookupSwitch = 0xab;
const wide = 0xc4;
const wideIncrement = 0x84;
const firstReturn = 0xac;
const lastReturn = 0xb1;

const putStatic = 0xb3;
const putField = 0xb5;

/** Where a method is left by a `return`, as places in its compiled code. */
export function returnPlaces(code: Buffer): number[] {
  return placesOf(code, (instruction) => instruction >= firstReturn && instruction <= lastReturn);
}

/** Where one of these fields is written, by their numbers in the constant pool. */
export function writePlaces(code: Buffer, fields: ReadonlySet<number>): number[] {
  return placesOf(
    code,
    (instruction, at) =>
      (instruction === putStatic || instruction === putField) && fields.has(code.readUInt16BE(at + 1)),
  );
}

function placesOf(code: Buffer, isWanted: (instruction: number, at: number) => boolean): number[] {
  const places: number[] = [];
  for (let at = 0; at < code.length; at += lengthAt(code, at)) if (isWanted(code.readUInt8(at), at)) places.push(at);
  return places;
}

function lengthAt(code: Buffer, at: number): number {
  const instruction = code.readUInt8(at);
  // The tables of a switch begin at the next multiple of four.
  const table = (at & ~3) + 4;
  if (instruction === tableSwitch) {
    const count = code.readInt32BE(table + 8) - code.readInt32BE(table + 4) + 1;
    return table + 12 + count * 4 - at;
  }
  if (instruction === lookupSwitch) return table + 8 + code.readInt32BE(table + 4) * 8 - at;
  if (instruction === wide) return code.readUInt8(at + 1) === wideIncrement ? 6 : 4;
  return lengths.get(instruction) ?? 1;
}
