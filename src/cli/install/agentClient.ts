/** How an agent starts our server. */
export interface ServerEntry {
  command: string;
  args: readonly string[];
}

/** An agent whose configuration can name an MCP server. */
export interface AgentClient {
  id: string;
  title: string;
  /** The file with its servers, and the way to ours in it. */
  file: string;
  format: JsonFormat | { kind: 'toml'; table: string };
  /** The agent is there when one of these exists. */
  signs: readonly string[];
}

export interface JsonFormat {
  kind: 'json';
  path: readonly string[];
  /** What is written there, when it is not the command and its arguments alone. */
  entry?: (server: ServerEntry) => Record<string, unknown>;
}

/** What decides where an agent keeps its servers for the whole user. */
export interface Places {
  home: string;
  env: NodeJS.ProcessEnv;
  /** Where programs with windows keep their settings on this system. */
  programs: string;
}

export type ClientOf = (places: Places) => AgentClient;
