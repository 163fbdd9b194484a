import { z } from 'zod';
import type { Terminal } from '../../engine/workspace/terminals/terminal.ts';
import type { MethodContext } from '../dashboard.ts';
import { method, type AnyMethod } from '../method.ts';
import { projectAt } from '../projectAt.ts';
import { ToolError } from '../../base/errors.ts';

const readWaitMs = 20_000;

/** Terminals that a person looks at and types into. What is typed is never written down. */
export function terminalMethods({ parts }: MethodContext): AnyMethod[] {
  const { terminals } = parts.engines;
  const id = z.string();
  return [
    method('terminal.open', z.object({ project: z.string() }), async ({ project }) => {
      const where = projectAt(parts.projects, project);
      if (!where.trusted)
        throw new ToolError('project_not_trusted', `${where.root} is not trusted, so nothing in it may be executed.`);
      const name = `shell ${terminals.of(where).length + 1}`;
      const owner = { id: 'dashboard', name: 'dashboard' };
      return { id: (await terminals.open({ project: where, owner, name, cwd: where.root })).id };
    }),
    method('terminal.read', z.object({ id, since: z.int().min(0) }), async ({ id: wanted, since }, signal) => {
      const terminal = terminals.get(wanted);
      const until = Date.now() + readWaitMs;
      while (terminal.raw.totalBytes <= since && terminal.state !== 'ended' && !signal.aborted && Date.now() < until)
        await terminal.changeWithin(until - Date.now(), signal);
      const attention = await terminal.attention();
      const { columns, rows } = terminal.screen.size;
      return {
        data: terminal.raw.since(since).toString('base64'),
        position: terminal.raw.totalBytes,
        state: terminal.state,
        columns,
        rows,
        isOwn: isOwn(terminal),
        ...(attention === undefined ? {} : { attention }),
      };
    }),
    method('terminal.type', z.object({ id, text: z.string().max(100_000) }), ({ id: wanted, text }) => {
      const terminal = terminals.get(wanted);
      terminal.type(text);
      tell(parts, terminal);
      return {};
    }),
    method(
      'terminal.resize',
      z.object({ id, columns: z.int().min(20).max(500), rows: z.int().min(5).max(200) }),
      ({ id: wanted, columns, rows }) => {
        terminals.get(wanted).resize(columns, rows);
        return {};
      },
    ),
    method('terminal.close', z.object({ id }), async ({ id: wanted }) => {
      const terminal = terminals.get(wanted);
      await terminal.kill();
      if (!isOwn(terminal)) parts.personNotes.did(terminal.spec.project, `closed the terminal ${terminal.spec.name}`);
      return {};
    }),
  ];
}

/** That somebody typed, not what: it may be a password. Of a person's own terminal agents need not know. */
function tell({ personNotes }: MethodContext['parts'], terminal: Terminal): void {
  const { project, name } = terminal.spec;
  if (!isOwn(terminal)) personNotes.did(project, `typed into the terminal ${name} (${terminal.id})`);
}

function isOwn({ spec }: Terminal): boolean {
  return spec.owner.id === 'dashboard';
}
