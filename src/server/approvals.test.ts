import { describe, expect, it } from 'vitest';
import { Approvals, type ApprovalSubject } from './approvals.ts';

const subject: ApprovalSubject = {
  tool: 'git_branch',
  args: { action: 'delete', name: 'x' },
  projectRoot: '/p',
  clientId: 'c1',
  clientName: 'test',
  effect: 'destructive',
};

describe('Approvals', () => {
  it('binds a ticket to exactly one call: the same arguments in any order, but no others', () => {
    const approvals = new Approvals();
    const ticket = approvals.ticketFor(subject);
    expect(approvals.ticketFor({ ...subject, args: { name: 'x', action: 'delete' } }).id).toBe(ticket.id);
    expect(approvals.ticketFor({ ...subject, args: { action: 'delete', name: 'y' } }).id).not.toBe(ticket.id);
    expect(approvals.ticketFor({ ...subject, clientId: 'c2' }).id).not.toBe(ticket.id);
    approvals.dispose();
  });

  it('starts the work of a ticket once, however often it is asked for', async () => {
    const approvals = new Approvals();
    const ticket = approvals.ticketFor(subject);
    let runs = 0;
    const start = async () => {
      if ((await approvals.decision(ticket.id)).state !== 'approved') return 'refused';
      runs++;
      return 'done';
    };
    const both = [approvals.workOf(ticket.id, start), approvals.workOf(ticket.id, start)];
    approvals.decide(ticket.id, true, 'person');
    expect(await Promise.all(both)).toEqual(['done', 'done']);
    expect(runs).toBe(1);
    approvals.dispose();
  });

  it('is decided once; afterwards the same call needs a new decision', () => {
    const approvals = new Approvals();
    const ticket = approvals.ticketFor(subject);
    approvals.decide(ticket.id, true, 'person');
    expect(() => approvals.decide(ticket.id, false, 'other')).toThrow('already approved');
    approvals.finish(ticket.id);
    expect(approvals.ticketFor(subject).id).not.toBe(ticket.id);
    approvals.dispose();
  });

  it('denies what waits when the process ends', async () => {
    const approvals = new Approvals();
    const decision = approvals.decision(approvals.ticketFor(subject).id);
    approvals.dispose();
    expect(await decision).toMatchObject({ state: 'denied', decidedBy: 'expired' });
  });
});
