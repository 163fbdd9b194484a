import { describe, expect, it } from 'vitest';
import { closest } from './closest.ts';
import { ToolError } from '../base/errors.ts';
import { findTool } from './registry.ts';

describe('what a wrong name may have meant', () => {
  it.each([
    ['ide_find_refs', 'ide_find_references'],
    ['ide_find_def', 'ide_find_definition'],
    ['ide_find_refrences', 'ide_find_references'],
    ['search_syms', 'search_symbols'],
    ['IDE_FIND_IMPLS', 'ide_find_implementations'],
    ['implementations', 'ide_find_implementations'],
  ])('%s: %s', (wrong, right) => {
    let error: unknown;
    try {
      findTool(wrong);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(ToolError);
    expect(error instanceof ToolError ? `${error.message} ${error.hint?.toString() ?? ''}` : '').toContain(right);
  });

  it('a short word is meant as a part before it is meant as another word', () => {
    expect(closest('line', ['file', 'start_line', 'end_line'])).toBe('start_line');
    expect(closest('fiel', ['file', 'start_line'])).toBe('file');
    expect(closest('test', ['test_name', 'tests'])).toBe('tests');
  });

  it('nothing near is nothing', () => {
    expect(closest('quantum', ['read_file', 'write_file'])).toBeUndefined();
    expect(closest('xx', ['read_file'])).toBeUndefined();
  });
});
