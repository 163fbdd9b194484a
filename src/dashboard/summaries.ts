import { clip, escapeInvisible } from '../base/text/textBudget.ts';
import type { FallenAdapter } from '../engine/debugger/fallenAdapters.ts';
import type { Session } from '../engine/debugger/session/session.ts';
import type { LanguageServer } from '../engine/code/languageServer.ts';
import type { ServerPool } from '../engine/code/serverPool.ts';
import type { Job } from '../engine/workspace/jobs/jobStore.ts';
import type { ChangeRecord } from '../engine/workspace/localHistory/changeLog.ts';
import type { Notification } from '../engine/workspace/notifications.ts';
import type { Project } from '../engine/workspace/project.ts';
import type { Terminal } from '../engine/workspace/terminals/terminal.ts';
import type { TestBatch } from '../engine/workspace/tests/testEngine.ts';
import type { ApprovalTicket } from '../server/approvals.ts';
import type { Client } from '../server/clients.ts';
import type { HistoryEntry } from '../server/history.ts';
import type {
  ApprovalSummary,
  CallSummary,
  ChangeSummary,
  ClientSummary,
  FallenAdapterSummary,
  JobSummary,
  NotificationSummary,
  ProjectSummary,
  ServerSummary,
  SessionSummary,
  TerminalSummary,
  TestBatchSummary,
} from './channel.ts';

const maxBriefChars = 120;
const maxLastWords = 2000;

/** What the page is told of each thing. Pure: from what the owners hold to what the channel says. */
export function callSummary(entry: HistoryEntry): CallSummary {
  const { id, timestamp, client, clientId, project, toolName, status, durationMs, tokens, error } = entry;
  return {
    id,
    time: timestamp,
    client,
    clientId,
    project,
    tool: toolName,
    status,
    durationMs,
    tokens,
    files: entry.affectedFiles?.length ?? 0,
    error: error === undefined ? undefined : clip(firstLine(error), 200),
    brief: brief(entry.parameters),
  };
}

/** The arguments in the order in which they were given, those that say where and what first by being short. */
function brief(parameters: unknown): string {
  if (typeof parameters !== 'object' || parameters === null) return '';
  const words: string[] = [];
  for (const [name, value] of Object.entries(parameters)) {
    if (name === 'project_path' || value === undefined || value === null) continue;
    const text = typeof value === 'string' ? firstLine(value) : (JSON.stringify(value) ?? '');
    words.push(`${name}=${clip(text, 60)}`);
    if (words.join(' ').length > maxBriefChars) break;
  }
  return clip(escapeInvisible(words.join(' ')), maxBriefChars);
}

function firstLine(text: string): string {
  const end = text.indexOf('\n');
  return end === -1 ? text : text.slice(0, end);
}

export function clientSummary(client: Client): ClientSummary {
  const { id, name, transport, face, connectedAt, cwd, shownTools, quirks } = client;
  return {
    id,
    name,
    transport,
    face,
    since: connectedAt.toISOString(),
    cwd,
    tools: shownTools === undefined ? undefined : [...shownTools],
    quirks: quirks.map((quirk) => quirk.about),
  };
}

export function projectSummary({ name, root, trusted }: Project): ProjectSummary {
  return { name, path: root, trusted };
}

export function approvalSummary(ticket: ApprovalTicket): ApprovalSummary {
  const { subject } = ticket;
  return {
    id: ticket.id,
    tool: subject.tool,
    effect: subject.effect,
    client: subject.clientName,
    clientId: subject.clientId,
    project: subject.projectRoot,
    args: subject.args,
    shown: subject.shown,
    note: subject.note,
    createdAt: ticket.createdAt.toISOString(),
    state: ticket.state,
    decidedBy: ticket.decidedBy,
  };
}

export function sessionSummary(session: Session, stops: number, owner: string | undefined): SessionSummary {
  const { id, name, project, language, state } = session;
  return { id, name, project: project.root, language, state, owner, stops };
}

export function changeSummary(project: Project, change: ChangeRecord): ChangeSummary {
  const { id, time, origin, transitions, undoOf } = change;
  return {
    id,
    time,
    project: project.root,
    tool: origin.tool,
    callId: origin.callId,
    client: origin.clientName,
    files: transitions.map((transition) => transition.path),
    undoOf: undoOf === undefined ? undefined : [...undoOf],
  };
}

export function jobSummary(job: Job): JobSummary {
  return {
    id: job.id,
    name: job.name,
    project: job.spec.project.root,
    command: job.shownCommand,
    state: job.state,
    startedAt: job.startedAt.toISOString(),
    exitCode: job.exit?.code ?? undefined,
  };
}

export function terminalSummary(terminal: Terminal, passwordPrompt: string | undefined): TerminalSummary {
  const { id, spec, state } = terminal;
  return { id, name: spec.name, project: spec.project.root, state, passwordPrompt };
}

export function testBatchSummary(project: Project, batch: TestBatch): TestBatchSummary {
  return { id: batch.id, project: project.root, ended: batch.hasEnded, runs: batch.runs.length };
}

export function notificationSummary(notification: Notification): NotificationSummary {
  const { id, time, level, source, message, project, count } = notification;
  return { id, time, level, source, message, project, count };
}

/** Those that run, and those that ended by themselves and were not started since. */
export function serverSummaries({ servers, fallen }: ServerPool, withMemory: boolean): ServerSummary[] {
  return [
    ...servers.map((server) => serverSummary(server, withMemory)),
    ...fallen.map(({ definition, project, reason, lastWords }) => ({
      id: definition.id,
      title: definition.title,
      project: project.root,
      state: 'crashed',
      crash: { reason, lastWords: lastWords.slice(-maxLastWords) },
    })),
  ];
}

export function fallenAdapterSummary({ project, lastWords, ...fallen }: FallenAdapter): FallenAdapterSummary {
  return { ...fallen, project: project.root, lastWords: lastWords.slice(-maxLastWords) };
}

/** Memory is measured only when somebody looks: it means looking at every process of the machine. */
function serverSummary(server: LanguageServer, withMemory: boolean): ServerSummary {
  return {
    id: server.definition.id,
    title: server.definition.title,
    project: server.context.project.root,
    state: server.state.state,
    memoryBytes: withMemory ? server.memoryBytes : undefined,
  };
}
