import type { PartLimits } from '../tools/defineTool.ts';
import type { Client, Elicit, PersonsAnswer } from './clients.ts';

/** One call of a tool, as a way in hands it to the backend. */
export interface CallRequest {
  tool: string;
  args: unknown;
  client: Client;
  signal?: AbortSignal;
  onProgress?: (message: string, fraction: number | undefined) => void;
  /** Asks the client's person during this call; used before `client.elicit`, which knows no call. */
  elicit?: Elicit;
  /** The client asks its person itself and calls again: a call that needs approval is answered at once with `approval`. */
  asksByRetry?: boolean;
  /** What the person said, in such a second call. It counts only for the ticket of exactly this call. */
  approvalReply?: { ticketId: string; reply: PersonsAnswer };
  /** Set when another call makes this one: what that one leaves it of its room and its time. */
  part?: PartLimits;
}
