import { clip } from '../base/text/textBudget.ts';
import type { Terminal } from '../engine/workspace/terminals/terminal.ts';
import type { TerminalStore } from '../engine/workspace/terminals/terminalStore.ts';
import type { ControlHandlers } from '../server/daemon/controlServer.ts';
import type { TerminalSummary } from '../server/daemon/controlProtocol.ts';

/** How long a read waits for something new. */
const readWaitMs = 500;

/** A person's way into a terminal: what passes here is written down nowhere. */
export function terminalControl(
  terminals: TerminalStore,
): Pick<ControlHandlers, 'terminals' | 'terminalRead' | 'terminalWrite'> {
  return {
    terminals: () => terminals.all.map(summary),
    terminalRead: async ({ id, from }, { signal }) => {
      const terminal = terminals.get(id);
      if (terminal.raw.totalBytes <= from) await change(terminal, signal);
      return {
        data: terminal.raw.since(from).toString('base64'),
        next: terminal.raw.totalBytes,
        ended: terminal.state === 'ended',
      };
    },
    terminalWrite: ({ id, text, columns, rows }) => {
      const terminal = terminals.get(id);
      if (columns !== undefined && rows !== undefined) terminal.resize(columns, rows);
      if (text !== undefined) terminal.type(text);
      return {};
    },
  };
}

function change(terminal: Terminal, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      void subscription.dispose();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, readWaitMs);
    const subscription = terminal.onDidChange.on(done);
    signal.addEventListener('abort', done, { once: true });
  });
}

function summary({ id, spec, state, command }: Terminal): TerminalSummary {
  return {
    id,
    name: spec.name,
    state,
    owner: spec.owner.name,
    project: spec.project.root,
    ...(command?.text === undefined ? {} : { command: clip(command.text, 100) }),
  };
}
