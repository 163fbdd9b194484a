import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseJsonc, printParseErrorCode, type ParseError } from 'jsonc-parser';
import { ToolError } from '../../../base/errors.ts';
import { resolveProjectPath } from '../paths.ts';
import { openForReading } from '../safeOpen.ts';
import { namesIn } from '../../../base/text/namesIn.ts';

/** Configuration files are written by people; one of this size is not. */
const maxBytes = 4 * 1024 * 1024;

/** The text of a file of the project; undefined when there is none. A link out of the project counts as none. */
export async function projectText(root: string, path: string): Promise<string | undefined> {
  if (!existsSync(join(root, path))) return undefined;
  try {
    const resolved = await resolveProjectPath(root, path, { expect: 'existing' });
    const handle = await openForReading([root], resolved.path);
    try {
      if ((await handle.stat()).size > maxBytes) return undefined;
      return (await handle.readFile('utf8')).replace(/^\uFEFF/, '');
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

export async function projectNames(root: string, folder: string): Promise<string[]> {
  return (await namesIn(join(root, folder))).sort();
}

interface ParsedJson {
  value: Record<string, unknown>;
  problem?: string;
}

/** JSON with comments, as editors write it. What can be read of a file with mistakes is still given, with the mistake. */
export function parseJsonObject(text: string, path: string): ParsedJson {
  const errors: ParseError[] = [];
  const value: unknown = parseJsonc(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [first] = errors;
  if (first === undefined) return { value: asRecord(value) ?? {} };
  const line = text.slice(0, first.offset).split('\n').length;
  return { value: asRecord(value) ?? {}, problem: `${path}:${line}: ${printParseErrorCode(first.error)}` };
}

export function asRecord(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function asTexts(value: unknown): string[] {
  return asList(value).filter((each) => typeof each === 'string');
}
