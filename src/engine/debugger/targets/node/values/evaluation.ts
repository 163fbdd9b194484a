import { Script as SyntaxCheck } from 'node:vm';
import { advise, step } from '../../../../../base/text/advice.ts';
import { errorMessage, PeerError, ToolError } from '../../../../../base/errors.ts';
import { clip } from '../../../../../base/text/textBudget.ts';
import type { Protocol } from '../../../../../protocol/cdp/types.ts';
import type { EvaluateRequest, SetVariableRequest, Variable } from '../../../model.ts';
import { goneFrameId } from '../exceptions/rejections.ts';
import type { Isolate } from '../pause/isolate.ts';

const objectGroup = 'sightline';

export async function evaluateIn(isolate: Isolate, request: EvaluateRequest): Promise<Variable> {
  const awaited = /^await\s+([^]+)$/.exec(request.expression.trim());
  const isPaused = isolate.isPaused;
  const expression = asExpression(isPaused && awaited !== null ? (awaited[1] ?? '') : request.expression);
  const common = {
    expression,
    objectGroup,
    silent: true,
    generatePreview: true,
    throwOnSideEffect: request.readOnly,
    timeout: request.timeoutMs,
  };
  if (!request.readOnly) isolate.view.touch();
  let answer: Protocol.Runtime.EvaluateResponse;
  try {
    if (request.frameId === undefined || !isPaused)
      answer = await isolate.session.send('Runtime.evaluate', {
        ...common,
        replMode: true,
        awaitPromise: !isPaused && awaited !== null,
        includeCommandLineAPI: !request.readOnly,
      });
    else answer = await answerInFrame(isolate, await inFrame(isolate, request.frameId, expression), common);
  } catch (error) {
    if (error instanceof PeerError && /terminated/.test(error.message)) throw timedOut(request);
    throw error;
  }
  const thrown = answer.exceptionDetails;
  if (thrown !== undefined) throw evaluationError(thrown, request);
  if (isPaused && awaited !== null && answer.result.subtype === 'promise')
    return settledValue(isolate, answer.result, request);
  return isolate.values.present(request.expression, answer.result, request.limits, request.expression);
}

export async function setVariableIn(isolate: Isolate, request: SetVariableRequest): Promise<Variable> {
  isolate.view.touch();
  const assignment = `${request.path} = (${request.valueExpression}\n)`;
  const { frame, expression } = await inFrame(isolate, request.frameId, assignment);
  if (frame.callFrameId === goneFrameId)
    throw new ToolError(
      'not_paused',
      `${request.path} cannot be set: its function is over, only its values were kept.`,
    );
  const { callFrameId } = frame;
  const answer = await isolate.session.send('Debugger.evaluateOnCallFrame', {
    callFrameId,
    expression,
    objectGroup,
    silent: true,
    generatePreview: true,
    timeout: request.timeoutMs,
  });
  if (answer.exceptionDetails !== undefined)
    throw new ToolError('evaluation_error', `${request.path} could not be set: ${thrownText(answer.exceptionDetails)}`);
  // What is shown is what the program now has, not what was sent: a setter or a typed array may have changed it.
  const now = await isolate.session.send('Debugger.evaluateOnCallFrame', {
    callFrameId,
    expression: (await inFrame(isolate, request.frameId, request.path)).expression,
    objectGroup,
    silent: true,
    generatePreview: true,
    timeout: request.timeoutMs,
  });
  if (now.exceptionDetails === undefined) await returnInstead(isolate, request, now.result);
  return isolate.values.present(request.path, now.result, request.limits, request.path);
}

/** At `return name` V8 may have read the variable already; then what is returned is set as well. */
async function returnInstead(
  isolate: Isolate,
  { frameId, path }: SetVariableRequest,
  { objectId, value, unserializableValue }: Protocol.Runtime.RemoteObject,
): Promise<void> {
  const { frame, expression } = await inFrame(isolate, frameId, path);
  if (frame.returnValue === undefined || !/^[\w$]+$/.test(expression)) return;
  const { scriptId, lineNumber } = frame.location;
  const line = (await isolate.scripts.sourceOf(scriptId))?.split('\n')[lineNumber] ?? '';
  const [, returned] = /\breturn\s+([\w$]+)\s*(?:[;}]|$)/.exec(line) ?? [];
  if (returned !== expression) return;
  const newValue =
    objectId === undefined
      ? { ...(unserializableValue === undefined ? { value } : { unserializableValue }) }
      : { objectId };
  await isolate.session.send('Debugger.setReturnValue', { newValue });
}

/** In a frame that is gone its variables are still there, as they were; nothing that is assigned to them has an effect. */
async function answerInFrame(
  isolate: Isolate,
  { frame, expression }: InFrame,
  common: Omit<Protocol.Debugger.EvaluateOnCallFrameRequest, 'callFrameId' | 'expression'>,
): Promise<Protocol.Runtime.EvaluateResponse> {
  const { callFrameId } = frame;
  if (callFrameId !== goneFrameId)
    return isolate.session.send('Debugger.evaluateOnCallFrame', { ...common, callFrameId, expression });
  const scopes = frame.scopeChain.map(({ object }) => object).filter(({ objectId }) => objectId !== undefined);
  const [first] = scopes;
  if (first === undefined)
    throw new ToolError('evaluation_error', 'This frame is gone, and nothing of it was kept.', {
      hint: advise`${step('selectStackFrame')} one of your own functions.`,
    });
  const { timeout: _timeout, ...rest } = common;
  const nested = scopes.map((_, index) => `with (scopes[${scopes.length - 1 - index}])`).join(' ');
  return isolate.session.send('Runtime.callFunctionOn', {
    ...rest,
    objectId: frame.this.objectId ?? first.objectId ?? '',
    functionDeclaration: `function(...scopes) { ${nested} return (${expression}\n) }`,
    arguments: scopes.map(({ objectId }) => ({ objectId })),
  });
}

interface InFrame {
  frame: Protocol.Debugger.CallFrame;
  expression: string;
}

/** The frame, and the expression in the names that its compiled code uses. */
async function inFrame(isolate: Isolate, frameId: string, expression: string): Promise<InFrame> {
  const frame = isolate.view.callFrame(frameId);
  const names = await isolate.scripts.namesOf(frame.location.scriptId, true);
  return { frame, expression: names?.compiled(expression, frame.location) ?? expression };
}

/** While the program stands still no promise can settle; one that has settled already can be looked into. */
async function settledValue(
  isolate: Isolate,
  promise: Protocol.Runtime.RemoteObject,
  request: EvaluateRequest,
): Promise<Variable> {
  const answer = await isolate.session.send('Runtime.getProperties', {
    objectId: promise.objectId ?? '',
    ownProperties: true,
    generatePreview: true,
  });
  const internal = (name: string) =>
    (answer.internalProperties ?? []).find((property) => property.name === name)?.value;
  const state: unknown = internal('[[PromiseState]]')?.value;
  const result = internal('[[PromiseResult]]');
  if (state === 'fulfilled' && result !== undefined)
    return isolate.values.present(request.expression, result, request.limits);
  if (state === 'rejected')
    throw new ToolError(
      'evaluation_error',
      `The promise was rejected: ${result?.description ?? String(result?.value)}`,
    );
  throw new ToolError(
    'evaluation_error',
    'The promise is still pending, and it cannot settle while the program is paused.',
    {
      hint: 'Set a breakpoint behind the await and resume, or evaluate it while the program runs.',
    },
  );
}

/** `{a: 1}` is meant as an object, not as a block. */
function asExpression(expression: string): string {
  if (!expression.trimStart().startsWith('{')) return expression;
  return expressionProblem(expression) === undefined ? `(${expression})` : expression;
}

/** Says what is wrong with the syntax of an expression; nothing is run. Some forms are only legal in their place and pass. */
export function expressionProblem(expression: string): string | undefined {
  if (expression.trim() === '') return 'it is empty';
  if (/#\w|\bsuper\b|\bawait\b|\byield\b|\bnew\.target\b/.test(expression)) return undefined;
  try {
    void new SyntaxCheck(`(${expression}\n)`);
    return undefined;
  } catch (error) {
    return errorMessage(error);
  }
}

function evaluationError(thrown: Protocol.Runtime.ExceptionDetails, request: EvaluateRequest): ToolError {
  const text = thrownText(thrown);
  if (/Possible side-effect in debug-evaluate/.test(text))
    return new ToolError(
      'evaluation_blocked',
      'The expression would have a side effect, and evaluation is read-only here.',
      {
        hint: 'Read values only, or let a person change the evaluation safety mode.',
      },
    );
  if (/Execution was terminated/.test(text)) return timedOut(request);
  return new ToolError('evaluation_error', text);
}

function timedOut(request: EvaluateRequest): ToolError {
  return new ToolError(
    'evaluation_error',
    `The evaluation did not end within ${request.timeoutMs} ms and was stopped; the program stands where it stood.`,
    {
      hint: 'Does the expression loop, or wait for something that cannot happen while paused?',
    },
  );
}

function thrownText(thrown: Protocol.Runtime.ExceptionDetails): string {
  const description = thrown.exception?.description ?? String(thrown.exception?.value ?? thrown.text);
  return clip(description.split('\n    at ')[0] ?? description, 500);
}
