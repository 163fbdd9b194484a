import { inputRequired, type Server, type ServerContext } from '@modelcontextprotocol/server';
import { uriToPath } from '../../base/paths.ts';
import type { Client } from '../clients.ts';

const rootsKey = 'roots';
const patienceMs = 2000;
const maxRoots = 20;

/**
 * Asks a client that offers it for the folders it works in, once, and again when it says that they changed. Over HTTP that is the only
 * way to know. The 2026 revision has no questions to clients: there the call is answered with the question, and comes again.
 */
export async function askForRoots(
  server: Server,
  ctx: ServerContext,
  client: Client,
  capabilities: unknown,
  era: 'legacy' | 'modern',
): Promise<ReturnType<typeof inputRequired> | undefined> {
  if (client.roots !== undefined || !isRecord(capabilities) || !isRecord(capabilities['roots'])) return undefined;
  if (era === 'modern') {
    const response: unknown = ctx.mcpReq.inputResponses?.[rootsKey];
    if (response === undefined) return inputRequired({ inputRequests: { [rootsKey]: inputRequired.listRoots() } });
    client.roots = pathsOf(response);
    return undefined;
  }
  const options = { timeout: patienceMs, signal: ctx.mcpReq.signal, relatedRequestId: ctx.mcpReq.id };
  // Deprecated with the 2025 revisions, which are the ones that have it.
  client.roots = pathsOf(await server.request({ method: 'roots/list' }, options).catch(() => undefined));
  return undefined;
}

function pathsOf(result: unknown): string[] {
  const roots = isRecord(result) && Array.isArray(result['roots']) ? (result['roots'] as unknown[]) : [];
  return roots.slice(0, maxRoots).flatMap((root) => {
    const uri = isRecord(root) ? root['uri'] : undefined;
    const path = typeof uri === 'string' && uri.startsWith('file:') ? uriToPath(uri) : undefined;
    return path === undefined ? [] : [path];
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
