import type { DebugProtocol } from '@vscode/debugprotocol';
import { clip } from '../../../../base/text/textBudget.ts';
import type { BreakpointBinding, Scope, StackFrame, StopReason, ValueLimits, Variable } from '../../model.ts';
import type { TargetCapabilities } from '../../target.ts';
import type { DapAdapter } from './dapAdapter.ts';

/** The protocol's shapes as the debugger's model has them. */
export function fromFrame(frame: DebugProtocol.StackFrame, index: number, adapter: DapAdapter): StackFrame {
  const file = frame.source?.path;
  const reference = frame.source?.sourceReference ?? 0;
  const isSubtle = frame.presentationHint === 'subtle' || frame.source?.presentationHint === 'deemphasize';
  return {
    id: String(frame.id),
    index,
    name: frame.name,
    ...adapter.frame?.(frame.name),
    ...(frame.line > 0
      ? {
          location: {
            file,
            line: frame.line,
            ...(frame.column > 0 ? { column: frame.column } : {}),
          },
        }
      : {}),
    isLibrary: isSubtle || file === undefined || (adapter.isLibrary?.(file) ?? false),
    ...(reference > 0 ? { sourceReference: String(reference) } : {}),
    isLive: frame.presentationHint !== 'label',
  };
}

export function fromCapabilities(announced: DebugProtocol.Capabilities): TargetCapabilities {
  return {
    conditions: announced.supportsConditionalBreakpoints ?? false,
    hitConditions: announced.supportsHitConditionalBreakpoints ?? false,
    logMessages: announced.supportsLogPoints ?? false,
    functionBreakpoints: announced.supportsFunctionBreakpoints ?? false,
    exceptionBreakpoints: (announced.exceptionBreakpointFilters ?? []).length > 0,
    exceptionClasses: announced.supportsExceptionFilterOptions ?? false,
    columnBreakpoints: announced.supportsBreakpointLocationsRequest ?? false,
    dataBreakpoints: announced.supportsDataBreakpoints ?? false,
    setVariable: (announced.supportsSetVariable ?? false) || (announced.supportsSetExpression ?? false),
    readOnlyEvaluation: false,
    detach: announced.supportTerminateDebuggee ?? false,
  };
}

export function fromScope(scope: DebugProtocol.Scope): Scope {
  return {
    name: scope.name,
    kind: scopeKind(scope),
    reference: String(scope.variablesReference),
    expensive: scope.expensive,
  };
}

function scopeKind(scope: DebugProtocol.Scope): Scope['kind'] {
  if (scope.presentationHint === 'arguments') return 'arguments';
  if (scope.presentationHint === 'locals' || /^local/i.test(scope.name)) return 'locals';
  if (scope.presentationHint === 'registers' || /^registers/i.test(scope.name)) return 'registers';
  if (/^arg/i.test(scope.name)) return 'arguments';
  if (/closure/i.test(scope.name)) return 'closure';
  if (/global|static/i.test(scope.name)) return 'globals';
  return 'other';
}

/** Adapters render values as they like; here they are at least bounded. */
export function fromVariable(variable: DebugProtocol.Variable, limits: ValueLimits): Variable {
  const reference = variable.variablesReference;
  return {
    name: variable.name,
    value: clip(variable.value, limits.maxValueChars),
    type: variable.type ?? '',
    ...(reference > 0 ? { reference: String(reference) } : {}),
    ...(variable.indexedVariables === undefined ? {} : { indexedCount: variable.indexedVariables }),
    ...(variable.namedVariables === undefined ? {} : { namedCount: variable.namedVariables }),
    ...(variable.evaluateName === undefined ? {} : { evaluateName: variable.evaluateName }),
  };
}

export function fromBreakpoint(id: string, told: DebugProtocol.Breakpoint, file?: string): BreakpointBinding {
  const path = told.source?.path ?? file;
  return {
    breakpointId: id,
    verified: told.verified,
    ...(told.line === undefined ? {} : { location: { file: path, line: told.line } }),
    ...(told.message === undefined ? {} : { message: withoutPath(told.message, path) }),
  };
}

/** Where it is, the reader of a breakpoint knows. */
function withoutPath(message: string, path: string | undefined): string {
  const at = path === undefined ? -1 : message.indexOf(` at ${path}`);
  return at < 0 ? message : message.slice(0, at) + message.slice(at + 4 + (path?.length ?? 0)).replace(/^:\d+/, '');
}

export function fromStopReason(reason: string): StopReason {
  switch (reason) {
    case 'breakpoint':
    case 'step':
    case 'exception':
    case 'entry':
    case 'function breakpoint':
    case 'data breakpoint':
      return reason;
    case 'goto':
      return 'step';
    default:
      return /breakpoint/.test(reason) ? 'breakpoint' : 'pause';
  }
}
