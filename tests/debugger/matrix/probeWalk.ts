import { expect } from 'vitest';
import type { Dialogue } from './dialogue.ts';
import { lineOf, type MatrixLanguage } from './languages.ts';

/** One session through all 9 tools, in the plain text that a model reads. */
export async function walkThroughProbe(ide: Dialogue, language: MatrixLanguage): Promise<void> {
  const { source, program } = language;
  const at = (mark: string) => lineOf(language.files[source] ?? '', mark);

  expect(await ide.text('debug_launch', { program })).toMatch(
    new RegExp(`^Debugger started for \\S+ \\(${language.language}\\)\\. Ready for breakpoints`),
  );
  expect(await ide.text('debug_breakpoint', { file: source, line: at('sum') })).toMatch(
    new RegExp(`^Breakpoint at \\S+:${at('sum')} \\(verified\\)`),
  );
  const stopped = await ide.text('debug_continue');
  expect(stopped).toMatch(new RegExp(`^Stopped \\(breakpoint\\) at ${source}:${at('sum')} in count`));
  expect(stopped).toMatch(new RegExp(`^>>> +${at('sum')} \\|`, 'm'));
  expect(await ide.text('debug_step', { kind: 'over' })).toMatch(/^\* n = 2 \(was 0\)$/m);
  expect(await ide.text('debug_evaluate', { expression: language.mapQuantities })).toBe(
    `(${language.typeOf.list}) [2, 1, 4]`,
  );
  const wrong = await ide.call('debug_evaluate', { expression: language.missing.expression });
  expect(wrong.error).toMatchObject({
    name: 'evaluation_error',
    message: expect.stringMatching(language.missing.error),
  });
  expect(await ide.text('debug_stack')).toMatch(new RegExp(`^> #0 count .*\\n  #1 main ${source}:${at('count')}\\n`));
  expect(await ide.text('debug_variables')).toMatch(new RegExp(`^  n: ${language.typeOf.integer} = 2$`, 'm'));
  expect(await ide.text('debug_variables', { frame: 1, path: 'order.items[1]' })).toMatch(/qty: \w+ = 1/);
  // A breakpoint on the way comes before the end of a step out.
  expect(await ide.text('debug_step', { kind: 'out' })).toContain('Stopped (breakpoint)');
  expect(await ide.text('debug_step', { kind: 'out' })).toContain('Stopped (breakpoint)');
  const back = await ide.text('debug_step', { kind: 'out' });
  expect(back).toContain(' in main');
  const onward = language.outStopsAt === 'call' ? await ide.text('debug_step') : back;
  expect(onward).toContain(`${source}:${at('hello')} in main`);
  expect(await ide.text('debug_step', { kind: 'into' })).toContain(`${source}:${at('greet')} in greet`);
  expect(await ide.text('debug_stop')).toMatch(/^Debug session ended\./);
  // Hints name the tools that this face lists.
  expect((await ide.call('debug_variables')).error).toMatchObject({
    name: 'no_session',
    hint: expect.stringMatching(/\bdebug_launch\b/),
  });

  const probed = await ide.text('debug_probe', {
    program,
    breakpoints: [
      { file: source, line: at('sum'), condition: 'n > 2', expressions: ['n * 2', language.missing.expression] },
      { file: source, line: at('greet') },
    ],
  });
  expect(probed).toMatch(/^--- hit 1\n/);
  expect(probed).toContain('  n * 2 => 6\n');
  expect(probed).toMatch(/nothing => <\w+Error: /);
  expect(probed).toContain('--- hit 2');
  expect(probed).not.toContain('--- hit 3');
  expect(probed).toMatch(/Program ended with exit code 0\.\nOutput:\nhello Ann 7\nhandled$/);
}
