import type { Engines } from './engines.ts';
import type { ToolCall } from './defineTool.ts';

/** States a tool may demand. The runner checks them before the tool runs and explains the way out. */
const preconditionNames = ['session', 'pausedSession', 'trustedProject'] as const;
export type Precondition = (typeof preconditionNames)[number];

/** Throws a ToolError that says what is missing and which call brings it about. */
export type PreconditionCheck = (engines: Engines, args: Record<string, unknown>, call: ToolCall) => void;
