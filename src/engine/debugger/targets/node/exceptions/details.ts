import { clip } from '../../../../../base/textBudget.ts';
import type { Protocol } from '../../../../../protocol/cdp/types.ts';
import type { ExceptionInfo, ValueLimits, Variable } from '../../../model.ts';
import { assertionOperands } from './assertionOperands.ts';
import { looksLikeAssertion } from './filter.ts';
import { goneFrameId } from './rejections.ts';
import type { Isolate } from '../pause/isolate.ts';

/** An assertion's function is called once more to see what it gives; it may not take long, and it may change nothing. */
const operandMs = 500;
const notAgain = '<not called again: it may change something>';

/** What the exception at which an isolate stands has to say. */
export async function exceptionOf(isolate: Isolate, limits: ValueLimits): Promise<ExceptionInfo | undefined> {
  const event = isolate.view.event;
  // V8 stops at a failed console.assert like at an exception, and when the heap is nearly full.
  if (event.reason === 'OOM') return { type: 'Out of memory', message: "V8's heap is nearly full", details: [] };
  if (event.reason === 'assert')
    return { type: 'console.assert', message: 'Assertion failed', details: await operandsAt(isolate, limits) };
  if (event.reason !== 'exception' && event.reason !== 'promiseRejection') return undefined;
  // For these reasons `data` is the thrown value as a remote object, with `uncaught` added; the protocol leaves it untyped.
  const data = event.data as Protocol.Runtime.RemoteObject & { uncaught?: boolean };
  const [value, { fields, message, name, stack }] = await Promise.all([
    isolate.values.present('exception', data, limits),
    isolate.values.errorDetails(data, limits),
  ]);
  const top = event.callFrames[0];
  const script = top === undefined ? undefined : isolate.scripts.get(top.location.scriptId);
  const thrownAt =
    top === undefined || script?.isLibrary !== false
      ? undefined
      : script.locate(top.location.lineNumber, top.location.columnNumber ?? 0);
  const operands = looksLikeAssertion(data) && saysLittle(fields) ? await operandsAt(isolate, limits) : [];
  return {
    type: name ?? data.className ?? data.type,
    message: operands.length === 0 ? shortMessage(message ?? value.value, fields) : withoutCode(message ?? value.value),
    details: operands.length === 0 ? telling(fields, message) : operands,
    value,
    uncaught: data.uncaught,
    thrownAt,
    ...(stack === undefined ? {} : { stackText: clip(stack, 2000) }),
  };
}

/** Both values, when they are told whole, say in one line what a message of many lines says. */
function shortMessage(message: string, fields: readonly Variable[]): string {
  const values = fields.filter(({ name }) => name === 'actual' || name === 'expected');
  const areWhole = values.length === 2 && values.every(({ value }) => !value.includes('…'));
  const [first = '', ...more] = message.split('\n').filter((line) => line.trim() !== '');
  if (areWhole && more.length > 3) return first.replace(/:$/, '');
  // Of a long difference, the lines that differ.
  const differing = more.filter((line) => /^[+-]\s/.test(line) && !/^\+ (actual|expected)/.test(line));
  if (more.length <= 8 || differing.length === 0) return clip(message, 600);
  const shown = differing.slice(0, maxDifferences).map((line) => line.replace(/\s+/g, ' '));
  const left = differing.length - shown.length;
  return clip([first, ...shown, ...(left > 0 ? [`… (${left} more lines)`] : [])].join('\n'), 600);
}

const maxDifferences = 8;

/** Beside their difference, the beginnings of two long values say nothing. */
function telling(fields: readonly Variable[], message: string | undefined): readonly Variable[] {
  if (!/^[+-] /m.test(message ?? '')) return fields;
  return fields.filter(({ name, value }) => !(/^(actual|expected)$/.test(name) && value.includes('…')));
}

/** The message of `assert(…)` repeats the code, which is shown anyway. */
function withoutCode(message: string): string {
  const generated = /^(The expression evaluated to a falsy value):\s+/.exec(message)?.[1];
  return generated ?? clip(message.replaceAll(/\s+/g, ' '), 200);
}

/** `assert(a === b)` only knows that its argument was false. */
function saysLittle(fields: readonly Variable[]): boolean {
  const of = (name: string) => fields.find((field) => field.name === name)?.value;
  if (of('actual') === undefined) return of('expected') === undefined;
  return of('operator') === '"=="' && of('expected') === 'true';
}

/** The values in the failed assertion that the user's own code made. */
async function operandsAt(isolate: Isolate, limits: ValueLimits): Promise<Variable[]> {
  const frame = isolate.view.event.callFrames.find(
    (each) => isolate.scripts.get(each.location.scriptId)?.isLibrary === false,
  );
  const source = frame === undefined ? undefined : await isolate.scripts.sourceOf(frame.location.scriptId);
  if (frame === undefined || source === undefined || frame.callFrameId === goneFrameId) return [];
  const { lineNumber, columnNumber } = frame.location;
  const operands = assertionOperands(source, lineNumber, columnNumber ?? 0);
  const values = await Promise.all(
    operands.map(async (text) => {
      const value = await valueAgain(isolate, frame.callFrameId, text);
      const name = clip(text.replaceAll(/\s+/g, ' '), 80);
      if (value === 'refused') return [{ name, value: notAgain, type: '' }];
      return value === undefined ? [] : [await isolate.values.present(name, value, limits)];
    }),
  );
  return values.flat();
}

/** Evaluates once more what has been evaluated; V8 itself watches that nothing is changed by it. */
async function valueAgain(
  isolate: Isolate,
  callFrameId: string,
  text: string,
): Promise<Protocol.Runtime.RemoteObject | 'refused' | undefined> {
  const answer = await isolate.session.send('Debugger.evaluateOnCallFrame', {
    callFrameId,
    expression: `(${text}\n)`,
    silent: true,
    generatePreview: true,
    throwOnSideEffect: true,
    timeout: operandMs,
  });
  if (answer.exceptionDetails === undefined) return answer.result;
  const wasRefused = answer.exceptionDetails.exception?.description?.includes('Possible side-effect') === true;
  return wasRefused ? 'refused' : undefined;
}
