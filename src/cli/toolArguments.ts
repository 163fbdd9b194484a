import { UsageError } from './command.ts';

/**
 * The arguments of a tool as a shell writes them: an object as JSON (after `--json` or by itself), or `--key value` pairs. A value that
 * is JSON (a number, true, a list) is taken as such unless the tool wants text there, anything else as text; `--key` alone is true; a key given twice is a list.
 */
export function parseToolArguments(
  words: readonly string[],
  wantsText: (name: string) => boolean = () => false,
): Record<string, unknown> {
  const args: Record<string, unknown> = {};
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? '';
    if (word.startsWith('{')) {
      Object.assign(args, parseObject(word));
      continue;
    }
    if (!word.startsWith('--') || word === '--')
      throw new UsageError(`"${word}" is not a flag; parameters are written as --name value.`);
    const [flag = '', ...inline] = word.slice(2).split('=');
    const next = words[index + 1];
    let value: string | undefined;
    if (inline.length > 0) value = inline.join('=');
    else if (next !== undefined && !next.startsWith('--')) {
      value = next;
      index++;
    }
    if (flag === 'json') Object.assign(args, parseObject(value));
    else {
      const name = flag.replaceAll('-', '_');
      addValue(args, name, value === undefined ? true : wantsText(name) ? value : parseValue(value));
    }
  }
  return args;
}

function addValue(args: Record<string, unknown>, name: string, value: unknown): void {
  const before = args[name];
  if (before === undefined) args[name] = value;
  else args[name] = Array.isArray(before) ? [...(before as unknown[]), value] : [before, value];
}

function parseObject(text: string | undefined): Record<string, unknown> {
  const value: unknown = text === undefined ? undefined : tryJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError('Arguments as JSON are one object, e.g. \'{"file_path": "src/a.ts"}\'.');
  return { ...value };
}

function parseValue(text: string): unknown {
  const value = tryJson(text);
  return value === undefined ? text : value;
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
