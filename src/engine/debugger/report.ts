import type { ActivityView } from './activity/view.ts';
import type { ExceptionInfo, ExitInfo, SessionState, StopReason, ValueLimits, Variable } from './model.ts';
import type { SourceContext } from './sourceText.ts';

/** What every run-control call answers: where the program is and what can be seen there, within bounds. */
export interface SessionReport {
  sessionId: string;
  name: string;
  language: string;
  state: SessionState;
  /** Only when paused. */
  stop?: StopView;
  /** Program output since the last answer. */
  output: { text: string; droppedChars: number };
  /** Only when running: since when. */
  runningForMs?: number;
  /** Only when running, after a wait: what it does. */
  activity?: ActivityView;
  /** Only when it has ended. */
  exit?: ExitInfo;
  /** Only when it has ended: breakpoints that never stopped it, and why. */
  neverHit?: NeverHit[];
}

export interface StopView {
  reason: StopReason;
  description?: string;
  /** See `StopEvent`. */
  mayBeHandled?: boolean;
  thread: { id: string; name: string };
  /** Set when the session has more than one process or worker. */
  process?: { pid?: number; title: string };
  location?: FrameView;
  breakpoints: { id: string; type: 'line' | 'function' | 'exception' | 'data'; file?: string; line?: number }[];
  exception?: ExceptionInfo;
  frames: FrameView[];
  totalFrames?: number;
  /** Frames of the user's own further down. */
  moreFrames: number;
  variables: VariableView[];
  moreVariables: number;
  watches: WatchView[];
  source?: SourceContext;
  threadCount: number;
}

export interface FrameView {
  index: number;
  name: string;
  className?: string;
  methodName?: string;
  file?: string;
  line?: number;
  column?: number;
  isLibrary: boolean;
  isCurrent: boolean;
  asyncLabel?: string;
  /** Of a caller of the user's own: the line it stands at. */
  code?: string;
  /** Of a caller of the user's own: what it was called with. */
  arguments?: readonly Variable[];
}

export interface VariableView extends Variable {
  /** Its value differs from what the last answer showed for it. */
  changed?: boolean;
  /** What it had before, when it changed. */
  previous?: string;
  scope?: string;
  /** The failing statement names it. */
  isRead?: boolean;
}

interface WatchView {
  id: string;
  expression: string;
  value?: string;
  type?: string;
  error?: string;
}

export interface NeverHit {
  breakpointId: string;
  file?: string;
  line?: number;
  functionName?: string;
  reason: string;
}

export interface ReportOptions {
  variables: boolean;
  source: boolean;
  /** Lines above and below the current one. */
  contextLines: number;
  maxFrames: number;
  maxVariables: number;
  /** The stop may turn out to be none: what was printed before it is told again. */
  isProvisional?: boolean;
  /** For somebody who looks on: what the session's own reader is told next stays as it is. */
  isAside?: boolean;
  /** How much of each value; the usual when absent. */
  limits?: ValueLimits;
}

export const stopReportOptions: ReportOptions = {
  variables: true,
  source: true,
  contextLines: 2,
  maxFrames: 3,
  maxVariables: 20,
};
