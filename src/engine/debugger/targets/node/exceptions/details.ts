import { stripVTControlCharacters } from 'node:util';
import { clip } from '../../../../../base/text/textBudget.ts';
import type { Protocol } from '../../../../../protocol/cdp/types.ts';
import type { ExceptionInfo, ValueLimits, Variable } from '../../../model.ts';
import { assertionOperands } from './assertionOperands.ts';
import { looksLikeAssertion } from './filter.ts';
import { goneFrameId } from './rejections.ts';
import type { Isolate } from '../pause/isolate.ts';
import { differencesOf, relatedExceptions } from './failureParts.ts';

const operandMs = 500;

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
  const [value, { fields, message, name, stack, objects }, different] = await Promise.all([
    isolate.values.present('exception', data, limits),
    isolate.values.errorDetails(data, limits),
    differencesOf(isolate, data),
  ]);
  const top = event.callFrames[0];
  const thrownAt = top === undefined ? undefined : await placeThrown(isolate, top);
  // Assertion libraries colour what they say.
  const said = stripVTControlCharacters(message ?? value.value);
  const operands = looksLikeAssertion(data) && saysLittle(fields) ? await operandsAt(isolate, limits) : [];
  const own = fields.filter((field) => field.name !== 'cause' && field.name !== 'errors');
  return {
    type: name ?? data.className ?? data.type,
    message: clip(operands.length === 0 ? said : withoutCode(said), maxMessage),
    details: operands.length === 0 ? own : operands,
    value,
    uncaught: data.uncaught,
    thrownAt,
    ...(data.subtype === 'error' ? {} : { isPlainValue: true }),
    ...(stack === undefined ? {} : { stackText: clip(stack, 2000) }),
    ...different,
    related: await relatedExceptions(isolate, objects),
  };
}

const maxMessage = 6000;

/** Of code that was made while the program ran also the line itself: nobody can look it up. */
async function placeThrown(isolate: Isolate, top: Protocol.Debugger.CallFrame): Promise<ExceptionInfo['thrownAt']> {
  const { scriptId, lineNumber, columnNumber = 0 } = top.location;
  const script = isolate.scripts.get(scriptId);
  if (script === undefined) return undefined;
  if (!script.isLibrary) return script.locate(lineNumber, columnNumber);
  if (script.url.startsWith('node:') || script.path !== undefined) return undefined;
  const code = (await isolate.scripts.sourceOf(scriptId))?.split('\n')[lineNumber]?.trim();
  return { line: lineNumber + 1, ...(code === undefined ? {} : { code: clip(code, 200) }) };
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
      return value === undefined ? [] : [await isolate.values.present(name, value, limits)];
    }),
  );
  return values.flat();
}

/** Evaluates once more what has been evaluated, while V8 watches that nothing is changed. */
async function valueAgain(
  isolate: Isolate,
  callFrameId: string,
  text: string,
): Promise<Protocol.Runtime.RemoteObject | undefined> {
  const answer = await isolate.session.send('Debugger.evaluateOnCallFrame', {
    callFrameId,
    expression: `(${text}\n)`,
    silent: true,
    generatePreview: true,
    throwOnSideEffect: true,
    timeout: operandMs,
  });
  return answer.exceptionDetails === undefined ? answer.result : undefined;
}
