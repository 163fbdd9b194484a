import { ToolError } from '../../../../../base/errors.ts';
import { clip } from '../../../../../base/text/textBudget.ts';
import type { Protocol } from '../../../../../protocol/cdp/types.ts';
import type { Scope, ValueLimits, Variable, VariablePage, VariableRange } from '../../../model.ts';
import { type DrawnVariable, isDrawn } from '../inProgram/drawing.ts';
import type { Handle, ScopeHandle } from './handles.ts';
import type { Isolate } from '../pause/isolate.ts';
import { goneFrameId } from '../exceptions/rejections.ts';
import { moduleFurniture, type ScopeDrawing } from './scopeDrawing.ts';
import { parameterNames } from '../scripts/parameters.ts';
import { kindOf } from './scopeKinds.ts';
import { scopesReadAgain } from './refreshScopes.ts';
import { describeFunction } from './valueText.ts';

type RemoteObject = Protocol.Runtime.RemoteObject;

export async function scopesOf(isolate: Isolate, frameId: string): Promise<Scope[]> {
  const paused = isolate.view.callFrame(frameId);
  const isReadable = isolate.view.isTouched && paused.callFrameId !== goneFrameId;
  const frame = isReadable ? await scopesReadAgain(isolate.session, paused) : paused;
  const names = await isolate.scripts.namesOf(frame.location.scriptId);
  const kinds = frame.scopeChain.map(kindOf);
  const parameters = await parametersOf(isolate, frame);
  const drawing = isolate.view.takeDrawing(frame);
  return frame.scopeChain.map((scope, index): Scope => {
    const kind = kinds[index] ?? 'other';
    return {
      name: scope.name === undefined || scope.name === '' ? kind : `${kind} ${scope.name}`,
      kind,
      reference: isolate.view.addHandle({
        scope: scope.object,
        drawing,
        ...(names === undefined ? {} : { shownName: (name) => names.shownName(name, frame.location, scope) }),
        extras: scope.type === 'local' ? extrasOf(frame) : [],
        ...(scope.type === 'local' ? { parameters } : {}),
      }),
      expensive: kind === 'globals',
    };
  });
}

/** Only a failure tells what its functions were called with; it takes reading their heads. */
async function parametersOf(isolate: Isolate, frame: Protocol.Debugger.CallFrame): Promise<readonly string[]> {
  const { functionLocation: start } = frame;
  const { reason } = isolate.view.event;
  if (start === undefined || (reason !== 'exception' && reason !== 'promiseRejection')) return [];
  const source = await isolate.scripts.sourceOf(start.scriptId);
  return source === undefined ? [] : parameterNames(source, start.lineNumber, start.columnNumber ?? 0);
}

function extrasOf(frame: Protocol.Debugger.CallFrame): ScopeHandle['extras'] {
  const self = frame.this;
  const isTelling = self.type === 'object' && self.subtype !== 'null' && !plainReceivers.has(self.className ?? '');
  return [
    ...(isTelling ? [{ name: 'this', object: self }] : []),
    ...(frame.returnValue === undefined ? [] : [{ name: '(return value)', object: frame.returnValue }]),
  ];
}

/** Receivers of plain functions and modules, which tell nothing. */
const plainReceivers = new Set(['global', 'Object', 'Module', 'process']);

/** What an id opens: the variables of a scope, or the children of a value. */
export async function variablesOf(
  isolate: Isolate,
  handle: Handle,
  range: VariableRange,
  limits: ValueLimits,
): Promise<VariablePage> {
  if ('scope' in handle) return scopeVariables(isolate, handle, range, limits);
  const object = typeof handle.value === 'function' ? await handle.value() : handle.value;
  return isolate.values.children(object, range, limits, handle.evaluateName);
}

async function scopeVariables(
  isolate: Isolate,
  handle: ScopeHandle,
  range: VariableRange,
  limits: ValueLimits,
): Promise<VariablePage> {
  const drawn = await handle.drawing.of(handle.scope, limits);
  const listed: readonly ListedVariable[] = isComplete(drawn)
    ? drawn.map((variable) => ({ name: variable[0], drawn: variable }))
    : await listedByV8(isolate, handle.scope, drawn ?? []);
  const wanted = listed
    .filter(({ name }) => !moduleFurniture.has(name))
    .map((variable) => ({ ...variable, shown: handle.shownName?.(variable.name) ?? variable.name }))
    .filter(({ shown }) => range.filter === undefined || shown.toLowerCase().includes(range.filter.toLowerCase()));
  const page = wanted.slice(range.start, range.start + range.count);
  const extras = range.start === 0 && range.filter === undefined ? handle.extras : [];
  const variables = await Promise.all([
    ...page.map(async (variable) => {
      const presented = await present(isolate, handle.scope, variable, limits);
      const isArgument = handle.parameters?.includes(variable.name) === true;
      return isArgument ? { ...presented, kind: 'argument' as const } : presented;
    }),
    ...extras.map((extra) => presentExtra(isolate, handle.drawing, extra, limits)),
  ]);
  return { variables, total: wanted.length + extras.length };
}

interface ListedVariable {
  name: string;
  drawn: DrawnVariable | undefined;
  /** As V8 tells it; undefined when it did not have to be asked, or the variable has no value yet. */
  object?: RemoteObject;
}

function isComplete(drawn: readonly DrawnVariable[] | undefined): drawn is readonly DrawnVariable[] {
  return drawn?.every((variable) => isDrawn(variable) || moduleFurniture.has(variable[0])) === true;
}

/** What could not be drawn inside the program is drawn here, from previews. */
async function listedByV8(
  isolate: Isolate,
  scope: RemoteObject,
  drawn: readonly DrawnVariable[],
): Promise<ListedVariable[]> {
  const { result } = await propertiesOf(isolate, scope, true);
  return result.map(({ name, value }) => ({
    name,
    drawn: drawn.find((variable) => variable[0] === name),
    ...(value === undefined ? {} : { object: value }),
  }));
}

async function present(
  isolate: Isolate,
  scope: RemoteObject,
  { name, shown, drawn, object }: ListedVariable & { shown: string },
  limits: ValueLimits,
): Promise<Variable> {
  if (drawn !== undefined && isDrawn(drawn)) {
    const value = object ?? (() => fetchVariable(isolate, scope, name));
    return presentDrawn(isolate, shown, drawn, value, limits, shown);
  }
  if (object === undefined) return { name: shown, value: '<not initialised>', type: 'unavailable' };
  return marked(drawn, await isolate.values.present(shown, object, limits, shown));
}

/** What was drawn from outside, with the number by which it is known elsewhere. */
function marked(drawn: DrawnVariable | undefined, variable: Variable): Variable {
  return { ...variable, value: `${drawn?.[1] ?? ''}${variable.value}` };
}

async function presentExtra(
  isolate: Isolate,
  drawing: ScopeDrawing,
  { name, object }: ScopeHandle['extras'][number],
  limits: ValueLimits,
): Promise<Variable> {
  const evaluateName = name === 'this' ? 'this' : undefined;
  // Only objects can be handed to the program to be drawn there.
  const drawn =
    object.objectId === undefined ? undefined : (await drawing.ofExtras(limits)).find((each) => each[0] === name);
  if (drawn !== undefined && isDrawn(drawn)) return presentDrawn(isolate, name, drawn, object, limits, evaluateName);
  return marked(drawn, await isolate.values.present(name, object, limits, evaluateName));
}

function presentDrawn(
  isolate: Isolate,
  name: string,
  [, text = '', type = '', size]: DrawnVariable,
  value: RemoteObject | (() => Promise<RemoteObject>),
  limits: ValueLimits,
  evaluateName: string | undefined,
): Variable {
  const isFunction = type === 'function';
  return {
    name,
    value: clip(isFunction ? describeFunction(text) : text, limits.maxValueChars),
    type,
    ...(isFunction || size !== undefined ? { reference: isolate.view.addHandle({ value, evaluateName }) } : {}),
    ...(size === undefined || size < 0 ? {} : { indexedCount: size }),
    ...(evaluateName === undefined ? {} : { evaluateName }),
  };
}

async function fetchVariable(isolate: Isolate, scope: RemoteObject, name: string): Promise<RemoteObject> {
  const { result } = await propertiesOf(isolate, scope, false);
  const value = result.find((property) => property.name === name)?.value;
  if (value === undefined) throw new ToolError('not_paused', `${name} has no value any more.`);
  return value;
}

function propertiesOf(isolate: Isolate, scope: RemoteObject, generatePreview: boolean) {
  const objectId = scope.objectId ?? '';
  return isolate.session.send('Runtime.getProperties', { objectId, ownProperties: true, generatePreview });
}
