import type { DebugProtocol } from '@vscode/debugprotocol';

/** The requests we send, with the types of their arguments and of the body of their answer, which an adapter may leave out. */
export interface DapRequests {
  initialize: [DebugProtocol.InitializeRequestArguments, DebugProtocol.Capabilities | undefined];
  launch: [object, unknown];
  attach: [object, unknown];
  configurationDone: [object, unknown];
  setBreakpoints: [DebugProtocol.SetBreakpointsArguments, { breakpoints?: DebugProtocol.Breakpoint[] } | undefined];
  setFunctionBreakpoints: [
    DebugProtocol.SetFunctionBreakpointsArguments,
    { breakpoints?: DebugProtocol.Breakpoint[] } | undefined,
  ];
  dataBreakpointInfo: [DebugProtocol.DataBreakpointInfoArguments, DebugProtocol.DataBreakpointInfoResponse['body']];
  setDataBreakpoints: [
    DebugProtocol.SetDataBreakpointsArguments,
    { breakpoints?: DebugProtocol.Breakpoint[] } | undefined,
  ];
  setExceptionBreakpoints: [DebugProtocol.SetExceptionBreakpointsArguments, unknown];
  breakpointLocations: [
    DebugProtocol.BreakpointLocationsArguments,
    { breakpoints: DebugProtocol.BreakpointLocation[] } | undefined,
  ];
  continue: [DebugProtocol.ContinueArguments, unknown];
  next: [DebugProtocol.NextArguments, unknown];
  stepIn: [DebugProtocol.StepInArguments, unknown];
  stepOut: [DebugProtocol.StepOutArguments, unknown];
  pause: [DebugProtocol.PauseArguments, unknown];
  threads: [object, { threads?: DebugProtocol.Thread[] } | undefined];
  stackTrace: [
    DebugProtocol.StackTraceArguments,
    { stackFrames?: DebugProtocol.StackFrame[]; totalFrames?: number } | undefined,
  ];
  scopes: [DebugProtocol.ScopesArguments, { scopes?: DebugProtocol.Scope[] } | undefined];
  variables: [DebugProtocol.VariablesArguments, { variables?: DebugProtocol.Variable[] } | undefined];
  setVariable: [DebugProtocol.SetVariableArguments, DebugProtocol.SetVariableResponse['body']];
  gotoTargets: [DebugProtocol.GotoTargetsArguments, DebugProtocol.GotoTargetsResponse['body']];
  goto: [DebugProtocol.GotoArguments, DebugProtocol.GotoResponse['body']];
  setExpression: [DebugProtocol.SetExpressionArguments, DebugProtocol.SetExpressionResponse['body']];
  evaluate: [DebugProtocol.EvaluateArguments, DebugProtocol.EvaluateResponse['body']];
  exceptionInfo: [DebugProtocol.ExceptionInfoArguments, DebugProtocol.ExceptionInfoResponse['body']];
  source: [DebugProtocol.SourceArguments, DebugProtocol.SourceResponse['body']];
  disconnect: [DebugProtocol.DisconnectArguments, unknown];
  terminate: [DebugProtocol.TerminateArguments, unknown];
  cancel: [DebugProtocol.CancelArguments, unknown];
  /** Of our own code inside an adapter: gives the program its input. */
  sightlineInput: [{ text: string }, unknown];
  sightlineJump: [{ threadId: number; file: string; line: number }, unknown];
}

export type DapCommand = keyof DapRequests;
