export function textWith(text: string, changes: readonly Change[]): string {
  let result = text;
  for (const change of [...changes].sort((a, b) => b.start - a.start || b.end - a.end))
    result = result.slice(0, change.start) + change.text + result.slice(change.end);
  return result;
}

export interface Change {
  start: number;
  end: number;
  text: string;
}
