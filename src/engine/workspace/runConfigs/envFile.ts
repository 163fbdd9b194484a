import { projectText } from './projectText.ts';
import { isAbsolute, relative } from 'node:path';

/** The `NAME=value` lines of a file, as dotenv files are written: comments, `export`, quotes. Undefined when the file is missing. */
export async function readEnvFile(root: string, path: string): Promise<Record<string, string> | undefined> {
  const text = await projectText(root, isAbsolute(path) ? relative(root, path) : path);
  return text === undefined ? undefined : parseEnvFile(text);
}

function parseEnvFile(text: string): Record<string, string> {
  const variables: Record<string, string> = {};
  const line = /^\s*(?:export\s+)?([\w.-]+)\s*=\s*(?:"((?:\\.|[^"\\])*)"|'([^']*)'|([^\r\n#]*))/gm;
  for (const [, name = '', double, single, plain = ''] of text.matchAll(line)) {
    const quoted = double?.replace(/\\n/g, '\n').replace(/\\(.)/g, '$1');
    variables[name] = quoted ?? single ?? plain.trim();
  }
  return variables;
}
