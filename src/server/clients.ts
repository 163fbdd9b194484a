import { untilCancelled } from '../base/cancellation.ts';
import { Deferred } from '../base/deferred.ts';
import type { AsyncDisposer } from '../base/disposable.ts';
import { Emitter } from '../base/emitter.ts';
import { randomId } from '../base/ids.ts';
import type { CallingClient } from '../tools/defineTool.ts';
import { quirksOf, type ClientQuirk } from '../tools/clientQuirks.ts';
import { faces, type FaceName, type OutputForm, type ToolsetName } from '../tools/faces.ts';

/** What a transport knows of a client when it connects. */
export interface ClientInfo {
  /** Given when the transport can tell that several connections are one client; otherwise made up. */
  id?: string;
  /** As the client calls itself, e.g. `claude-code 2.1`; the transport's name until it has said so. */
  name: string;
  transport: 'stdio' | 'http' | 'sse' | 'cli' | 'dashboard' | 'embedded';
  face: FaceName;
  toolsets?: readonly ToolsetName[];
  output?: OutputForm;
  /** The directory the client works in: opened as its project. */
  cwd?: string;
  /** A person chose `cwd` for this client, whatever it says of its folders. */
  isProjectGiven?: boolean;
  /** The environment of the client; engines of projects it opens run with it. */
  env?: NodeJS.ProcessEnv;
  /** What it is told with its next answer. */
  notices?: readonly string[];
}

/**
 * What came of a question to the person. `unanswered`: the client said yes or no by a rule of its own, for all we know, or nobody was
 * there; only the answer that was asked for is a person's.
 */
export type PersonsAnswer = 'approved' | 'refused' | 'unanswered';

/** Asks the person through the client. */
export type Elicit = (question: string, signal: AbortSignal) => Promise<PersonsAnswer>;

/** How long an answer that changes the list of tools is held until the client has asked for it. */
const listAgainMs = 2000;

/** One connected client: what it sees, what it turned on, and what must end when it leaves. */
export class Client implements CallingClient, AsyncDisposer {
  readonly id: string;
  readonly connectedAt = new Date();
  readonly face: FaceName;
  readonly output: OutputForm;
  readonly transport: ClientInfo['transport'];
  readonly cwd: string | undefined;
  readonly isProjectGiven: boolean;
  /** Of a shell it is that of its latest call. */
  env: NodeJS.ProcessEnv | undefined;
  /** Folders that the client says it works in; undefined until it was asked. */
  roots: readonly string[] | undefined;
  /** Set by the transport when the client can put a question to its person. */
  elicit: Elicit | undefined;
  readonly toolListChanged = new Emitter<void>();
  /** It was given its list of tools, with so many toolsets turned on. */
  readonly toolsListed = new Emitter<number>();
  readonly gone = new Emitter<void>();
  /** Its name, or what it was shown. */
  readonly changed = new Emitter<void>();
  readonly #toolsets: Set<ToolsetName>;
  #notices: readonly string[];
  #name: string;
  #shownTools: readonly string[] | undefined;
  #hasNewestList = true;
  #disposed = false;

  constructor(info: ClientInfo) {
    this.id = info.id ?? randomId('client');
    this.#name = info.name;
    this.face = info.face;
    this.output = info.output ?? faces[info.face].output;
    this.transport = info.transport;
    this.cwd = info.cwd;
    this.isProjectGiven = info.isProjectGiven ?? false;
    this.env = info.env;
    this.#toolsets = new Set(info.toolsets);
    this.#notices = info.notices ?? [];
  }

  get name(): string {
    return this.#name;
  }

  set name(name: string) {
    this.#name = name;
    this.changed.fire();
  }

  /** Names of the tools it was given when it last asked; undefined when it has not. */
  get shownTools(): readonly string[] | undefined {
    return this.#shownTools;
  }

  set shownTools(names: readonly string[]) {
    this.#shownTools = names;
    this.changed.fire();
  }

  /** Each is told once. */
  takeNotices(): readonly string[] {
    const notices = this.#notices;
    this.#notices = [];
    return notices;
  }

  get isPerson(): boolean {
    return this.transport === 'dashboard';
  }

  get enabledToolsets(): ReadonlySet<ToolsetName> {
    return this.#toolsets;
  }

  /** Rules of compatibility that apply to it. */
  get quirks(): readonly ClientQuirk[] {
    return quirksOf(this.name);
  }

  async enableToolsets(names: readonly ToolsetName[], signal: AbortSignal): Promise<boolean> {
    const before = this.#toolsets.size;
    for (const name of names) this.#toolsets.add(name);
    if (this.#toolsets.size !== before) {
      const listed = this.#listsAgain(signal);
      this.toolListChanged.fire();
      this.#hasNewestList = await listed;
    }
    return this.#hasNewestList;
  }

  /** Some ask for the new list only between two requests of their model: an answer before that would come one request early. */
  async #listsAgain(signal: AbortSignal): Promise<boolean> {
    if (this.quirks.some((quirk) => quirk.neverListsAgain)) return false;
    const listed = new Deferred<boolean>();
    const hearing = this.toolsListed.on((size) => {
      if (size === this.#toolsets.size) listed.resolve(true);
    });
    const timer = setTimeout(() => listed.resolve(false), listAgainMs);
    try {
      return await untilCancelled(listed.promise, signal);
    } finally {
      clearTimeout(timer);
      await hearing.dispose();
    }
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.gone.fire();
    this.gone.dispose();
    this.changed.dispose();
    this.toolListChanged.dispose();
    this.toolsListed.dispose();
  }
}
