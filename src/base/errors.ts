import type { Hint } from './text/advice.ts';

/**
 * The kinds of failure Sightline knows. Code below the tool runner throws these; the runner alone turns them into answers.
 * `ToolError` is for what the caller can act on: what happened, the state now, and the next call to try.
 */

/** The closed list of error names a caller can meet. Adding one changes the documented contract (see tests/contract). */
export const errorCodes = [
  'invalid_arguments',
  'unknown_tool',
  'tool_not_available',
  'project_not_found',
  'multiple_projects_open',
  'project_not_trusted',
  'path_outside_project',
  'file_not_found',
  'permission_denied',
  'not_a_regular_file',
  'file_too_large',
  'binary_file',
  'file_changed',
  'edit_conflict',
  'write_failed',
  'text_not_found',
  'history_not_found',
  'undo_conflict',
  'plan_not_found',
  'approval_pending',
  'approval_denied',
  'policy_denied',
  'session_not_found',
  'no_session',
  'not_paused',
  'not_running',
  'breakpoint_error',
  'evaluation_error',
  'evaluation_blocked',
  'launch_failed',
  'test_not_found',
  'attach_failed',
  'configuration_not_found',
  'index_not_ready',
  'symbol_not_found',
  'ambiguous_symbol',
  'refactoring_conflict',
  'refactoring_not_available',
  'engine_missing',
  'engine_failed',
  'unsupported',
  'job_not_found',
  'terminal_not_found',
  'git_error',
  'command_failed',
  'timeout',
  'cancelled',
  'too_large',
  'internal_error',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

export interface ToolErrorDetail {
  /** What to do next, preferably the exact call. */
  hint?: Hint | undefined;
  /** Machine-readable facts: candidates, open projects, nearest lines. */
  data?: Record<string, unknown>;
  cause?: unknown;
}

export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly code: ErrorCode;
  readonly hint: Hint | undefined;
  readonly data: Record<string, unknown> | undefined;

  constructor(code: ErrorCode, message: string, detail: ToolErrorDetail = {}) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.code = code;
    this.hint = detail.hint;
    this.data = detail.data;
  }
}

/** A change that a person has to agree to first; nothing has been done yet. The runner asks and calls again. */
export class AgreementNeeded extends ToolError {
  /** Of exactly what would be changed. */
  readonly fingerprint: string;
  /** The whole of it, for the person. */
  readonly shown: string;

  constructor(message: string, detail: ToolErrorDetail & { fingerprint: string; shown: string }) {
    super('permission_denied', message, detail);
    this.fingerprint = detail.fingerprint;
    this.shown = detail.shown;
  }
}

/** A debug adapter, language server or other engine answered a request with an error. */
export class PeerError extends Error {
  override readonly name = 'PeerError';
  readonly peer: string;
  readonly method: string;
  readonly peerCode: number | string | undefined;

  constructor(peer: string, method: string, message: string, peerCode?: number | string) {
    super(message);
    this.peer = peer;
    this.method = method;
    this.peerCode = peerCode;
  }
}

/** An engine did not start, died or did not answer in time. Carries the end of its log, which usually names the cause. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly peer: string;
  readonly logTail: string;

  constructor(peer: string, message: string, logTail = '', cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.peer = peer;
    this.logTail = logTail;
  }
}

export class CancelledError extends Error {
  override readonly name = 'CancelledError';

  constructor(message = 'The call was cancelled.') {
    super(message);
  }
}

/** Something that cannot happen has happened. It is logged with an id and the process lives on. */
export class BugError extends Error {
  override readonly name = 'BugError';
}

/** A degraded answer: what could be had, and what could not be and why. */
export interface Degraded<T> {
  value: T;
  problems: string[];
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function isErrnoException(error: unknown, ...codes: string[]): error is NodeJS.ErrnoException {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return codes.length === 0 || (typeof error.code === 'string' && codes.includes(error.code));
}
