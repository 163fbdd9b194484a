/** `1 file`, `3 files`: for nouns whose plural is a plain s. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
