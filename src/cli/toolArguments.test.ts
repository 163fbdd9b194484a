import { describe, expect, it } from 'vitest';
import { UsageError } from './command.ts';
import { parseToolArguments } from './toolArguments.ts';

describe('arguments of sightline call', () => {
  it('takes JSON values as such and anything else as text', () => {
    expect(parseToolArguments(['--line', '12', '--file-path', 'src/a b.ts', '--preview', '--tags', '["x"]'])).toEqual({
      line: 12,
      file_path: 'src/a b.ts',
      preview: true,
      tags: ['x'],
    });
  });

  it('makes a list of a parameter given twice', () => {
    expect(parseToolArguments(['--enable', 'git', '--enable=tests'])).toEqual({ enable: ['git', 'tests'] });
  });

  it('keeps text where the tool wants text', () => {
    expect(parseToolArguments(['--content', '{}', '--line', '3'], (name) => name === 'content')).toEqual({
      content: '{}',
      line: 3,
    });
  });

  it('merges --json with flags', () => {
    expect(parseToolArguments(['--json', '{"a": {"b": 1}}', '--c=x=y'])).toEqual({ a: { b: 1 }, c: 'x=y' });
    expect(parseToolArguments(['{"a": 1}', '--b', '2'])).toEqual({ a: 1, b: 2 });
  });

  it('says what is wrong', () => {
    expect(() => parseToolArguments(['src/a.ts'])).toThrow(UsageError);
    expect(() => parseToolArguments(['--json', '[1]'])).toThrow('one object');
  });
});
