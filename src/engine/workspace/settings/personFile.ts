import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { applyEdits, modify, parseTree, type ParseError } from 'jsonc-parser';
import { ToolError, isErrnoException } from '../../../base/errors.ts';
import { randomId } from '../../../base/ids.ts';
import { settingOf, type SettingKey } from './settings.ts';

/** Changes one setting in the person's file and leaves every other byte as it is, comments too. `undefined` takes it out. */
export async function changePersonFile(path: string, key: SettingKey, value: unknown): Promise<void> {
  const checked = value === undefined ? { value } : settingOf(key).check(value);
  if ('problem' in checked) throw new ToolError('invalid_arguments', `${key}: ${checked.problem}.`);
  const before = await textOf(path);
  const errors: ParseError[] = [];
  const root = parseTree(before, errors, { allowTrailingComma: true });
  if (before.trim() !== '' && (errors.length > 0 || root?.type !== 'object'))
    throw new ToolError('invalid_arguments', `${path} is not valid JSON; it is not changed.`, {
      hint: 'Mend or remove it first.',
    });
  const isDotted = (root?.children ?? []).some((property) => property.children?.[0]?.value === key);
  const place = isDotted ? [key] : key.split('.');
  const text = before.trim() === '' ? '{}' : before;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const edits = modify(text, place, checked.value, { formattingOptions: { insertSpaces: true, tabSize: 2, eol } });
  const after = applyEdits(text, edits);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${randomId('tmp')}`;
  await writeFile(temporary, after.endsWith('\n') ? after : `${after}${eol}`, { mode: 0o600, flag: 'wx' });
  await rename(temporary, path);
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isErrnoException(error, 'ENOENT')) return '';
    throw error;
  }
}
