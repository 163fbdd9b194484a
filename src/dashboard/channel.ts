/**
 * What the page and the process say to each other: methods that the page calls, and events that the process sends. Only types, which the
 * page imports as such; nothing of the process comes with them.
 */

import type { ViewMethods } from './viewChannel.ts';
import type { ThreadItem, ThreadView } from '../engine/agents/model.ts';
import type { AgentOperation, AgentRequests } from '../server/agents/agentRequests.ts';

export type {
  ListedAgent,
  PermissionMode,
  Question,
  ThreadItem,
  ThreadOption,
  ThreadState,
  ThreadView,
  ToolItem,
  Turn,
} from '../engine/agents/model.ts';
export type { PastThread } from '../server/agents/agentRequests.ts';

/** `agents.start`, `agents.prompt`, ...: what the host of agents is asked; `read` is of the command line. */
type AgentMethods = {
  [Operation in Exclude<AgentOperation, 'read'> as `agents.${Operation}`]: AgentRequests[Operation];
} & { 'agents.items': { params: { id: string }; result: { thread: ThreadView; items: ThreadItem[] } } };

/** `POST /dashboard/api/<name>`, with the parameters as its JSON body. */
interface Methods extends ViewMethods, AgentMethods {
  /** Everything that the page shows before it knows of events. */
  'process.overview': { params: Nothing; result: Overview };
  'process.stop': { params: Nothing; result: Nothing };
  /** Any tool, as a client that is a person: policy, budgets and history apply. */
  'tool.call': {
    params: { tool: string; args: Record<string, unknown>; project?: string };
    result: ToolReply;
  };
  'tool.list': { params: Nothing; result: ToolDescription[] };

  /** Newest first, over every project. */
  'history.list': { params: { limit?: number }; result: { calls: CallSummary[]; total: number } };
  /** The ids of calls whose tool, parameters, result or error contain a text. */
  'history.search': { params: { text: string }; result: { ids: string[] } };
  'history.get': { params: { id: string }; result: CallDetails };
  'history.clear': { params: { project?: string }; result: { cleared: number } };
  'history.export': { params: { ids: string[]; format: 'json' | 'csv' }; result: { text: string } };
  /** One file that opens without the process. */
  'history.exportHtml': { params: { ids: string[]; title: string }; result: { text: string } };

  'approvals.list': { params: Nothing; result: ApprovalSummary[] };
  'approvals.decide': { params: ApprovalDecision; result: ApprovalSummary };

  'projects.trust': { params: { path: string; trusted: boolean }; result: ProjectSummary[] };
  'projects.open': { params: { path: string }; result: ProjectSummary };

  'health.survey': { params: { project?: string }; result: LanguageHealth[] };
  'health.install': { params: { engine: string; project?: string }; result: { installed: string } };
  'health.restart': { params: { project: string; server: string }; result: Nothing };
  /** Its deaths no longer count. */
  'health.forgive': { params: { project: string; server: string }; result: Nothing };
  /** A person has seen that a debug adapter ended by itself. */
  'health.forgiveAdapter': { params: { project: string; language: string }; result: Nothing };
  'health.servers': { params: Nothing; result: ServerSummary[] };
  'health.log': { params: { level: LogLevel; text?: string; limit: number }; result: LogView };
  'notifications.list': { params: Nothing; result: NotificationSummary[] };
  'notifications.dismiss': { params: { id: string }; result: Nothing };

  'settings.list': { params: { project?: string }; result: SettingsView };
  /** In the person's own file. Without a value the setting is taken out of it. */
  'settings.set': { params: { key: string; value?: unknown; project?: string }; result: SettingsView };

  'install.list': { params: Nothing; result: InstallView };
  'install.plan': { params: InstallTarget; result: InstallPlan };
  'install.apply': { params: InstallTarget & { fingerprint: string }; result: InstallOutcome };
}

/** What the stream carries, each with the newest state of its thing: a page that missed one loses nothing but the moment. */
export interface Events {
  call: CallSummary;
  callsCleared: { project?: string };
  clients: ClientSummary[];
  projects: ProjectSummary[];
  approval: ApprovalSummary;
  session: SessionSummary;
  change: ChangeSummary;
  job: JobSummary;
  terminal: TerminalSummary;
  testBatch: TestBatchSummary;
  notification: NotificationSummary;
  servers: ServerSummary[];
  fallenAdapters: FallenAdapterSummary[];
  installing: InstallProgress;
  settings: { project?: string };
  thread: ThreadView;
  /** Whole, as it is now. */
  threadItem: { thread: string; item: ThreadItem };
  /** What was said is told anew. */
  threadReset: { thread: string };
  threadClosed: { thread: string };
}

export type MethodName = keyof Methods;
export type Params<Name extends MethodName> = Methods[Name]['params'];
export type Result<Name extends MethodName> = Methods[Name]['result'];
export type EventName = keyof Events;
export type DashboardEvent = { [Name in EventName]: { type: Name; data: Events[Name] } }[EventName];

/** The body of an answer that is not 2xx. */
export interface ChannelError {
  code: string;
  message: string;
  hint?: string;
}

/** A frame of the stream. `resync`: events are missing, ask anew for everything. */
export type Frame = { kind: 'events'; events: DashboardEvent[] } | { kind: 'resync' } | { kind: 'beat' };

type Nothing = Record<string, never>;

export interface Overview {
  version: string;
  pid: number;
  url: string;
  startedAt: string;
  rssMb: number;
  projects: ProjectSummary[];
  clients: ClientSummary[];
  approvals: ApprovalSummary[];
  notifications: NotificationSummary[];
  servers: ServerSummary[];
  fallenAdapters: FallenAdapterSummary[];
  sessions: SessionSummary[];
  jobs: JobSummary[];
  terminals: TerminalSummary[];
  threads: ThreadView[];
}

export interface ProjectSummary {
  name: string;
  path: string;
  trusted: boolean;
}

export interface ClientSummary {
  id: string;
  name: string;
  transport: string;
  face: string;
  since: string;
  cwd?: string;
  /** Names of the tools that it was really shown; absent until it asked. */
  tools?: string[];
  quirks: string[];
}

export interface ToolReply {
  callId: string;
  text: string;
  data?: Record<string, unknown>;
  error?: ChannelError;
}

interface ToolDescription {
  name: string;
  title: string;
  description: string;
}

type CallStatus = 'pending' | 'success' | 'error';

export interface CallSummary {
  id: string;
  /** ISO 8601. */
  time: string;
  client: string;
  /** One connection of a client; calls from before this was written down have none. */
  clientId?: string;
  project?: string;
  tool: string;
  status: CallStatus;
  durationMs?: number;
  tokens?: number;
  files: number;
  /** The first line of what went wrong. */
  error?: string;
  /** The arguments in a few words. */
  brief: string;
}

export interface CallDetails extends CallSummary {
  parameters: unknown;
  /** As text for reading. */
  result?: string;
  /** As data; kept for recent calls of this process only. */
  data?: unknown;
  wholeError?: string;
  affectedFiles: string[];
  /** What a person types to repeat it. */
  commandLine: string;
}

export interface ApprovalSummary {
  id: string;
  tool: string;
  effect: string;
  client: string;
  clientId: string;
  project?: string;
  args: Record<string, unknown>;
  /** The exact change or command, where the arguments do not show it. */
  shown?: string;
  /** Why it is asked, where the policy does not say it. */
  note?: string;
  createdAt: string;
  state: 'pending' | 'approved' | 'denied';
  decidedBy?: string;
}

interface ApprovalDecision {
  id: string;
  /** `session`: also every further call of this tool by this client, as long as it is connected. */
  decision: 'once' | 'session' | 'deny';
  /** Told to the agent. */
  reason?: string;
}

export interface SessionSummary {
  id: string;
  name: string;
  project: string;
  language: string;
  state: 'starting' | 'running' | 'paused' | 'ended';
  /** Whose it is: the client's name. */
  owner?: string;
  /** Grows with every stop. */
  stops: number;
}

export interface ChangeSummary {
  id: string;
  time: string;
  project: string;
  tool: string;
  callId?: string;
  client?: string;
  files: string[];
  undoOf?: string[];
}

export interface JobSummary {
  id: string;
  name: string;
  project: string;
  command: string;
  state: string;
  startedAt: string;
  exitCode?: number;
}

export interface TerminalSummary {
  id: string;
  name: string;
  project: string;
  state: string;
  /** The line that asks for a password, where one is asked for. */
  passwordPrompt?: string;
}

export interface TestBatchSummary {
  id: string;
  project: string;
  ended: boolean;
  runs: number;
}

export interface NotificationSummary {
  id: string;
  time: string;
  level: 'info' | 'warning' | 'error';
  source: string;
  message: string;
  project?: string;
  count: number;
}

export interface ServerSummary {
  id: string;
  title: string;
  project: string;
  state: string;
  memoryBytes?: number;
  /** Of one that has ended by itself: how, and what it wrote last. */
  crash?: { reason: string; lastWords: string };
}

/** A debug adapter that ended by itself, and the session with it. */
export interface FallenAdapterSummary {
  adapter: string;
  language: string;
  project: string;
  /** How it ended, and what it wrote last. */
  how: string;
  lastWords: string;
  sessionId: string;
  sessionName: string;
}

export interface LanguageHealth {
  language: string;
  title: string;
  complete: boolean;
  engines: EngineHealth[];
}

export interface EngineHealth {
  id: string;
  title: string;
  role: string;
  found: boolean;
  version?: string;
  path?: string;
  source?: string;
  optional: boolean;
  /** Why it is not found or not usable. */
  problem?: string;
  installCommand?: string;
  /** Sightline can install it by itself. */
  installable: boolean;
}

export interface InstallProgress {
  engine: string;
  message: string;
  state: 'running' | 'done' | 'failed';
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

interface LogView {
  file: string;
  lines: { time: string; level: LogLevel; tag: string; message: string }[];
}

export interface SettingsView {
  settings: SettingView[];
  problems: string[];
  /** Where values of the person and of the project are written. */
  files: { person: string; project?: string };
}

export interface SettingView {
  key: string;
  description: string;
  scope: 'person' | 'tighten' | 'project';
  variable: string;
  schema: Record<string, unknown>;
  default: unknown;
  value: unknown;
  /** `default`, a file, `environment` or `flags`. */
  origin: string;
  /** A new value counts when the process starts the next time. */
  readAtStart: boolean;
}

export interface InstallView {
  agents: AgentView[];
  /** When to use which tool, for the file in which an agent reads how to work. */
  rule: string;
  /** What to put into the configuration of any other agent. */
  configuration: string;
  links: { title: string; link: string }[];
}

export interface AgentView {
  id: string;
  title: string;
  state: 'not installed' | 'installed' | 'outdated' | 'broken';
  /** Whether the agent itself seems to be on this machine. */
  present: boolean;
  file: string;
  /** For outdated and broken: what is the matter. */
  why?: string;
  /** Editors on this machine that take our extension, by their programs. */
  editors: string[];
}

export interface InstallTarget {
  agent: string;
  action: 'install' | 'remove';
}

export interface InstallPlan {
  file: string;
  /** Empty when nothing changes. */
  diff: string;
  /** The agent's own command, which makes the change. */
  own?: string;
  /** The commands that put the extension into editors, or take it out. */
  extension: string[];
  /** Given back to `install.apply`, which writes exactly this or nothing. */
  fingerprint: string;
}

interface InstallOutcome {
  message: string;
  works: boolean;
  view: InstallView;
}

export type * from './viewChannel.ts';
