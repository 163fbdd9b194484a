/** What the dashboard in a view asks of the extension, which has the cookie and stands on the machine of the process. */
export type PageMessage =
  | { kind: 'call'; id: number; path: string; body: string }
  | { kind: 'abort'; id: number }
  | { kind: 'listen'; id: number }
  | { kind: 'hangUp'; id: number };

export type ExtensionMessage =
  | { kind: 'answer'; id: number; status: number; body: string }
  | { kind: 'event'; id: number; data: string }
  | { kind: 'ended'; id: number };
