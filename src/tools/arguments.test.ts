import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ToolError } from '../base/errors.ts';
import { normaliseArguments } from './arguments.ts';
import { defineTool } from './defineTool.ts';

const tool = defineTool({
  name: 'set_thing',
  title: 'Set',
  description: 'Sets.',
  faces: ['debugger'],
  toolset: 'debugger',
  effect: 'read',
  input: z.object({
    file_path: z.string(),
    line: z.int(),
    enabled: z.boolean().optional(),
    policy: z.enum(['all', 'thread', 'run_to_end']).optional(),
    names: z.array(z.string()).optional(),
    places: z.array(z.object({ file: z.string(), line: z.int() })).optional(),
    env: z.record(z.string(), z.string()).optional(),
  }),
  output: z.object({}),
  run: async () => ({}),
});

function refusal(given: unknown): ToolError {
  try {
    normaliseArguments(tool, given);
  } catch (error) {
    if (error instanceof ToolError) return error;
    throw error;
  }
  throw new Error('was accepted');
}

describe('normaliseArguments', () => {
  it('leaves right arguments alone and notes nothing', () => {
    const given = { file_path: 'a.ts', line: 5, enabled: true, policy: 'all', names: ['x'], project_path: '/p' };
    expect(normaliseArguments(tool, given)).toEqual({ values: given, notes: [] });
  });

  it('reads numbers and booleans given as text, and says so', () => {
    const { values, notes } = normaliseArguments(tool, { file_path: 'a.ts', line: '5', enabled: 'true' });
    expect(values).toEqual({ file_path: 'a.ts', line: 5, enabled: true });
    expect(notes).toEqual(['line: "5" was read as 5', 'enabled: "true" was read as true']);
  });

  it('does not turn text that is no number into one', () => {
    expect(normaliseArguments(tool, { line: 'five' }).values).toEqual({ line: 'five' });
    expect(normaliseArguments(tool, { line: '' }).values).toEqual({ line: '' });
  });

  it('accepts enum values in another case or with other separators', () => {
    expect(normaliseArguments(tool, { policy: 'Run-To-End' }).values).toEqual({ policy: 'run_to_end' });
  });

  it('accepts other spellings of names when the tool has the right one', () => {
    const { values, notes } = normaliseArguments(tool, { file: 'a.ts', projectPath: '/p' });
    expect(values).toEqual({ file_path: 'a.ts', project_path: '/p' });
    expect(notes).toEqual(['"file" was read as "file_path"', '"projectPath" was read as "project_path"']);
  });

  it('wraps one value for a list, reads lists given as JSON text, and coerces inside', () => {
    expect(normaliseArguments(tool, { names: 'x' }).values).toEqual({ names: ['x'] });
    expect(normaliseArguments(tool, { places: '[{"file":"a","line":"3"}]' }).values).toEqual({
      places: [{ file: 'a', line: 3 }],
    });
    expect(normaliseArguments(tool, { places: [{ file_path: 'a', line: 3 }] }).values).toEqual({
      places: [{ file: 'a', line: 3 }],
    });
  });

  it('drops null for an optional argument', () => {
    expect(normaliseArguments(tool, { enabled: null }).values).toEqual({});
  });

  it('answers a misspelt argument with the right one and the whole list', () => {
    const error = refusal({ lin: 5 });
    expect(error.code).toBe('invalid_arguments');
    expect(error.message).toBe('set_thing has no argument "lin". Did you mean "line"?');
    expect(error.hint).toBe(
      'It takes: file_path (required), line (required), enabled, policy, names, places, env, project_path.',
    );
  });

  it('refuses a key it does not know within a list as well, and names what is missing there', () => {
    const unknown = refusal({ places: [{ file: 'a', line: 3, hit_condition: '5' }] });
    expect(unknown.message).toBe('places[0] has no argument "hit_condition".');
    expect(unknown.hint).toBe('It takes: file (required), line (required).');
    const lacking = refusal({ places: [{ file: 'a', line: 3 }, { file: 'b' }] });
    expect(lacking.message).toBe('places[1] lacks line.');
    expect(lacking.hint).toBe('It takes: file (required), line (required).');
    const text = refusal({ places: ['a:3'] });
    expect(text.message).toMatch(/^places\[0\] must be an object, not /);
    expect(text.hint).toBe('It takes: file (required), line (required).');
  });

  it('leaves the keys of a map alone', () => {
    expect(normaliseArguments(tool, { env: { anyThing: '1' } }).values).toEqual({ env: { anyThing: '1' } });
  });

  it('refuses the same argument under two names, unless both say the same', () => {
    expect(normaliseArguments(tool, { file: 'a', file_path: 'a' }).values).toEqual({ file_path: 'a' });
    expect(refusal({ places: [{ file: 'a', file_path: 'b', line: 1 }] }).message).toContain('their values differ');
    expect(refusal({ file: 'a', file_path: 'b' }).message).toContain('their values differ');
  });

  it('refuses arguments that are no object', () => {
    expect(refusal([1]).message).toContain('must be an object, not a list');
    expect(refusal('x').message).toContain('must be an object, not a string');
  });
});
