import { basename } from 'node:path';
import type { Difference, ExceptionInfo, StackFrame, Variable } from '../../model.ts';
import type { StackDumps } from './stackDump.ts';

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

interface WireException {
  type: string;
  message: string;
  /** With the line itself when it was made while the program ran. */
  thrown: { file: string; line: number; code?: string } | null;
  differences?: Difference[];
  moreDifferences?: number;
  related: WireRelated[];
  uncaught: boolean;
  /** Whether a test runner took it for a failure, or it ends the program that was started. */
  byRunner: boolean;
  details: WireVariable[];
  value: WireVariable;
}

interface WireRelated {
  relation: 'cause' | 'context' | 'member';
  type: string;
  message: string;
  fields: string[];
  depth: number;
  file?: string;
  line?: number;
  function?: string;
  code?: string;
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
  /** What must be said of the values. */
  remark?: string | null;
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
  stacks?: StackDumps | null;
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
  return {
    type: wire.type,
    message: wire.message,
    uncaught: wire.uncaught,
    details,
    value: toVariable(wire.value, threadId),
    ...(wire.thrown === null ? {} : { thrownAt: wire.thrown }),
    ...(wire.differences === undefined ? {} : { differences: wire.differences }),
    ...(wire.moreDifferences === undefined || wire.moreDifferences === 0
      ? {}
      : { moreDifferences: wire.moreDifferences }),
    related: wire.related.map(({ file, line, function: functionName, ...each }) => ({
      ...each,
      ...(file === undefined || line === undefined ? {} : { location: { file, line } }),
      ...(functionName === undefined ? {} : { functionName }),
    })),
  };
}

/** An exception of the user's code that a library caught and logged. */
export interface WireHandled {
  type: string;
  message: string;
  file: string;
  line: number;
  function: string;
  reporter: string;
  said: string;
}

export function handledLine({ type, message, file, line, function: name, reporter, said }: WireHandled): string {
  return `${type}: ${message} at ${basename(file)}:${line} in ${name}, reported by ${reporter}: ${said}\n`;
}
