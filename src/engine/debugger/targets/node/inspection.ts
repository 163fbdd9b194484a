import { Script as SyntaxCheck } from 'node:vm';
import { errorMessage, PeerError, ToolError } from '../../../../base/errors.ts';
import { clip } from '../../../../base/textBudget.ts';
import type { Protocol } from '../../../../protocol/cdp/types.ts';
import type {
  EvaluateRequest,
  Scope,
  SetVariableRequest,
  ValueLimits,
  Variable,
  VariablePage,
  VariableRange,
} from '../../model.ts';
import type { Handle, Isolate } from './isolate.ts';
import { moduleFurniture, ScopeTexts } from './scopeTexts.ts';

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

export async function scopesOf(isolate: Isolate, frameId: string): Promise<Scope[]> {
  const frame = isolate.callFrame(frameId);
  const names = await isolate.namesOf(frame.location.scriptId);
  const kinds = frame.scopeChain.map(kindOf);
  const isInFunction = kinds.some((kind) => kind === 'locals' || kind === 'block');
  // A module's own variables are looked at only at its top level.
  const near = frame.scopeChain.filter((_, index) =>
    ['locals', 'block', 'closure', ...(isInFunction ? [] : ['module'])].includes(kinds[index] ?? ''),
  );
  const texts = new ScopeTexts(
    isolate.session,
    frame,
    near.map((scope) => scope.object),
  );
  return frame.scopeChain.map((scope, index): Scope => {
    const kind = kinds[index] ?? 'other';
    return {
      name: scope.name === undefined || scope.name === '' ? kind : `${kind} ${scope.name}`,
      kind,
      reference: isolate.addHandle({
        object: scope.object,
        evaluateName: undefined,
        texts,
        ...(names === undefined ? {} : { shownName: (name) => names.shownName(name, frame.location, scope) }),
        extras: scope.type === 'local' ? extrasOf(frame) : [],
      }),
      expensive: kind === 'globals',
    };
  });
}

function kindOf(scope: Protocol.Debugger.Scope): Scope['kind'] {
  // The function around a CommonJS module is a closure to its functions; to people it is the module.
  const isModule =
    scope.type === 'closure' && scope.startLocation?.lineNumber === 0 && scope.startLocation.columnNumber === 0;
  return isModule ? 'module' : (scopeKinds[scope.type] ?? 'other');
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

export async function variablesOf(
  isolate: Isolate,
  handle: Handle,
  range: VariableRange,
  limits: ValueLimits,
): Promise<VariablePage> {
  const { texts } = handle;
  if (texts === undefined) return isolate.values.children(handle.object, range, limits, handle.evaluateName);
  const objectId = handle.object.objectId ?? '';
  const [quick, drawn, extrasDrawn] = await Promise.all([
    isolate.session.send('Runtime.getProperties', { objectId, ownProperties: true }),
    texts.of(handle.object, limits),
    handle.extras?.length === 0 ? undefined : texts.ofExtras(limits),
  ]);
  // What could not be drawn inside the program is drawn here, from previews.
  const isDrawn = quick.result.every(
    ({ name, value }) => !isDeep(value) || drawn.has(name) || moduleFurniture.has(name),
  );
  const answer = isDrawn
    ? quick
    : await isolate.session.send('Runtime.getProperties', { objectId, ownProperties: true, generatePreview: true });
  const wanted = answer.result
    .filter((property) => !moduleFurniture.has(property.name))
    .map((property) => ({ ...property, shown: handle.shownName?.(property.name) ?? property.name }))
    .filter(({ shown }) => range.filter === undefined || shown.toLowerCase().includes(range.filter.toLowerCase()));
  const page = wanted.slice(range.start, range.start + range.count);
  const extras = range.start === 0 && range.filter === undefined ? (handle.extras ?? []) : [];
  const variables = await Promise.all([
    ...page.map((property) =>
      property.value === undefined
        ? Promise.resolve<Variable>({ name: property.shown, value: '<not initialised>', type: 'unavailable' })
        : isolate.values.present(property.shown, property.value, limits, property.shown, drawn.get(property.name)),
    ),
    ...extras.map(({ name, object }) =>
      isolate.values.present(name, object, limits, name === 'this' ? 'this' : undefined, extrasDrawn?.get(name)),
    ),
  ]);
  return { variables, total: wanted.length + extras.length };
}

function isDeep(value: Protocol.Runtime.RemoteObject | undefined): boolean {
  return value?.type === 'object' && value.subtype !== 'null';
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
        ...(await inFrame(isolate, request.frameId, expression)),
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
  const assignment = `${request.path} = (${request.valueExpression}\n)`;
  const answer = await isolate.session.send('Debugger.evaluateOnCallFrame', {
    ...(await inFrame(isolate, request.frameId, assignment)),
    objectGroup,
    silent: true,
    generatePreview: true,
    timeout: request.timeoutMs,
  });
  if (answer.exceptionDetails !== undefined)
    throw new ToolError('evaluation_error', `${request.path} could not be set: ${thrownText(answer.exceptionDetails)}`);
  // What is shown is what the program now has, not what was sent: a setter or a typed array may have changed it.
  const now = await isolate.session.send('Debugger.evaluateOnCallFrame', {
    ...(await inFrame(isolate, request.frameId, request.path)),
    objectGroup,
    silent: true,
    generatePreview: true,
    timeout: request.timeoutMs,
  });
  return isolate.values.present(request.path, now.result, request.limits, request.path);
}

/** The frame, and the expression in the names that its compiled code uses. */
async function inFrame(
  isolate: Isolate,
  frameId: string,
  expression: string,
): Promise<{ callFrameId: string; expression: string }> {
  const { callFrameId, location } = isolate.callFrame(frameId);
  const names = await isolate.namesOf(location.scriptId);
  return { callFrameId, expression: names?.compiled(expression, location) ?? expression };
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
