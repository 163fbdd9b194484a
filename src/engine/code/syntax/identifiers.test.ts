import { describe, expect, it } from 'vitest';
import { symbolNameAt, symbolNamesIn } from './identifiers.ts';

const namesIn = (line: string, extension: string): string[] => symbolNamesIn(line, extension).map(({ name }) => name);

describe('names of a line', () => {
  it('takes the keywords of one language for names in another', () => {
    expect(namesIn('for var in func(type):', '.py')).toEqual(['var', 'func']);
    expect(namesIn('var def = lambda(pass)', '.ts')).toEqual(['def', 'lambda', 'pass']);
    expect(symbolNameAt('for var in range(10):', 6, '.py')?.name).toBe('var');
    expect(symbolNameAt('for var in range(10):', 2, '.py')).toBeUndefined();
  });

  it('takes a soft keyword that is pointed at', () => {
    expect(symbolNameAt('const x = map.get(key)', 16, '.ts')?.name).toBe('get');
    expect(symbolNameAt('    type: str', 6, '.py')?.name).toBe('type');
  });

  it('sees into f-strings, not into other strings', () => {
    expect(symbolNameAt('print(f"{total} pieces")', 11, '.py')?.name).toBe('total');
    expect(symbolNameAt('print("{total} pieces")', 11, '.py')).toBeUndefined();
  });
});
