import { describe, expect, it } from 'vitest';
import { casesOf, readCase } from './caseFile.ts';

const project = { 'a.py': 'x = 1\ny = x\nx = 2\n' };
const read = (call: string, ...sections: string[]) =>
  readCase(`Prose.\n\n-- call --\n${call}\n${sections.join('')}-- expected --\nDone.\n`, () => project);

describe('the text of a case', () => {
  it.each([
    ['rename new_name=b', 'const «a» = 1;\n', { line: 1, text: 'a', new_name: 'b' }],
    ['rename new_name=b', '\nconst ‸a = 1;\n', { line: 2, column: 7, new_name: 'b' }],
    ['extract_variable all=true', 'f(«1 + 2»);\n', { start_line: 1, text: '1 + 2', all: true }],
    ['extract_method', 'a();\n«  b();\n  c();»\n', { start_line: 2, end_line: 3 }],
    ['extract_method', 'f(‸1 +\n  2‸);\n', { start_line: 1, start_column: 3, end_line: 2, end_column: 4 }],
  ])('%s: a mark stands for arguments: %j', (call, content, args) => {
    const one = read(call, '-- a.ts --\n', content);
    expect(one.args).toEqual({ file: 'a.ts', ...args });
    expect(one.files).toEqual({ 'a.ts': content.replace(/[«»‸]/g, '') });
  });

  it('arguments are words, texts, numbers and truth', () => {
    const { tool, args } = read(
      'move symbol="a b\\n" target_file=lib/b.ts line=3 force=false text="3"',
      '-- a.ts --\n',
    );
    expect(tool).toBe('move');
    expect(args).toEqual({ symbol: 'a b\n', target_file: 'lib/b.ts', line: 3, force: false, text: '3' });
  });

  it('what cannot be seen is written by pictures', () => {
    expect(read('x', '-- a.ts --\n␂a␍\nb␄\n', '-- b.ts --\n').files).toEqual({ 'a.ts': '\ufeffa\r\nb', 'b.ts': '' });
  });

  it('a case without files is one of the project, where an excerpt shows the place', () => {
    const one = read('inline', '-- in a.py --\ny = «x»\n');
    expect(one.files).toEqual(project);
    expect(one.args).toEqual({ file: 'a.py', line: 2, text: 'x' });
  });

  it('mistakes are told', () => {
    expect(() => read('inline', '-- in a.py --\nz = «x»\n')).toThrow('a.py has the excerpt not once');
    expect(() => read('inline', '-- a.ts --\n«a» ‸b\n')).toThrow('One place is marked');
    expect(() => read('inline', '-- a.ts --\na(«a»)\n')).toThrow('stands earlier in the line');
    expect(() => read('inline file', '-- a.ts --\n')).toThrow('name=value');
    expect(() => readCase('-- a.ts --\n', () => project)).toThrow('The first section is the call');
  });

  it('every case says what it is about', () => {
    const cases = [...casesOf('typescript'), ...casesOf('python')];
    expect(
      cases.filter(({ given }) => !/^\S.*\n/.test(given) || given.startsWith('--')).map(({ path }) => path),
    ).toEqual([]);
  });
});
