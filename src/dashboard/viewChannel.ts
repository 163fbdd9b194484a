/** What the views of debugging, changes, tests, jobs and terminals say to the process. Only types, as in `channel.ts`. */
export interface ViewMethods {
  'debug.session': { params: { id: string }; result: SessionView };
  /** Of a frame, or of a value in it when `reference` is given. */
  'debug.variables': {
    params: { id: string; frame: number; reference?: string; start?: number };
    result: { values: ValueView[]; total: number };
  };
  /** A stop that is over. */
  'debug.stop': { params: { id: string; number: number }; result: PastStop };
  'debug.source': { params: { file: string }; result: { text: string } };
  /** Waits for more than `since` when there is nothing yet. */
  'debug.output': { params: { id: string; since: number }; result: OutputPart };

  'changes.overview': { params: { project: string }; result: ChangesOverview };
  'changes.review': { params: { project: string; scope: Scope }; result: ReviewView };
  'changes.revertHunk': { params: { project: string; scope: Scope; hunk: string }; result: { historyId?: string } };
  'changes.accept': { params: { project: string; hunk: string; accepted: boolean }; result: Record<string, never> };
  'changes.comment': { params: { project: string; comment: NewComment }; result: Comment };
  'changes.uncomment': { params: { project: string; id: string }; result: Record<string, never> };
  /** What a person asks about becomes the selection of the command lines whose IDE this is. */
  'changes.ask': {
    params: { project: string; file: string; fromLine: number; toLine: number; text: string };
    result: { told: number };
  };
  'changes.send': { params: { project: string }; result: { sent: number } };

  'tests.latest': { params: { project: string }; result: TestsView };
  'jobs.list': { params: { project: string }; result: JobRow[] };
  /** Waits for more than `since` when there is nothing yet and the job runs. */
  'jobs.output': { params: { project: string; id: string; since: number }; result: OutputPart & { state: string } };

  'terminal.open': { params: { project: string }; result: { id: string } };
  /** Waits for more than `since` when there is nothing yet. */
  'terminal.read': { params: { id: string; since: number }; result: TerminalPart };
  'terminal.type': { params: { id: string; text: string }; result: Record<string, never> };
  'terminal.resize': { params: { id: string; columns: number; rows: number }; result: Record<string, never> };
  'terminal.close': { params: { id: string }; result: Record<string, never> };
}

export interface OutputPart {
  text: string;
  /** Where the next part begins. */
  position: number;
  /** What is between `since` and this part and no longer kept. */
  dropped: number;
}

export interface FrameRow {
  index: number;
  name: string;
  file?: string;
  line?: number;
  isLibrary: boolean;
  asyncLabel?: string;
}

export interface SessionView {
  id: string;
  name: string;
  project: string;
  language: string;
  state: 'starting' | 'running' | 'paused' | 'ended';
  isAttached: boolean;
  owner?: string;
  processes: { id: string; pid?: number; parentId?: string; title: string; isWorker: boolean; exit?: string }[];
  threads: { id: string; name: string; state: string; isCurrent: boolean }[];
  stop?: {
    reason: string;
    description?: string;
    exception?: { type: string; message: string };
    frames: FrameRow[];
    totalFrames: number;
    /** The frame that matters, and what changed in it since the stop before. */
    frame: number;
    changed: { name: string; value: string; previous?: string }[];
  };
  watches: { id: string; expression: string; value?: string; error?: string }[];
  breakpoints: BreakpointRow[];
  stops: StopCard[];
  exit?: string;
  canJump: boolean;
  canRestartFrame: boolean;
}

export interface BreakpointRow {
  id: string;
  type: 'line' | 'function' | 'exception' | 'data';
  file?: string;
  line?: number;
  label: string;
  enabled: boolean;
  verified: boolean;
  condition?: string;
  logMessage?: string;
  hits: number;
}

export interface StopCard {
  number: number;
  time: string;
  reason: string;
  name: string;
  file?: string;
  line?: number;
  code: string;
  changed: { name: string; value: string }[];
}

export interface ValueView {
  name: string;
  value: string;
  type: string;
  /** Opens its parts while the program stands still. */
  reference?: string;
  /** What it is called in an expression. */
  path?: string;
  scope?: string;
  changed?: boolean;
  previous?: string;
  /** Of a stop that is over: its parts, as far as they were looked at. */
  children?: ValueView[];
  moreChildren?: number;
}

export interface PastStop {
  number: number;
  time: string;
  reason: string;
  exception?: { type: string; message: string };
  frames: (FrameRow & { values?: ValueView[] })[];
  source?: { file: string; startLine: number; currentLine: number; text: string };
  changed: { name: string; value: string; previous?: string }[];
}

export interface Scope {
  historyId?: string;
  callId?: string;
  client?: string;
  since?: string;
  commit?: string;
}

export interface ChangeRow {
  id: string;
  time: string;
  tool: string;
  summary: string;
  callId?: string;
  client?: string;
  clientName?: string;
  files: string[];
  filesCount: number;
  isUndone: boolean;
  isUndo: boolean;
  isByProgram: boolean;
}

export interface ChangesOverview {
  changes: ChangeRow[];
  total: number;
  commits: { id: string; title: string; time: string }[];
}

export interface HunkView {
  id: string;
  oldStart: number;
  newStart: number;
  lines: { mark: ' ' | '-' | '+'; text: string }[];
  isThere: boolean;
}

export interface ReviewView {
  files: {
    file: string;
    status: 'added' | 'deleted' | 'changed';
    isText: boolean;
    added: number;
    removed: number;
    historyIds: string[];
    hunks: HunkView[];
  }[];
  moreFiles: number;
  accepted: string[];
  comments: Comment[];
}

export interface NewComment {
  file: string;
  line: number;
  code: string;
  text: string;
  hunkId?: string;
}

export interface Comment extends NewComment {
  id: string;
  time: string;
}

export interface TestRow {
  suite: string[];
  name: string;
  file?: string;
  line?: number;
  status: 'passed' | 'failed' | 'skipped' | 'not run' | 'running';
  durationMs?: number;
  reason?: string;
  failures: {
    message: string;
    expected?: string;
    actual?: string;
    diff?: string;
    place?: { file: string; line: number; text?: string };
  }[];
  /** How often it failed when it was repeated. */
  flaky?: { failed: number; of: number };
}

export interface TestRunView {
  id: string;
  runner: string;
  folder: string;
  startedAt: string;
  durationMs: number;
  state: 'running' | 'ended' | 'died' | 'stopped';
  selected?: string;
  counts: { expected: number; passed: number; failed: number; skipped: number; notRun: number };
  tests: TestRow[];
  moreTests: number;
  problems: { message: string; file?: string; line?: number }[];
  jobId?: string;
  repeated?: number;
  hasCoverage: boolean;
}

export interface TestsView {
  isRunning: boolean;
  runs: TestRunView[];
  /** What could not even be started. */
  failure?: string;
}

export interface JobRow {
  id: string;
  name: string;
  command: string;
  state: string;
  startedAt: string;
  durationMs?: number;
  exit?: string;
}

export interface TerminalPart {
  /** Bytes, in base64. */
  data: string;
  position: number;
  state: string;
  columns: number;
  rows: number;
  /** Opened by a person; one of an agent keeps the size that the agent reads it in. */
  isOwn: boolean;
  /** `password`: what is typed now should be seen by nobody else. */
  attention?: string;
}
