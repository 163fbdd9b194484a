import { DisposableStore } from '../base/disposable.ts';
import type { EventStream } from './eventStream.ts';
import type { DashboardParts } from './parts.ts';
import {
  approvalSummary,
  callSummary,
  changeSummary,
  clientSummary,
  fallenAdapterSummary,
  jobSummary,
  notificationSummary,
  projectSummary,
  serverSummaries,
  sessionSummary,
  terminalSummary,
  testBatchSummary,
} from './summaries.ts';
import type { PasswordPrompts } from './passwordPrompts.ts';
import type { SessionStops } from './sessionStops.ts';
import type { Terminal } from '../engine/workspace/terminals/terminal.ts';

interface StreamContext {
  parts: DashboardParts;
  stops: SessionStops;
  prompts: PasswordPrompts;
  stream: EventStream;
}

/** Joins the emitters of whoever owns something to the stream. The owners know nothing of it. */
export function streamEvents(context: StreamContext): DisposableStore {
  const { parts, stops, prompts, stream } = context;
  const owned = new DisposableStore();
  const { backend, history, projects, trust, engines } = parts;
  owned.add(
    history.onDidChange.on((event) => {
      if (event.kind === 'cleared')
        stream.send('callsCleared', event.project ?? '', () => ({ project: event.project }));
      else stream.send('call', event.entry.id, () => callSummary(event.entry));
    }),
  );
  owned.add(backend.clientsChanged.on(() => stream.send('clients', '', () => backend.clients.map(clientSummary))));
  owned.add(
    backend.approvals.changed.on((ticket) => stream.send('approval', ticket.id, () => approvalSummary(ticket))),
  );
  const tellProjects = () => stream.send('projects', '', () => projects.list().map(projectSummary));
  owned.add(projects.onDidOpen.on(tellProjects));
  owned.add(projects.onDidClose.on(tellProjects));
  owned.add(trust.onDidChange.on(tellProjects));
  owned.add(
    stops.changed.on((session) =>
      stream.send('session', session.id, () =>
        sessionSummary(session, stops.of(session), ownerName(parts, session.ownerId)),
      ),
    ),
  );
  owned.add(
    engines.localHistory.onRecorded.on(({ project, change }) =>
      stream.send('change', change.id, () => changeSummary(project, change)),
    ),
  );
  owned.add(engines.jobs.onDidStart.on((job) => stream.send('job', job.id, () => jobSummary(job))));
  owned.add(engines.jobs.onDidEnd.on((job) => stream.send('job', job.id, () => jobSummary(job))));
  const tellTerminal = (terminal: Terminal) =>
    stream.send('terminal', terminal.id, () => terminalSummary(terminal, prompts.of(terminal)));
  owned.add(engines.terminals.onDidChange.on(tellTerminal));
  owned.add(prompts.changed.on(tellTerminal));
  owned.add(
    engines.tests.onDidChange.on(({ project, batch }) =>
      stream.send('testBatch', batch.id, () => testBatchSummary(project, batch)),
    ),
  );
  owned.add(
    engines.notifications.onDidAdd.on((added) =>
      stream.send('notification', added.id, () => notificationSummary(added)),
    ),
  );
  owned.add(
    engines.code.pool.onDidChange.on(() => stream.send('servers', '', () => serverSummaries(engines.code.pool, false))),
  );
  const { fallen } = engines.debugger;
  owned.add(
    fallen.onDidChange.on(() => stream.send('fallenAdapters', '', () => fallen.list.map(fallenAdapterSummary))),
  );
  streamThreads(parts, stream, owned);
  return owned;
}

function streamThreads({ agentHost }: DashboardParts, stream: EventStream, owned: DisposableStore): void {
  owned.add(
    agentHost.onDidChange.on(({ thread, event }) => {
      if (event.kind === 'thread') stream.send('thread', thread.id, () => event.thread);
      else if (event.kind === 'reset') stream.send('threadReset', thread.id, () => ({ thread: thread.id }));
      else {
        const item = event.kind === 'item' ? event.item : thread.item(event.id);
        if (item !== undefined)
          stream.send('threadItem', `${thread.id} ${item.id}`, () => ({ thread: thread.id, item }));
      }
    }),
  );
  owned.add(agentHost.onDidClose.on((id) => stream.send('threadClosed', id, () => ({ thread: id }))));
}

/** Who a session belongs to, in words. */
export function ownerName({ backend }: DashboardParts, ownerId: string | undefined): string | undefined {
  return backend.clients.find((client) => client.id === ownerId)?.name;
}
