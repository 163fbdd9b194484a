import type { ExceptionInfo, StackFrame, Variable } from '../../model.ts';

/** What our part inside the program (`python/_sightline_debuggee`) says, and how it becomes the debugger's model. */
export interface WireVariable {
  name: string;
  value: string;
  type: string;
  ref?: number;
  indexed?: number;
  named?: number;
  path?: string;
  kind?: 'getter' | 'argument';
}

export interface WireFrame {
  name: string;
  class: string | null;
  file: string;
  line: number;
  library: boolean;
}

export interface WireThread {
  /** As the protocol numbers it. */
  id: number;
  /** As pydevd itself names it. */
  thread: string;
  name: string;
  state: string;
}

export interface WireException {
  type: string;
  message: string;
  thrown: { file: string; line: number } | null;
  cause?: string;
  uncaught: boolean;
  details: WireVariable[];
  value: WireVariable;
}

export interface WireStop {
  thread: string;
  threadName: string;
  frames: WireFrame[];
  total: number;
  threads: WireThread[];
  locals?: WireVariable[];
  localsTotal?: number;
  exception?: WireException | null;
  breakpoints: string[];
  statistics: WireStatistics[];
}

export interface WireStatistics {
  id: string;
  hits: number;
  conditionFalse: number;
  conditionErrors: number;
  lastConditionError: string | null;
}

export interface WireBinding {
  id: string;
  verified: boolean;
  line?: number;
  message?: string;
  nearestLines?: number[];
}

export interface WireHello {
  pid: number;
  ppid: number;
  token: string | null;
  python: string;
  executable: string;
  argv: string[];
}

/** References are opened in the thread they were made in, so they carry its id. */
export function toVariable(wire: WireVariable, threadId: string): Variable {
  return {
    name: wire.name,
    value: wire.value,
    type: wire.type,
    ...(wire.ref === undefined ? {} : { reference: `value/${threadId}/${wire.ref}` }),
    ...(wire.indexed === undefined ? {} : { indexedCount: wire.indexed }),
    ...(wire.named === undefined ? {} : { namedCount: wire.named }),
    ...(wire.path === undefined ? {} : { evaluateName: wire.path }),
    ...(wire.kind === undefined ? {} : { kind: wire.kind }),
  };
}

export function toFrame(wire: WireFrame, threadId: string, index: number): StackFrame {
  const isFile = !wire.file.startsWith('<');
  const methodName = wire.name.split('.').pop() ?? wire.name;
  return {
    id: `${threadId}/${index}`,
    index,
    name: wire.name,
    ...(wire.class === null ? {} : { className: wire.class }),
    methodName,
    location: isFile ? { file: wire.file, line: wire.line } : { line: wire.line },
    isLibrary: wire.library,
    isLive: true,
  };
}

export function toException(wire: WireException, threadId: string): ExceptionInfo {
  const details = wire.details.map((each) => toVariable(each, threadId));
  if (wire.cause !== undefined) details.push({ name: 'cause', value: wire.cause, type: 'exception' });
  return {
    type: wire.type,
    message: wire.message,
    uncaught: wire.uncaught,
    details,
    value: toVariable(wire.value, threadId),
    ...(wire.thrown === null ? {} : { thrownAt: wire.thrown }),
  };
}
