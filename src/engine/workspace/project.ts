/** An open project, as every engine sees it. Roots are canonical (symlinks resolved). */
export interface Project {
  /** Stable for a root across restarts; names the project's folder below the state directory. */
  readonly id: string;
  readonly name: string;
  readonly root: string;
  /** Where Sightline keeps what it knows of this project: history, breakpoints, local history. Never inside the project. */
  readonly stateDir: string;
  /** The environment of the client that opened it (PATH, virtualenv), already stripped; its engines run with this. */
  readonly env: NodeJS.ProcessEnv;
  /** Said by a person, never by an agent. Untrusted: parse, read and search with bundled engines only. */
  readonly trusted: boolean;
}
