import { clip } from '../../../../base/textBudget.ts';
import type { Protocol } from '../../../../protocol/cdp/types.ts';
import type { ExceptionInfo, ValueLimits, Variable } from '../../model.ts';
import { assertionOperands } from './assertionOperands.ts';
import { looksLikeAssertion } from './exceptionFilter.ts';
import type { Isolate } from './isolate.ts';

/** An assertion's function is called once more to see what it gives; it may not take long, and it may change nothing. */
const operandMs = 500;

/** What the exception at which an isolate stands has to say. */
export async function exceptionOf(isolate: Isolate, limits: ValueLimits): Promise<ExceptionInfo | undefined> {
  const event = isolate.paused;
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
    // The message of `assert(…)` repeats the code, which is shown anyway.
    message:
      operands.length === 0
        ? clip(message ?? value.value, 600)
        : clip((message ?? value.value).replaceAll(/\s+/g, ' '), 200),
    details: operands.length === 0 ? fields : operands,
    value,
    uncaught: data.uncaught,
    thrownAt,
    ...(stack === undefined ? {} : { stackText: clip(stack, 2000) }),
  };
}

/** `assert(a === b)` only knows that its argument was false. */
function saysLittle(fields: readonly Variable[]): boolean {
  const of = (name: string) => fields.find((field) => field.name === name)?.value;
  if (of('actual') === undefined) return of('expected') === undefined;
  return of('operator') === '"=="' && of('expected') === 'true';
}

/** The values in the failed assertion that the user's own code made. What V8 refuses as a side effect is left out. */
async function operandsAt(isolate: Isolate, limits: ValueLimits): Promise<Variable[]> {
  const frame = isolate.paused.callFrames.find(
    (each) => isolate.scripts.get(each.location.scriptId)?.isLibrary === false,
  );
  const source = frame === undefined ? undefined : await isolate.sourceOf(frame.location.scriptId);
  if (frame === undefined || source === undefined) return [];
  const { lineNumber, columnNumber } = frame.location;
  const values = await Promise.all(
    assertionOperands(source, lineNumber, columnNumber ?? 0).map(async (text) => {
      const answer = await isolate.session.send('Debugger.evaluateOnCallFrame', {
        callFrameId: frame.callFrameId,
        expression: `(${text}\n)`,
        silent: true,
        generatePreview: true,
        throwOnSideEffect: true,
        timeout: operandMs,
      });
      if (answer.exceptionDetails !== undefined) return [];
      return [await isolate.values.present(clip(text.replaceAll(/\s+/g, ' '), 60), answer.result, limits)];
    }),
  );
  return values.flat();
}
