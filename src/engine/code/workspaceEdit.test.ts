import { describe, expect, it } from 'vitest';
import { applyTextEdits } from '../workspace/edits/text/textEdits.ts';
import { operationsOf } from './workspaceEdit.ts';

const uri = (name: string) => `file:///p/${name}`;
const range = (line: number, from: number, to: number) => ({
  start: { line, character: from },
  end: { line, character: to },
});

describe('edits that servers send', () => {
  it('creating, renaming and deleting files are operations like any other, in the order of the server', () => {
    const operations = operationsOf({
      documentChanges: [
        { kind: 'create', uri: uri('new.ts'), options: { ignoreIfExists: true } },
        { textDocument: { uri: uri('new.ts'), version: null }, edits: [{ range: range(0, 0, 0), newText: 'x' }] },
        { kind: 'rename', oldUri: uri('a%20b.ts'), newUri: uri('c.ts'), options: { overwrite: true } },
        { kind: 'delete', uri: uri('old'), options: { recursive: true } },
      ],
    });
    expect(operations).toEqual([
      { kind: 'create', path: '/p/new.ts', overwrite: false, ignoreIfExists: true },
      {
        kind: 'edit',
        path: '/p/new.ts',
        edits: [{ range: { start: { line: 1, column: 1 }, end: { line: 1, column: 1 } }, newText: 'x' }],
      },
      { kind: 'rename', from: '/p/a b.ts', to: '/p/c.ts', overwrite: true, ignoreIfExists: false },
      { kind: 'delete', path: '/p/old', recursive: true, ignoreIfNotExists: false },
    ]);
  });

  it('edits in any order, with UTF-16 columns, over CRLF lines', () => {
    const [operation] = operationsOf({
      changes: {
        [uri('a.ts')]: [
          { range: range(1, 0, 3), newText: 'two' },
          { range: range(0, 7, 8), newText: 'c' },
          { range: range(0, 0, 1), newText: 'a' },
        ],
      },
    });
    expect(operation?.kind).toBe('edit');
    const edits = operation?.kind === 'edit' ? operation.edits : [];
    expect(applyTextEdits('A "😀" C\r\nTWO\r\n', edits, 'a.ts')).toBe('a "😀" c\r\ntwo\r\n');
  });

  it('a snippet loses its placeholders, and a document that is no file is refused', () => {
    const [operation] = operationsOf({
      documentChanges: [
        {
          textDocument: { uri: uri('a.ts'), version: 1 },
          edits: [{ range: range(0, 0, 0), snippet: { kind: 'snippet', value: 'f(${1:x}, $2)$0' } }],
        },
      ],
    });
    expect(operation).toMatchObject({ edits: [{ newText: 'f(x, )' }] });
    expect(() => operationsOf({ changes: { 'jdt://contents/x.class': [] } })).toThrow('no file');
  });
});
