/** How an agent starts our server. */
interface StdioServer {
  command: string;
  args: readonly string[];
}

/** Where an agent reaches a server that runs already. */
export interface HttpServer {
  url: string;
  headers: Readonly<Record<string, string>>;
}

export type Scope = 'user' | 'project';

/** An agent whose configuration can name an MCP server: data, and the few things in which it differs from the others. */
export interface AgentClient {
  id: string;
  title: string;
  /** The agent is on this machine when one of these exists. */
  signs: readonly string[];
  /** The file with the servers of the whole user, and the one below a project's folder. JSON with comments, or TOML by its name. */
  files: { user?: string; project?: string };
  /** The way to our entry in the file. */
  path: readonly string[];
  /** What is written there, when it is not the command and its arguments alone. */
  stdio?: (server: StdioServer) => Record<string, unknown>;
  /** The same for a server that runs already; absent when the agent only starts servers itself. */
  http?: (server: HttpServer) => Record<string, unknown>;
  /** It is started without the person's shell, so that only whole paths are found. */
  needsWholePath?: true;
  /** Its own command that adds a server for the whole user. Used when the program is there and has no entry of ours yet. */
  own?: { program: string; add(entry: Record<string, unknown>): string[] };
  /** The editors that read this configuration or are its kin: programs that install extensions by `--install-extension`. */
  extensionPrograms?: readonly string[];
}

/** What decides where an agent keeps its servers. */
interface Places {
  home: string;
  env: NodeJS.ProcessEnv;
  /** Where programs with windows keep their settings on this system. */
  programs: string;
}

export type ClientOf = (places: Places) => AgentClient;

/** Everything the installer must know of the machine and of this Sightline. */
export interface InstallPlace {
  home: string;
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  /** The project for scope `project`. */
  project: string;
  /** How an agent starts this Sightline: program and arguments, without `stdio`. */
  command: readonly string[];
  /** The Node that runs now, for agents that need a whole path. */
  node: string;
  /** Where the originals of changed files are kept. */
  receipts: string;
}

type InstallState = 'not installed' | 'installed' | 'outdated' | 'broken';

export interface AgentState {
  id: string;
  title: string;
  /** Whether the agent seems to be on this machine. */
  isFound: boolean;
  scope: Scope;
  file: string;
  state: InstallState;
  /** For outdated and broken: what is the matter. */
  why?: string;
  /** How the entry reaches us, where there is one. */
  transport?: 'stdio' | 'http';
}

export interface InstallRequest {
  id: string;
  action: 'install' | 'remove';
  scope: Scope;
  /** Instead of a command: the running server and its token. */
  http?: HttpServer;
}

export interface InstallPlan extends InstallRequest {
  title: string;
  file: string;
  /** The whole file before and after; null where there is none. */
  before: string | null;
  after: string | null;
  /** Unified; empty when nothing changes. Tokens are masked. */
  diff: string;
  /** Of the request and both texts: a person agrees to this, and nothing else is written. */
  fingerprint: string;
  /** The agent's own command, which makes the change. */
  own?: readonly string[];
}

export interface InstallResult {
  file: string;
  isChanged: boolean;
  /** The file as it was, if it was there. */
  backup?: string;
  /** The agent's own command failed or did something else, and the file was edited: why. */
  ownCommandFailed?: string;
  /** After an installation: whether the written entry reaches Sightline. */
  handshake?: Handshake;
}

export type Handshake = { works: true; version: string; tools: number; ms: number } | { works: false; problem: string };
