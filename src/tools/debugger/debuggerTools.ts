import type { Tool } from '../defineTool.ts';
import { listDebugSessions } from './listDebugSessions.ts';
import { pauseExecution } from './pauseExecution.ts';
import { resumeExecution } from './resumeExecution.ts';
import { runToLine } from './runToLine.ts';
import { setBreakpoint } from './setBreakpoint.ts';
import { startDebugSession } from './startDebugSession.ts';
import { stepInto } from './stepInto.ts';
import { stepOut } from './stepOut.ts';
import { stepOver } from './stepOver.ts';
import { stopDebugSession } from './stopDebugSession.ts';

export const debuggerTools: readonly Tool[] = [
  listDebugSessions,
  startDebugSession,
  stopDebugSession,
  setBreakpoint,
  resumeExecution,
  pauseExecution,
  stepOver,
  stepInto,
  stepOut,
  runToLine,
];
