import { escapeInvisible, headAndTail } from '../base/text/textBudget.ts';
import type { TicketSummary } from '../server/daemon/controlProtocol.ts';

/** A screen or two: more would scroll away the beginning of what is agreed to. */
const maxShownChars = 6000;

/**
 * What a person agrees to with a ticket. Whatever came from the agent or the project stands behind a bar, so that nothing in it can pose as
 * another ticket or as a question of ours, and cannot move the cursor or turn the text round.
 */
export function ticketText(ticket: TicketSummary, options: { whole?: boolean } = {}): string {
  const { id, state, tool, effect, client, project, args, shown } = ticket;
  const head = `${id}  ${state}  ${oneLine(client)} calls ${tool} (${effect})${project === undefined ? '' : ` in ${oneLine(project)}`}`;
  const body = escapeInvisible(shown === undefined ? argumentLines(args) : `It changes ${shown}`);
  const visible = options.whole ? body : headAndTail(body, maxShownChars);
  const bars = visible.trimEnd().replaceAll(/^/gm, '  | ');
  const rest = visible === body ? '' : `\n  Not all of it is shown: sightline approve ${id} --full shows it.`;
  return `${head}\n${bars}${rest}`;
}

/** One argument to a line; the lines of a longer text stand below its name, further in. */
function argumentLines(args: Record<string, unknown>): string {
  return Object.entries(args)
    .map(([name, value]) =>
      typeof value === 'string' && value.includes('\n')
        ? `${oneLine(name)}:\n${value.replaceAll(/^/gm, '    ')}`
        : `${oneLine(name)}: ${JSON.stringify(value)}`,
    )
    .join('\n');
}

function oneLine(text: string): string {
  return escapeInvisible(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}
