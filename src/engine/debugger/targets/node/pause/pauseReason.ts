import type { Protocol } from '../../../../../protocol/cdp/types.ts';

type PausedEvent = Protocol.Debugger.PausedEvent;

/** What is a stop in itself, the most urgent first. */
const weighty = ['OOM', 'exception', 'promiseRejection', 'assert'] as const;

/**
 * A pause for several reasons at once is called ambiguous. Memory that runs out while somebody asks for a pause is still memory that runs
 * out: the weightiest reason counts.
 */
export function withoutAmbiguity(event: PausedEvent): PausedEvent {
  if (event.reason !== 'ambiguous') return event;
  const reasons: unknown = event.data?.['reasons'];
  if (!Array.isArray(reasons)) return event;
  const given = reasons.filter(isReason);
  const reason = weighty.find((one) => given.some((each) => each.reason === one));
  if (reason === undefined) return event;
  const data = given.find((each) => each.reason === reason)?.auxData;
  return { ...event, reason, data };
}

function isReason(value: unknown): value is { reason: string; auxData?: Protocol.Debugger.PausedEvent['data'] } {
  return typeof value === 'object' && value !== null && 'reason' in value && typeof value.reason === 'string';
}
