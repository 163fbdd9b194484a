/**
 * One refactoring of the project in `projects/<language>`, which has something of every hard case and tests for all of it. Places are
 * given by excerpts: `on` is in the line that is meant (or in the first and the last line of a selection), `text` is the part of it.
 */
export interface HardCase {
  name: string;
  tool: keyof typeof tools;
  file: string;
  on?: string | readonly [first: string, last: string];
  args?: Readonly<Record<string, unknown>>;
}

export const tools = {
  rename: 'ide_refactor_rename',
  extractMethod: 'ide_refactor_extract_method',
  extractVariable: 'ide_refactor_extract_variable',
  inline: 'ide_refactor_inline',
  delete: 'ide_refactor_safe_delete',
  move: 'ide_refactor_move',
} as const;

/** The tool's arguments, with excerpts turned into lines of the file as it is. */
export function argumentsOf({ tool, file, on, args }: HardCase, content: string): Record<string, unknown> {
  if (on === undefined) return { file, ...args };
  const lines = content.split('\n');
  const lineOf = (excerpt: string): number => {
    const index = lines.findIndex((line) => line.includes(excerpt));
    if (index < 0) throw new Error(`${file} has no line with ${excerpt}`);
    return index + 1;
  };
  const [first, last] = typeof on === 'string' ? [on, on] : on;
  return tool.startsWith('extract')
    ? { file, start_line: lineOf(first), end_line: lineOf(last), ...args }
    : { file, line: lineOf(first), ...args };
}
