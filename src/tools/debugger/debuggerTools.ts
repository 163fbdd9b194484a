import type { Tool } from '../defineTool.ts';
import { addWatch } from './addWatch.ts';
import { evaluateExpression } from './evaluateExpression.ts';
import { executeRunConfiguration } from './executeRunConfiguration.ts';
import { expandVariable } from './expandVariable.ts';
import { getDebugSessionStatus } from './getDebugSessionStatus.ts';
import { getSourceContext } from './getSourceContext.ts';
import { getStackTrace } from './getStackTrace.ts';
import { getVariables } from './getVariables.ts';
import { listBreakpoints } from './listBreakpoints.ts';
import { listDebugSessions } from './listDebugSessions.ts';
import { listThreads } from './listThreads.ts';
import { jumpToLine, replaceCode, restartFrame } from './otherPlaces.ts';
import { pauseExecution } from './pauseExecution.ts';
import { removeBreakpoint } from './removeBreakpoint.ts';
import { removeWatch } from './removeWatch.ts';
import { resumeExecution } from './resumeExecution.ts';
import { runToLine } from './runToLine.ts';
import { selectStackFrame } from './selectStackFrame.ts';
import { setBreakpoint } from './setBreakpoint.ts';
import { setExceptionBreakpoint } from './setExceptionBreakpoint.ts';
import { setVariable } from './setVariable.ts';
import { startDebugSession } from './startDebugSession.ts';
import { stepInto, stepOut, stepOver } from './steps.ts';
import { stopDebugSession } from './stopDebugSession.ts';

/** The debugger's own tools, in the order people use them. `list_run_configurations` is listed by the workspace. */
export const debuggerTools: readonly Tool[] = [
  executeRunConfiguration,
  listDebugSessions,
  startDebugSession,
  stopDebugSession,
  getDebugSessionStatus,
  listBreakpoints,
  setBreakpoint,
  removeBreakpoint,
  setExceptionBreakpoint,
  resumeExecution,
  pauseExecution,
  stepOver,
  stepInto,
  stepOut,
  runToLine,
  jumpToLine,
  restartFrame,
  replaceCode,
  getStackTrace,
  selectStackFrame,
  listThreads,
  getVariables,
  expandVariable,
  setVariable,
  addWatch,
  removeWatch,
  evaluateExpression,
  getSourceContext,
];
