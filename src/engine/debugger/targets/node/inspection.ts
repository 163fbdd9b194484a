import { Script as SyntaxCheck } from 'node:vm';
import { errorMessage, PeerError, ToolError } from '../../../../base/errors.ts';
import { clip } from '../../../../base/textBudget.ts';
import type { Protocol } from '../../../../protocol/cdp/types.ts';
import type {
  EvaluateRequest,
  ExceptionInfo,
  Scope,
  SetVariableRequest,
  ValueLimits,
  Variable,
  VariablePage,
  VariableRange,
} from '../../model.ts';
import type { Handle, Isolate } from './isolate.ts';

const objectGroup = 'sightline';
const scopeKinds: Partial<Record<Protocol.Debugger.ScopeType, Scope['kind']>> = {
  local: 'locals',
  block: 'block',
  catch: 'block',
  closure: 'closure',
  module: 'module',
  script: 'other',
  global: 'globals',
};

export function scopesOf(isolate: Isolate, frameId: string): Promise<Scope[]> {
  const frame = isolate.callFrame(frameId);
  const scopes = frame.scopeChain.map((scope): Scope => {
    // The function around a CommonJS module is a closure to its functions; to people it is the module.
    const isModule =
      scope.type === 'closure' && scope.startLocation?.lineNumber === 0 && scope.startLocation.columnNumber === 0;
    const kind = isModule ? 'module' : (scopeKinds[scope.type] ?? 'other');
    return {
      name: scope.name === undefined || scope.name === '' ? kind : `${kind} ${scope.name}`,
      kind,
      reference: isolate.addHandle({
        object: scope.object,
        evaluateName: undefined,
        isScope: true,
        extras: scope.type === 'local' ? extrasOf(frame) : [],
      }),
      expensive: kind === 'globals',
    };
  });
  return Promise.resolve(scopes);
}

function extrasOf(frame: Protocol.Debugger.CallFrame): NonNullable<Handle['extras']> {
  const self = frame.this;
  const isTelling = self.type === 'object' && self.subtype !== 'null' && !plainReceivers.has(self.className ?? '');
  return [
    ...(isTelling ? [{ name: 'this', object: self }] : []),
    ...(frame.returnValue === undefined ? [] : [{ name: '(return value)', object: frame.returnValue }]),
  ];
}

/** Receivers of plain functions and modules, which tell nothing. */
const plainReceivers = new Set(['global', 'Object', 'Module', 'process']);

/** What every CommonJS module has; no one looks for it. */
const moduleFurniture = new Set(['exports', 'require', 'module', '__filename', '__dirname', 'arguments']);

export async function variablesOf(
  isolate: Isolate,
  handle: Handle,
  range: VariableRange,
  limits: ValueLimits,
): Promise<VariablePage> {
  if (!handle.isScope) return isolate.values.children(handle.object, range, limits, handle.evaluateName);
  const answer = await isolate.session.send('Runtime.getProperties', {
    objectId: handle.object.objectId ?? '',
    ownProperties: true,
    generatePreview: true,
  });
  const wanted = answer.result.filter(
    (property) =>
      !moduleFurniture.has(property.name) &&
      (range.filter === undefined || property.name.toLowerCase().includes(range.filter.toLowerCase())),
  );
  const page = wanted.slice(range.start, range.start + range.count);
  const variables = await Promise.all(
    page.map((property) =>
      property.value === undefined
        ? Promise.resolve<Variable>({ name: property.name, value: '<not initialised>', type: 'unavailable' })
        : isolate.values.present(property.name, property.value, limits, property.name),
    ),
  );
  const extras = range.start === 0 && range.filter === undefined ? (handle.extras ?? []) : [];
  for (const extra of extras) {
    variables.push(
      await isolate.values.present(extra.name, extra.object, limits, extra.name === 'this' ? 'this' : undefined),
    );
  }
  return { variables, total: wanted.length + extras.length };
}

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
  let answer: Protocol.Runtime.EvaluateResponse;
  try {
    if (request.frameId === undefined || !isPaused)
      answer = await isolate.session.send('Runtime.evaluate', {
        ...common,
        replMode: true,
        awaitPromise: !isPaused && awaited !== null,
        includeCommandLineAPI: !request.readOnly,
      });
    else
      answer = await isolate.session.send('Debugger.evaluateOnCallFrame', {
        ...common,
        callFrameId: isolate.callFrame(request.frameId).callFrameId,
      });
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
  const frame = isolate.callFrame(request.frameId);
  const answer = await isolate.session.send('Debugger.evaluateOnCallFrame', {
    callFrameId: frame.callFrameId,
    expression: `${request.path} = (${request.valueExpression}\n)`,
    objectGroup,
    silent: true,
    generatePreview: true,
    timeout: request.timeoutMs,
  });
  if (answer.exceptionDetails !== undefined)
    throw new ToolError('evaluation_error', `${request.path} could not be set: ${thrownText(answer.exceptionDetails)}`);
  // What is shown is what the program now has, not what was sent: a setter or a typed array may have changed it.
  const now = await isolate.session.send('Debugger.evaluateOnCallFrame', {
    callFrameId: frame.callFrameId,
    expression: request.path,
    objectGroup,
    silent: true,
    generatePreview: true,
    timeout: request.timeoutMs,
  });
  return isolate.values.present(request.path, now.result, request.limits, request.path);
}

export async function exceptionOf(isolate: Isolate, limits: ValueLimits): Promise<ExceptionInfo | undefined> {
  const event = isolate.paused;
  if (event.reason !== 'exception' && event.reason !== 'promiseRejection') return undefined;
  // For these reasons `data` is the thrown value as a remote object, with `uncaught` added; the protocol leaves it untyped.
  const data = event.data as Protocol.Runtime.RemoteObject & { uncaught?: boolean };
  const value = await isolate.values.present('exception', data, limits);
  const { fields, message, name, stack } = await isolate.values.errorDetails(data, limits);
  const top = event.callFrames[0];
  const script = top === undefined ? undefined : isolate.scripts.get(top.location.scriptId);
  const thrownAt =
    top === undefined || script?.isLibrary !== false
      ? undefined
      : script.locate(top.location.lineNumber, top.location.columnNumber ?? 0);
  return {
    type: name ?? data.className ?? data.type,
    message: clip(message ?? value.value, 600),
    details: fields,
    value,
    ...(data.uncaught === undefined ? {} : { uncaught: data.uncaught }),
    ...(thrownAt === undefined ? {} : { thrownAt }),
    ...(stack === undefined ? {} : { stackText: clip(stack, 2000) }),
  };
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
