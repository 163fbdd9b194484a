import { applyEdits, modify, parse, type FormattingOptions, type ParseError } from 'jsonc-parser';
import { advise, step } from '../../../base/text/advice.ts';
import { ToolError } from '../../../base/errors.ts';
import type { EditApplier } from '../edits/applier.ts';
import { writeWholeFile, type FileChange } from '../edits/fileEdits.ts';
import type { ChangeOrigin } from '../edits/operations.ts';
import { readVersion } from '../edits/readVersion.ts';
import { resolveProjectPath } from '../paths.ts';
import type { Project } from '../project.ts';
import { decodeText } from '../textEncoding.ts';
import { launchJsonPath } from './launchJson.ts';
import { asList, asRecord } from './projectText.ts';

/** What a configuration in launch.json is made of, under the names that file uses. */
export type LaunchEntry = Readonly<Record<string, unknown>>;

/** Changes launch.json by a function of its text. A change by somebody else meanwhile is a refusal, not a loss. */
export async function changeLaunchJson(
  applier: EditApplier,
  project: Project,
  change: (text: string | undefined) => string,
  origin: ChangeOrigin,
): Promise<FileChange> {
  const { path } = await resolveProjectPath(project.root, launchJsonPath, { expect: 'any' });
  const found = await readVersion(path);
  const text = found?.bytes === undefined ? undefined : decodeText(found.bytes)?.text;
  if (found !== null && text === undefined) {
    throw new ToolError('binary_file', `${launchJsonPath} is not text that can be edited.`);
  }
  const request = { path, content: change(text), version: found?.version.hash };
  return writeWholeFile(applier, project, request, origin);
}

/** The text of launch.json with one configuration more. Comments and layout of the rest stay. */
export function withNewEntry(text: string | undefined, entry: LaunchEntry): string {
  const before = text ?? '{\n  "version": "0.2.0",\n  "configurations": []\n}\n';
  // A compound is what names others.
  const list = entry['configurations'] === undefined ? 'configurations' : 'compounds';
  const entries = entriesOf(before, list);
  const known = [...entriesOf(before, 'configurations'), ...entriesOf(before, 'compounds')];
  if (known.some((each) => each?.['name'] === entry['name'])) {
    throw new ToolError(
      'invalid_arguments',
      `${launchJsonPath} already has a configuration "${String(entry['name'])}".`,
      {
        hint: advise`${step('editRunConfiguration')} changes it.`,
      },
    );
  }
  const path = entries.length === 0 ? [list] : [list, entries.length];
  return changed(before, path, entries.length === 0 ? [entry] : entry);
}

/** The text of launch.json with some fields of a configuration changed; undefined removes a field. */
export function withChangedEntry(text: string | undefined, name: string, changes: LaunchEntry): string {
  const indexIn = (each: EntryList) => entriesOf(text ?? '{}', each).findIndex((entry) => entry?.['name'] === name);
  const list = indexIn('configurations') === -1 ? 'compounds' : 'configurations';
  const index = indexIn(list);
  if (index === -1) {
    const entries = [...entriesOf(text ?? '{}', 'configurations'), ...entriesOf(text ?? '{}', 'compounds')];
    const names = entries.map((each) => `"${String(each?.['name'])}"`).join(', ');
    throw new ToolError('configuration_not_found', `${launchJsonPath} has no configuration "${name}".`, {
      hint: names === '' ? advise`${step('createRunConfiguration')} makes one.` : `It has ${names}.`,
    });
  }
  let after = text ?? '{}';
  for (const [field, value] of Object.entries(changes)) {
    after = changed(after, [list, index, field], value);
  }
  return after;
}

type EntryList = 'configurations' | 'compounds';

function entriesOf(text: string, list: EntryList): (Record<string, unknown> | undefined)[] {
  const errors: ParseError[] = [];
  const root = asRecord(parse(text, errors, { allowTrailingComma: true }));
  const [first] = errors;
  if (first !== undefined || root === undefined) {
    const line = text.slice(0, first?.offset ?? 0).split('\n').length;
    throw new ToolError('edit_conflict', `${launchJsonPath} has a mistake at line ${line}, so it is not changed.`, {
      hint: advise`Correct it with ${step('editFile')} first.`,
    });
  }
  return asList(root[list]).map(asRecord);
}

function changed(text: string, path: (string | number)[], value: unknown): string {
  return applyEdits(text, modify(text, path, value, { formattingOptions: layoutOf(text) }));
}

/** Indented as the file is. */
function layoutOf(text: string): FormattingOptions {
  const indent = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  return indent.startsWith('\t')
    ? { insertSpaces: false, tabSize: 4, eol }
    : { insertSpaces: true, tabSize: indent.length, eol };
}
