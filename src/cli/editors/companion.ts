import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { assetPath } from '../../base/assets.ts';
import { DisposableStore, type AsyncDisposer } from '../../base/disposable.ts';
import { ToolError } from '../../base/errors.ts';
import { isInside, uriToPath } from '../../base/paths.ts';
import type { Project } from '../../engine/workspace/project.ts';
import type { RpcConnection } from '../../protocol/jsonrpc/connection.ts';
import type { ApprovalTicket } from '../../server/approvals.ts';
import type { Sightline } from '../compose.ts';
import { EditorBreakpoints } from './editorBreakpoints.ts';
import type { EditorNotifications, EditorRequests, ProcessNotifications } from './feedProtocol.ts';
import { PlaceTeller } from './placeTeller.ts';
import { waitingCall } from './waitingCall.ts';

/** The process's side of an editor with an extension of ours: a person's window into the folders that are open there. */
export class Companion implements AsyncDisposer {
  readonly #sightline: Sightline;
  readonly #rpc: RpcConnection;
  readonly #folders: readonly string[];
  readonly #owned = new DisposableStore();

  constructor(sightline: Sightline, rpc: RpcConnection, editor: string, folders: readonly string[]) {
    this.#sightline = sightline;
    this.#rpc = rpc;
    this.#folders = folders.map(canonical);
    const { backend, projects, trust, engines } = sightline;
    const tell = <Name extends keyof ProcessNotifications>(name: Name, params: ProcessNotifications[Name]) =>
      rpc.notify(name, params);
    const breakpoints = this.#owned.add(
      new EditorBreakpoints(sightline, editor, (told) => tell('feed/breakpoints', told)),
    );
    const places = new PlaceTeller((place) => tell('feed/place', place));

    this.#answer('feed/setBreakpoint', ({ root, breakpoint }) => breakpoints.set(this.#project(root), breakpoint));
    this.#answer('feed/removeBreakpoint', ({ root, uri, line }) => breakpoints.remove(this.#project(root), uri, line));
    this.#answer('feed/decide', ({ ticketId, approved }) => {
      const { state } = backend.approvals.decide(ticketId, approved, editor);
      return { state };
    });
    this.#answer('feed/trust', async ({ root }) => {
      await trust.trust(this.#project(root).root, 'editor');
      return {};
    });
    this.#answer('feed/dashboard', () => ({
      link: sightline.dashboard.newLink(),
      folder: dirname(assetPath('dist/dashboard/index.html')),
    }));

    const greet = (project: Project) => {
      if (!this.#isHere(project)) return;
      void breakpoints.tell(project);
      if (!project.trusted) tell('feed/untrusted', { root: project.root, name: project.name });
    };
    const ask = (ticket: ApprovalTicket) => {
      const { projectRoot } = ticket.subject;
      if (projectRoot === undefined || this.#isAt(projectRoot)) tell('feed/approval', waitingCall(ticket));
    };
    this.#owned.add(projects.onDidOpen.on(greet));
    this.#owned.add(backend.approvals.changed.on(ask));
    this.#owned.add(
      engines.debugger.breakpointChanges.on((project) => {
        if (this.#isHere(project)) void breakpoints.tell(project);
      }),
    );
    this.#owned.add(
      engines.debugger.changes.on((session) => {
        if (this.#isHere(session.project)) places.ofSession(session);
      }),
    );
    this.#owned.add(
      engines.edits.onApplied.on((change) => {
        if (this.#isHere(change.project)) places.ofChange(change);
      }),
    );
    for (const project of projects.list()) greet(project);
    for (const ticket of backend.approvals.list()) if (ticket.state === 'pending') ask(ticket);
  }

  /** Told to the command lines that look for an IDE here. */
  async selected({ uri, fromLine, toLine, text }: EditorNotifications['feed/selection']): Promise<void> {
    const path = uriToPath(uri);
    if (path === undefined) return;
    const real = canonical(path);
    const project = this.#sightline.projects.list().find(({ root }) => isInside(root, real));
    if (project === undefined) return;
    await this.#sightline.ide.select(project, { path: real, fromLine, toLine, text }, false);
  }

  dispose(): Promise<void> {
    return this.#owned.dispose();
  }

  #answer<Name extends keyof EditorRequests>(
    name: Name,
    handler: (
      params: EditorRequests[Name]['params'],
    ) => EditorRequests[Name]['result'] | Promise<EditorRequests[Name]['result']>,
  ): void {
    // The extension at the other end is ours and has the token.
    this.#rpc.handle(name, (params) => handler(params as EditorRequests[Name]['params']));
  }

  /** Only what is open there is changed from there. */
  #project(root: string): Project {
    const project = this.#sightline.projects.list().find((each) => each.root === root);
    if (project === undefined || !this.#isHere(project))
      throw new ToolError('project_not_found', `${root} is not an open project of this editor.`);
    return project;
  }

  #isHere({ root }: Project): boolean {
    return this.#isAt(root);
  }

  #isAt(root: string): boolean {
    return this.#folders.some((folder) => isInside(folder, root) || isInside(root, folder));
  }
}

function canonical(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
