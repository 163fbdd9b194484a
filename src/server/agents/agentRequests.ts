import type {
  ListedAgent,
  LoggedMessage,
  PermissionMode,
  ThreadEvent,
  ThreadItem,
  ThreadView,
} from '../../engine/agents/model.ts';

/** A thread of earlier that does not run. */
export type PastThread = Pick<ThreadView, 'id' | 'agent' | 'title' | 'project' | 'state' | 'createdAt' | 'updatedAt'>;

/** What the command line and the dashboard ask of the host of agents. */
export interface AgentRequests {
  list: { params: Record<string, never>; result: { agents: ListedAgent[]; threads: ThreadView[]; past: PastThread[] } };
  start: {
    params: {
      /** A name of the list; the person's default, else the first one found. */
      agent?: string;
      /** A folder of the project; the caller's own otherwise. */
      cwd?: string;
      fromNpm?: boolean;
      permissions?: PermissionMode;
      /** A session of the agent to be taken up. */
      sessionId?: string;
      /** A thread of earlier to be taken up. */
      threadId?: string;
      /** Ends with the connection that asked for it. */
      isTemporary?: boolean;
    };
    result: { id: string };
  };
  /** The whole, or what came after a number; waits a moment when there is nothing new. */
  read: {
    params: { id: string; from?: number };
    result: { next: number; thread?: ThreadView; items?: ThreadItem[]; events: ThreadEvent[] };
  };
  prompt: { params: { id: string; text: string }; result: { promptId: string } };
  unqueue: { params: { id: string; promptId: string }; result: Done };
  cancel: { params: { id: string }; result: Done };
  answer: {
    params: { id: string; questionId: string; optionId?: string; allow?: boolean; content?: Record<string, unknown> };
    result: { wasOpen: boolean };
  };
  setOption: { params: { id: string; option: string; value: string | boolean }; result: Done };
  setPermissions: { params: { id: string; mode: PermissionMode }; result: Done };
  signIn: { params: { id: string; methodId: string }; result: Done };
  sessions: {
    params: { id: string };
    result: { sessions: { sessionId: string; title?: string; updatedAt?: string; cwd: string }[] };
  };
  revert: { params: { id: string; turn: number; historyId?: string }; result: { files: string[] } };
  restart: { params: { id: string }; result: Done };
  close: { params: { id: string; forget?: boolean }; result: Done };
  log: { params: { id: string; after?: number }; result: { messages: LoggedMessage[] } };
}

export type Done = Record<string, never>;
export type AgentOperation = keyof AgentRequests;
