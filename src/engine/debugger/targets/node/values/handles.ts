import type { Protocol } from '../../../../../protocol/cdp/types.ts';
import type { ScopeDrawing } from './scopeDrawing.ts';

type RemoteObject = Protocol.Runtime.RemoteObject;

/** What an id given out at a stop stands for. */
export type Handle = ScopeHandle | ValueHandle;

/** The object of a scope holds variables, not properties. */
export interface ScopeHandle {
  scope: RemoteObject;
  drawing: ScopeDrawing;
  /** What a variable of the scope was called before the code was compiled. */
  shownName?: (name: string) => string;
  /** Values that belong to a function's scope without being in it: `this`, the value being returned. */
  extras: readonly { name: string; object: RemoteObject }[];
  /** Names in the head of the function, where that was read. */
  parameters?: readonly string[];
}

interface ValueHandle {
  /** A value that was drawn inside the program is fetched only when it is opened. */
  value: RemoteObject | (() => Promise<RemoteObject>);
  evaluateName: string | undefined;
}
