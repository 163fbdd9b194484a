import { z } from 'zod';
import type { MethodContext } from '../dashboard.ts';
import { method, type AnyMethod } from '../method.ts';
import { approvalSummary } from '../summaries.ts';

/** What waits for a person. */
export function approvalMethods({ parts }: MethodContext): AnyMethod[] {
  const { approvals } = parts.backend;
  return [
    method('approvals.list', z.object({}), () => approvals.list().map(approvalSummary)),
    method(
      'approvals.decide',
      z.object({
        id: z.string(),
        decision: z.enum(['once', 'session', 'deny']),
        reason: z.string().max(2000).optional(),
      }),
      ({ id, decision, reason }) => {
        if (decision === 'session') return approvalSummary(approvals.allowForSession(id, 'dashboard'));
        const given = reason?.trim() === '' ? undefined : reason?.trim();
        return approvalSummary(approvals.decide(id, decision === 'once', 'dashboard', given));
      },
    ),
  ];
}
