import type { DidOpenTextDocumentParams } from 'vscode-languageserver-protocol';

/**
 * What an editor and the process say to each other over the socket: the document messages of the language server protocol as they are,
 * `workspace/applyEdit` back, and these. An editor that names its folders has an extension of ours and is told what happens in them.
 */
export interface EditorNotifications {
  /** The first message of a feed. */
  'feed/start': { editor: string; folders?: string[] };
  /** What a person has selected; nothing but the cursor when the text is empty. Lines are 1-based. */
  'feed/selection': { uri: string; fromLine: number; toLine: number; text: string };
}

export interface EditorRequests {
  /** Each answers with all breakpoints of the project, as they are then. */
  'feed/setBreakpoint': { params: { root: string; breakpoint: SharedBreakpoint }; result: SharedBreakpoint[] };
  'feed/removeBreakpoint': { params: { root: string; uri: string; line: number }; result: SharedBreakpoint[] };
  'feed/decide': { params: { ticketId: string; approved: boolean }; result: { state: string } };
  'feed/trust': { params: { root: string }; result: Record<string, never> };
  /** A link that lets one page in, and where the files of the page lie. */
  'feed/dashboard': { params: Record<string, never>; result: { link: string; folder: string } };
}

export interface ProcessNotifications {
  /** All line breakpoints of a project in the editor's folders; sent when it is opened and whenever they change. */
  'feed/breakpoints': { root: string; breakpoints: SharedBreakpoint[] };
  'feed/place': Place;
  'feed/approval': WaitingCall;
  /** An agent has opened a project whose code may not be run yet. */
  'feed/untrusted': { root: string; name: string };
}

/** Where the agent is: a program that stands still, or text that was changed. Lines are 1-based. */
export type Place =
  | { kind: 'paused'; uri: string; line: number; session: string; reason: string }
  | { kind: 'running'; session: string }
  | { kind: 'edited'; uri: string; line: number; tool: string };

export interface SharedBreakpoint {
  uri: string;
  line: number;
  enabled: boolean;
  condition?: string;
  hitCondition?: string;
  logMessage?: string;
}

/** A call that waits for a person, or has stopped waiting. */
export interface WaitingCall {
  id: string;
  state: 'pending' | 'approved' | 'denied';
  /** One line: who wants to do what. */
  title: string;
  /** All that is agreed to, in a line or two; absent when it takes more. */
  brief?: string;
  /** All that is agreed to. */
  text: string;
}

/** A feed knows whether a buffer that it tells of anew was saved; an editor's own message does not say. */
export interface FedDocument {
  textDocument: DidOpenTextDocumentParams['textDocument'] & { isSaved?: boolean };
}
