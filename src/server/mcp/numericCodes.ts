import type { ErrorCode } from '../../base/errors.ts';
import { faces, type FaceName } from '../../tools/faces.ts';

/** The seeds number the same failures differently; each face keeps the numbers of its own seed. */
const codesOfDebugger: Partial<Record<ErrorCode, number>> = {
  session_not_found: -32001,
  no_session: -32001,
  file_not_found: -32002,
  not_paused: -32003,
  breakpoint_error: -32004,
  evaluation_error: -32005,
  evaluation_blocked: -32005,
};

const codesOfIndex: Partial<Record<ErrorCode, number>> = {
  index_not_ready: -32001,
  file_not_found: -32002,
  symbol_not_found: -32003,
  refactoring_conflict: -32004,
};

const codesOfJsonRpc: Partial<Record<ErrorCode, number>> = {
  unknown_tool: -32602,
  invalid_arguments: -32602,
  internal_error: -32603,
};

/** What no table names is JSON-RPC's "server error"; the name tells more than any number could. */
const otherFailure = -32000;

export function numericCode(face: FaceName, code: ErrorCode): number {
  const own = faces[face].numericCodes === 'index' ? codesOfIndex : codesOfDebugger;
  return own[code] ?? codesOfJsonRpc[code] ?? otherFailure;
}
