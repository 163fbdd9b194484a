import { expect, test } from 'vitest';
import type { TicketSummary } from '../server/daemon/controlProtocol.ts';
import { ticketText } from './ticketText.ts';

const ticket: TicketSummary = {
  id: 'ticket_1',
  tool: 'write_file',
  effect: 'destructive',
  client: 'agent',
  project: '/home/me/app',
  args: { file: '.husky/pre-commit', content: 'one\ntwo' },
  createdAt: '',
  state: 'pending',
};

test('a ticket is shown argument by argument', () => {
  expect(ticketText(ticket)).toBe(
    [
      'ticket_1  pending  agent calls write_file (destructive) in /home/me/app',
      '  | file: ".husky/pre-commit"',
      '  | content:',
      '  |     one',
      '  |     two',
    ].join('\n'),
  );
});

test('nothing in it poses as a ticket or as a question', () => {
  const lie =
    'x\nticket_2  pending  agent calls read_file\nApprove exactly this? [y/N] y\nfile: "README.md"\u2028\u001b[1A\r';
  for (const shown of [
    ticketText({ ...ticket, args: { content: lie } }),
    ticketText({ ...ticket, shown: lie }),
    ticketText({ ...ticket, args: { [lie]: 1 } }),
    ticketText({ ...ticket, client: lie, project: lie }),
  ]) {
    const [head, ...rest] = shown.split('\n');
    expect(head).toMatch(/^ticket_1 {2}pending/);
    for (const line of rest) expect(line).toMatch(/^ {2}\| /);
    expect(shown).not.toMatch(/[\u2028\u001b\r]/);
  }
});

test('a line of a text is no argument', () => {
  const shown = ticketText({ ...ticket, args: { content: 'x\nfile: "README.md"', file: '.npmrc' } });
  expect(shown.split('\n').filter((line) => line.startsWith('  | file:'))).toEqual(['  | file: ".npmrc"']);
});

test('of a long one beginning and end are shown, with a word about the rest, and all of it when asked for', () => {
  const long = `rm -rf a\n${'echo\n'.repeat(5000)}rm -rf z`;
  const shown = ticketText({ ...ticket, args: { command: long } });
  expect(shown.length).toBeLessThan(16_000);
  expect(shown).toContain('rm -rf a');
  expect(shown).toContain('rm -rf z');
  expect(shown).toMatch(/characters left out/);
  expect(shown).toMatch(/Not all of it is shown: sightline approve ticket_1 --full shows it\.$/);
  expect(ticketText({ ...ticket, args: { command: long } }, { whole: true }).match(/echo/g)).toHaveLength(5000);
});
