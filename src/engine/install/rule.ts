import { basename, dirname, extname } from 'node:path';
import { readConfig, removeConfig, writeConfig } from './configFile.ts';

/** When to use which tool, for the file in which an agent reads how to work. */
export const ruleText = `## Sightline

Sightline (MCP) runs, searches and refactors code. Use it before print statements, grep and hand edits:

- A test is red or a program crashes: \`debug_explain\` first. It names the line, the values and what made them wrong.
- A value at a line: \`debug_probe\`. Who changed it: \`debug_who_changed\`. What was called: \`debug_trace\`. Works here, fails there: \`debug_compare\`.
- Is a suspicion true: \`debug_hypotheses\`. Do not edit logging into the code.
- Where is it, who uses it: \`search_symbols\`, \`ide_find_definition\`, \`ide_find_references\`. Use grep for text only.
- Rename, move, extract, inline, delete: \`ide_refactor_*\`, not by hand. \`undo\` takes it back.
- After a change: \`ide_analyze_code\` on the changed files, then \`run_tests\`.
- Anything else (git, terminals, coverage, stepping): \`sightline_tools\`.
`;

const first = '<!-- sightline: begin -->';
const last = '<!-- sightline: end -->';

/** The text with the rule as a marked block: put at the end, or renewed where it is. */
function withRule(text: string): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const block = `${first}\n${ruleText}${last}\n`.replaceAll('\n', eol);
  const found = blockIn(text);
  if (found !== undefined) return text.slice(0, found.start) + block + text.slice(found.end);
  const gap = text === '' ? '' : text.endsWith('\n') ? eol : eol + eol;
  return text + gap + block;
}

/** The text without the block and the empty line before it. */
function withoutRule(text: string): string {
  const found = blockIn(text);
  if (found === undefined) return text;
  return text.slice(0, found.start).replace(/(\n|^)\r?\n$/, '$1') + text.slice(found.end);
}

/** Puts the rule into a file or takes it out. Answers whether anything changed. */
export function changeRuleFile(file: string, isRemoval: boolean): boolean {
  const before = readConfig(file);
  const head = headOf(file);
  if (isRemoval) {
    const after = withoutRule(before ?? '');
    if (before === null || after === before) return false;
    if (after === head) removeConfig(file, []);
    else writeConfig(file, after);
    return true;
  }
  const after = withRule(before ?? head);
  if (after === before) return false;
  writeConfig(file, after);
  return true;
}

/** What the file must begin with to be read: rules of Cursor and skills name themselves. */
function headOf(file: string): string {
  const description =
    'When to use the debugger, code index, refactorings and tests of Sightline. Use it for failing tests, wrong values, finding uses, renames.';
  if (extname(file) === '.mdc') return `---\ndescription: ${description}\nalwaysApply: true\n---\n`;
  if (basename(file) === 'SKILL.md') return `---\nname: ${basename(dirname(file))}\ndescription: ${description}\n---\n`;
  return '';
}

function blockIn(text: string): { start: number; end: number } | undefined {
  const start = text.indexOf(first);
  const end = text.indexOf(last, start);
  if (start === -1 || end === -1) return undefined;
  const rest = /^\r?\n/.exec(text.slice(end + last.length))?.[0].length ?? 0;
  return { start, end: end + last.length + rest };
}
