/**
 * What a thread with an agent is to whoever looks at it: plain data, shaped like version 2 of the protocol. Messages, tool calls and
 * plans are upserts by id; the end of a turn is a state, not an answer.
 */
export type ThreadState =
  | 'starting'
  /** The agent wants to know who the person is first. */
  | 'signed_out'
  | 'idle'
  | 'running'
  | 'needs_you'
  /** Its process has ended, or Sightline was started anew since; it can be restarted. */
  | 'dead'
  | 'closed';

/** Who answers when an agent asks for permission: a person, our policy (a person where it says so), or the same answer for all. */
export const permissionModes = ['ask', 'policy', 'allow', 'deny'] as const;
export type PermissionMode = (typeof permissionModes)[number];

export interface MessageItem {
  type: 'message';
  id: string;
  turn: number;
  role: 'user' | 'agent' | 'thought';
  text: string;
}

export interface ToolItem {
  type: 'tool';
  id: string;
  turn: number;
  title: string;
  name?: string;
  kind: string;
  status: string;
  locations: { path: string; line?: number }[];
  content: ToolContent[];
  input?: unknown;
  output?: unknown;
  /** Who allowed or refused it. */
  permission?: string;
}

export type ToolContent =
  | { type: 'text'; text: string }
  | { type: 'diff'; path: string; oldText?: string; newText: string };

interface PlanItem {
  type: 'plan';
  id: string;
  turn: number;
  entries: { content: string; priority: string; status: string }[];
}

interface NoticeItem {
  type: 'notice';
  id: string;
  turn: number;
  severity: string;
  title: string;
  description?: string;
}

export interface CompactionItem {
  type: 'compaction';
  id: string;
  turn: number;
  status: string;
  summary: string;
  error?: string;
}

export type ThreadItem = MessageItem | ToolItem | PlanItem | NoticeItem | CompactionItem;

/** A mode, a model or any other setting of the agent that the person may choose. */
export interface ThreadOption {
  id: string;
  name: string;
  description?: string;
  category?: string;
  type: 'select' | 'boolean';
  value: string | boolean;
  choices: { value: string; name: string; description?: string; group?: string }[];
}

export interface SlashCommand {
  name: string;
  description: string;
  hint?: string;
}

/** What a person has to decide before the agent goes on. */
export interface Question {
  id: string;
  kind: 'permission' | 'form' | 'url';
  turn: number;
  title: string;
  /** Of a permission. */
  toolCallId?: string;
  options?: { id: string; name: string; kind: string }[];
  verdict?: Verdict;
  ticketId?: string;
  /** Of a form: the JSON Schema of its fields. */
  schema?: Readonly<Record<string, unknown>>;
  /** Of a page to open. */
  url?: string;
  host?: string;
}

/** What our policy says of it. */
export interface Verdict {
  effect: 'read' | 'edit' | 'execute' | 'destructive';
  decision: 'allow' | 'ask' | 'deny';
  why: string;
}

export interface TurnChange {
  historyId: string;
  files: string[];
  filesCount: number;
  /** Made by the agent's own hands and not by a tool of ours. */
  observed: boolean;
  undone: boolean;
}

export interface Turn {
  number: number;
  prompt: string;
  startedAt: string;
  endedAt?: string;
  /** The protocol's reason, or `failed`. */
  stopReason?: string;
  error?: string;
  changes: TurnChange[];
  /** Why changes of the agent's own hands are not known. */
  problem?: string;
}

/** What this agent has made of the server that it was given. */
export interface ServerUse {
  connected: boolean;
  name?: string;
  /** How many tools it has been given a list of; undefined when it never asked. */
  listed?: number;
  calls: number;
  failed: number;
  /** Estimated, of all our answers. */
  tokens: number;
  byTool: Record<string, number>;
}

export interface ThreadView {
  id: string;
  agent: string;
  title: string;
  agentTitle: string;
  agentVersion?: string;
  project: string;
  projectName: string;
  state: ThreadState;
  /** Why it is dead or signed out, or what went wrong last. */
  problem?: string;
  sessionId?: string;
  createdAt: string;
  updatedAt: string;
  permissions: PermissionMode;
  queue: { id: string; text: string }[];
  options: ThreadOption[];
  commands: SlashCommand[];
  usage?: { used: number; size: number; cost?: { amount: number; currency: string } };
  questions: Question[];
  signIn: { id: string; name: string; description?: string; isTerminal: boolean }[];
  /** The terminal in which the person signs in. */
  terminalId?: string;
  can: { load: boolean; resume: boolean; list: boolean; close: boolean };
  turns: Turn[];
  server: ServerUse;
}

/** Something happened in a thread. Numbers are without gaps. */
export type ThreadEvent = { seq: number } & (
  | { kind: 'thread'; thread: ThreadView }
  | { kind: 'item'; item: ThreadItem }
  | { kind: 'append'; id: string; text: string }
  /** The transcript is told anew by the agent. */
  | { kind: 'reset' }
);

export interface LoggedMessage {
  seq: number;
  time: string;
  direction: 'in' | 'out' | 'noise';
  message: unknown;
}

export interface ListedAgent {
  id: string;
  title: string;
  /** Where it was found; undefined when it is not on this machine. */
  found?: string;
  packageSpec?: string;
  isCustom?: true;
}
