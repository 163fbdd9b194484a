import { computed, signal } from '@preact/signals';
import type {
  ApprovalSummary,
  ClientSummary,
  FallenAdapterSummary,
  JobSummary,
  NotificationSummary,
  Overview,
  ProjectSummary,
  ServerSummary,
  SessionSummary,
  TerminalSummary,
  ThreadView,
} from '../../src/dashboard/channel.ts';
import { call, on, onResync } from './client.ts';

/** What every view may look at, kept up to date by the stream. */
export const overview = signal<Overview | undefined>(undefined);
export const projects = signal<readonly ProjectSummary[]>([]);
export const clients = signal<readonly ClientSummary[]>([]);
export const approvals = signal<readonly ApprovalSummary[]>([]);
export const notifications = signal<readonly NotificationSummary[]>([]);
const servers = signal<readonly ServerSummary[]>([]);
export const fallenAdapters = signal<readonly FallenAdapterSummary[]>([]);
export const sessions = signal<readonly SessionSummary[]>([]);
const jobs = signal<readonly JobSummary[]>([]);
export const terminals = signal<readonly TerminalSummary[]>([]);
const threads = signal<readonly ThreadView[]>([]);

export const pendingApprovals = computed(() => approvals.value.filter((each) => each.state === 'pending'));

/** Terminals in which a program waits for a password, and language servers that ended by themselves. */
export const passwordPrompts = computed(() => terminals.value.filter((each) => each.passwordPrompt !== undefined));
export const crashedServers = computed(() => servers.value.filter((each) => each.crash !== undefined));
/** Hosted agents that want to know who the person is, or have a form to fill in. All else that they ask is among the approvals. */
export const askingThreads = computed(() =>
  threads.value.filter(
    ({ state, questions }) => state === 'signed_out' || questions.some(({ kind }) => kind === 'form'),
  ),
);
/** All that waits for a person. */
export const waitingCount = computed(() =>
  [pendingApprovals, passwordPrompts, crashedServers, fallenAdapters, askingThreads].reduce(
    (sum, { value }) => sum + value.length,
    0,
  ),
);

/** Chosen in the header of the page: what views of one project show. */
export const chosenProject = signal<string | undefined>(undefined);
export const project = computed(
  () => projects.value.find((each) => each.path === chosenProject.value)?.path ?? projects.value[0]?.path,
);

export function followProcess(): void {
  onResync(() => void load());
  on('projects', (list) => (projects.value = list));
  on('clients', (list) => (clients.value = list));
  on('servers', (list) => (servers.value = list));
  on('fallenAdapters', (list) => (fallenAdapters.value = list));
  on('approval', (one) => (approvals.value = replaced(approvals.value, one)));
  on('session', (one) => (sessions.value = replaced(sessions.value, one)));
  on('job', (one) => (jobs.value = replaced(jobs.value, one)));
  on('terminal', (one) => (terminals.value = replaced(terminals.value, one)));
  on('thread', (one) => (threads.value = replaced(threads.value, one)));
  on('threadClosed', ({ thread }) => (threads.value = threads.value.filter(({ id }) => id !== thread)));
  on('notification', (one) => (notifications.value = [one, ...notifications.value.filter(({ id }) => id !== one.id)]));
}

async function load(): Promise<void> {
  const known = await call('process.overview', {});
  overview.value = known;
  projects.value = known.projects;
  clients.value = known.clients;
  approvals.value = known.approvals;
  notifications.value = known.notifications;
  servers.value = known.servers;
  fallenAdapters.value = known.fallenAdapters;
  sessions.value = known.sessions;
  jobs.value = known.jobs;
  terminals.value = known.terminals;
  threads.value = known.threads;
}

/** In its place when it is known, at the end when it is new. */
export function replaced<T extends { id: string }>(list: readonly T[], one: T): T[] {
  const at = list.findIndex((each) => each.id === one.id);
  return at === -1 ? [...list, one] : list.with(at, one);
}
