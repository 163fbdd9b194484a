import type { AsyncDisposer } from '../base/disposable.ts';
import { Emitter } from '../base/emitter.ts';
import { randomId } from '../base/ids.ts';
import type { CallingClient } from '../tools/defineTool.ts';
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
  /** The environment of the client; engines of projects it opens run with it. */
  env?: NodeJS.ProcessEnv;
  /** What it is told with its next answer. */
  notices?: readonly string[];
}

/** Asks the person through the client. `unavailable`: the client cannot ask. */
export type Elicit = (
  question: string,
  signal: AbortSignal,
) => Promise<'accept' | 'decline' | 'cancel' | 'unavailable'>;

/** One connected client: what it sees, what it turned on, and what must end when it leaves. */
export class Client implements CallingClient, AsyncDisposer {
  readonly id: string;
  readonly connectedAt = new Date();
  readonly face: FaceName;
  readonly output: OutputForm;
  readonly transport: ClientInfo['transport'];
  readonly cwd: string | undefined;
  /** Of a shell it is that of its latest call. */
  env: NodeJS.ProcessEnv | undefined;
  name: string;
  /** Set by the transport when the client can put a question to its person. */
  elicit: Elicit | undefined;
  readonly toolListChanged = new Emitter<void>();
  readonly gone = new Emitter<void>();
  readonly #toolsets: Set<ToolsetName>;
  #notices: readonly string[];
  #disposed = false;

  constructor(info: ClientInfo) {
    this.id = info.id ?? randomId('client');
    this.name = info.name;
    this.face = info.face;
    this.output = info.output ?? faces[info.face].output;
    this.transport = info.transport;
    this.cwd = info.cwd;
    this.env = info.env;
    this.#toolsets = new Set(info.toolsets);
    this.#notices = info.notices ?? [];
  }

  /** Each is told once. */
  takeNotices(): readonly string[] {
    const notices = this.#notices;
    this.#notices = [];
    return notices;
  }

  get enabledToolsets(): ReadonlySet<ToolsetName> {
    return this.#toolsets;
  }

  enableToolsets(names: readonly ToolsetName[]): void {
    const before = this.#toolsets.size;
    for (const name of names) this.#toolsets.add(name);
    if (this.#toolsets.size !== before) this.toolListChanged.fire();
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.gone.fire();
    this.gone.dispose();
    this.toolListChanged.dispose();
  }
}
