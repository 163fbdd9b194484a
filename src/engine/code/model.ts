import type { Position, Range } from '../../base/positions.ts';

/** Whether an answer is complete. Every answer of the index carries one; anything but `ready` says why in `detail`. */
export interface IndexState {
  state: 'ready' | 'indexing' | 'partial' | 'stale' | 'unavailable';
  detail?: string;
  /** The answer holds what is known so far; more is to come. */
  partial?: boolean;
}

export const readyState: IndexState = { state: 'ready' };

/** What several parts of an answer amount to: the answer is as complete as its least complete part. */
export function worstState(states: readonly IndexState[]): IndexState {
  const order: IndexState['state'][] = ['ready', 'stale', 'partial', 'indexing', 'unavailable'];
  const worst = Math.max(0, ...states.map((item) => order.indexOf(item.state)));
  const details = [...new Set(states.map((item) => item.detail).filter((detail) => detail !== undefined))];
  return {
    state: order[worst] ?? 'ready',
    ...(details.length === 0 ? {} : { detail: details.join('; ') }),
    ...(states.some(({ partial }) => partial) ? { partial: true } : {}),
  };
}

/** How a caller waits: until when, and whom to tell about progress meanwhile. */
export interface Waiting {
  signal?: AbortSignal;
  /** Milliseconds the caller will still wait. */
  patienceMs?: number;
  onProgress?: (message: string, fraction?: number) => void;
  /** An answer from what is known so far is welcome. Whoever edits by the answer must not say so. */
  acceptsPartial?: boolean;
}

/** The kinds of symbols, as LSP numbers them. */
const symbolKindNames = [
  'file',
  'module',
  'namespace',
  'package',
  'class',
  'method',
  'property',
  'field',
  'constructor',
  'enum',
  'interface',
  'function',
  'variable',
  'constant',
  'string',
  'number',
  'boolean',
  'array',
  'object',
  'key',
  'null',
  'enum member',
  'struct',
  'event',
  'operator',
  'type parameter',
] as const;

export function symbolKindName(kind: number): string {
  return symbolKindNames[kind - 1] ?? 'symbol';
}

/** A declared symbol of a file, nested as in the source. */
export interface OutlineSymbol {
  name: string;
  kind: string;
  /** The whole declaration. */
  range: Range;
  /** The name itself. */
  nameRange: Range;
  detail?: string;
  deprecated?: boolean;
  /** What it belongs to when it does not stand inside of it: `Stack` of a Go method, `ns/K` of `ns::K::m`. */
  container?: string;
  children: OutlineSymbol[];
}

/** A symbol found by its name. */
export interface FoundSymbol {
  name: string;
  kind: string;
  container?: string;
  path: string;
  position: Position;
}
