import type { AnswerError, ToolAnswer } from '../answer.ts';
import type { AgentOperation, AgentRequests } from '../agents/agentRequests.ts';
import type { HistoryEntry, HistoryFilter } from '../history.ts';

/** What the command line asks of the shared process: one JSON object a line, `{id, method, params}` and `{id, result | error}`. */
export interface ControlMethods {
  status: { params: Record<string, never>; result: ProcessStatus };
  stop: { params: Record<string, never>; result: { pid: number } };
  /** A newer Sightline asks an idle process to make room. */
  retire: { params: { version: string; build: string }; result: { retired: boolean; reasons: string[] } };
  open: { params: { path: string }; result: { name: string; path: string } };
  call: { params: { tool: string; args: Record<string, unknown> }; result: ToolAnswer };
  approvals: { params: Record<string, never>; result: TicketSummary[] };
  decide: { params: { ticketId: string; approved: boolean }; result: TicketSummary };
  /** Lets one browser into the dashboard, once. */
  dashboardLink: { params: Record<string, never>; result: { url: string } };
  reloadTrust: { params: Record<string, never>; result: Record<string, never> };
  /** Of the project of the current directory. */
  history: { params: HistoryFilter; result: HistoryEntry[] };
  exportHistory: { params: HistoryFilter & { format: 'json' | 'csv' }; result: { text: string } };
  terminals: { params: Record<string, never>; result: TerminalSummary[] };
  /** What a terminal was sent from a position on; waits a moment when there is nothing new. */
  terminalRead: { params: { id: string; from: number }; result: { data: string; next: number; ended: boolean } };
  terminalWrite: {
    params: { id: string; text?: string; columns?: number; rows?: number };
    result: Record<string, never>;
  };
  /** To the host of agents. */
  agent: {
    params: { operation: AgentOperation; params: AgentRequests[AgentOperation]['params'] };
    result: AgentRequests[AgentOperation]['result'];
  };
  clearHistory: { params: Record<string, never>; result: { cleared: number } };
}

export type ControlMethod = keyof ControlMethods;

export interface ProcessStatus {
  pid: number;
  version: string;
  build: string;
  startedAt: string;
  url?: string;
  rssMb: number;
  projects: { name: string; path: string; trusted: boolean }[];
  clients: { name: string; transport: string; face: string; since: string; cwd?: string; quirks?: string[] }[];
  /** What keeps it besides clients: debug sessions, jobs, language servers. */
  work: string[];
  approvalsPending: number;
  /** Absent while something keeps it. */
  leavesInSeconds?: number;
}

export interface TerminalSummary {
  id: string;
  name: string;
  state: string;
  owner: string;
  project: string;
  command?: string;
}

export interface TicketSummary {
  id: string;
  tool: string;
  effect: string;
  client: string;
  project?: string;
  args: Record<string, unknown>;
  /** The whole of what is approved, where the arguments do not show it. */
  shown?: string;
  createdAt: string;
  state: string;
}

export interface ControlRequest {
  id: number;
  method: string;
  params: Record<string, unknown>;
}

export type ControlResponse = { id: number; result: unknown } | { id: number; error: AnswerError };
