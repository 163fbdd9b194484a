import { z } from 'zod';
import { ToolError, errorMessage } from '../../base/errors.ts';
import { faceNames, outputForms, toolsetNames } from '../../tools/faces.ts';
import type { Backend } from '../backend.ts';
import type { HttpExchange } from '../mcp/exchange.ts';
import type { Route } from './routes.ts';

/**
 * The JSON interface for the command line, on the same listener and behind the same guards as everything else.
 *
 *   GET    /api/status                                             -> what `status()` returns
 *   POST   /api/stop       {}                                      -> {stopping: true}, then `stop()` runs
 *   POST   /api/call       {tool, args?, cwd?, env?, clientName?, face?, output?}
 *                                                                  -> ToolAnswer {callId, tool, data?, text, error?}
 *   GET    /api/tools?face=NAME&toolsets=a,b                       -> {tools: [...]}, as tools/list shows them
 *   GET    /api/approvals                                          -> {tickets: [{id, state, createdAt, subject}]}
 *   POST   /api/approvals  {ticketId, approved}                    -> {ticket}
 *   GET    /api/trust                                              -> {trusted: [...]}
 *   POST   /api/trust      {root, trusted}                         -> {root, trusted}
 *   GET    /api/history?tool=&status=&text=&project=&limit=&format=json|csv  -> what `history()` returns
 *   DELETE /api/history?project=                                   -> what `clearHistory()` returns
 *
 * A failure is `{error: {code, message, hint?, data?}}` with status 400 (the caller's), 404 (unknown tool) or 500 (ours).
 * Closing the connection of `/api/call` cancels the call.
 */
export interface AdminActions {
  status(): unknown;
  stop(): void | Promise<void>;
  trustedRoots(): unknown;
  setTrust(root: string, trusted: boolean): void | Promise<void>;
  history(query: Readonly<Record<string, string>>): unknown;
  clearHistory(query: Readonly<Record<string, string>>): unknown;
}

const callBody = z.object({
  tool: z.string(),
  args: z.record(z.string(), z.unknown()).optional(),
  cwd: z.string().optional(),
  env: z.record(z.string(), z.string()).optional(),
  clientName: z.string().optional(),
  face: z.enum(faceNames).optional(),
  output: z.enum(outputForms).optional(),
});
const decisionBody = z.object({ ticketId: z.string(), approved: z.boolean() });
const trustBody = z.object({ root: z.string(), trusted: z.boolean() });

export function adminRoutes(backend: Backend, actions: AdminActions): Route[] {
  return [
    { method: 'GET', path: '/api/status', handle: json(async () => actions.status()) },
    { method: 'POST', path: '/api/stop', handle: stop(actions) },
    { method: 'POST', path: '/api/call', handle: json((exchange) => call(backend, exchange)) },
    { method: 'GET', path: '/api/tools', handle: json(async (exchange) => listTools(backend, exchange)) },
    {
      method: 'GET',
      path: '/api/approvals',
      handle: json(async () => ({ tickets: backend.approvals.list() })),
    },
    {
      method: 'POST',
      path: '/api/approvals',
      handle: json(async ({ body }) => {
        const { ticketId, approved } = decisionBody.parse(body);
        return { ticket: backend.approvals.decide(ticketId, approved, 'person') };
      }),
    },
    { method: 'GET', path: '/api/trust', handle: json(async () => ({ trusted: actions.trustedRoots() })) },
    {
      method: 'POST',
      path: '/api/trust',
      handle: json(async ({ body }) => {
        const { root, trusted } = trustBody.parse(body);
        await actions.setTrust(root, trusted);
        return { root, trusted };
      }),
    },
    {
      method: 'GET',
      path: '/api/history',
      handle: json(async ({ query }) => actions.history(Object.fromEntries(query))),
    },
    {
      method: 'DELETE',
      path: '/api/history',
      handle: json(async ({ query }) => actions.clearHistory(Object.fromEntries(query))),
    },
  ];
}

async function call(backend: Backend, { body, res }: HttpExchange): Promise<unknown> {
  const { tool, args, clientName, face, output, cwd, env } = callBody.parse(body);
  const client = backend.connect({
    name: clientName ?? 'command line',
    transport: 'cli',
    face: face ?? 'all',
    ...(output === undefined ? {} : { output }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(env === undefined ? {} : { env }),
  });
  const cancelled = new AbortController();
  res.once('close', () => cancelled.abort());
  try {
    return await backend.callTool({ tool, args: args ?? {}, client, signal: cancelled.signal });
  } finally {
    client.dispose();
  }
}

function listTools(backend: Backend, { query }: HttpExchange): unknown {
  const face = faceNames.find((name) => name === query.get('face')) ?? 'default';
  const asked = (query.get('toolsets') ?? '').split(',');
  const toolsets = toolsetNames.filter((name) => asked.includes(name));
  const client = backend.connect({ name: 'command line', transport: 'cli', face, toolsets });
  try {
    return { tools: backend.listTools(client) };
  } finally {
    client.dispose();
  }
}

function stop(actions: AdminActions): Route['handle'] {
  return ({ res }) => {
    // The answer must be out before the listener goes.
    res.once('finish', () => void actions.stop());
    writeJson(res, 200, { stopping: true });
  };
}

function json(produce: (exchange: HttpExchange) => Promise<unknown>): Route['handle'] {
  return async (exchange) => {
    try {
      writeJson(exchange.res, 200, await produce(exchange));
    } catch (error) {
      if (error instanceof z.ZodError)
        return writeJson(exchange.res, 400, { error: { code: 'invalid_arguments', message: z.prettifyError(error) } });
      if (error instanceof ToolError) {
        const { code, message, hint, data } = error;
        return writeJson(exchange.res, code === 'unknown_tool' ? 404 : 400, { error: { code, message, hint, data } });
      }
      writeJson(exchange.res, 500, { error: { code: 'internal_error', message: errorMessage(error) } });
    }
  };
}

function writeJson(res: HttpExchange['res'], status: number, value: unknown): void {
  if (res.destroyed) return;
  const text = JSON.stringify(value) ?? 'null';
  res.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  res.end(text);
}
