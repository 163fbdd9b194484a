import {
  CLIENT_CAPABILITIES_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  inputRequired,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { AsyncDisposer } from '../../base/disposable.ts';
import { ToolError, errorMessage } from '../../base/errors.ts';
import type { Backend } from '../backend.ts';
import type { Client, PersonsAnswer } from '../clients.ts';
import type { Resources } from '../resources.ts';
import type { CallRequest } from '../callRequest.ts';
import { askForRoots } from './clientRoots.ts';
import { instructionsFor } from './instructions.ts';
import { prompts } from './prompts.ts';
import { toolResult } from './toolResult.ts';

export interface FaceServerParts {
  backend: Backend;
  resources: Resources;
  version: string;
}

/** The name of the one question we embed in an `input_required` result. */
const approvalKey = 'approval';

/**
 * An MCP server that speaks for one client. Of the 2025 revisions there is one per connection; the 2026-07-28 revision has no
 * connections over HTTP, so there it lives for one request.
 */
export function createFaceServer(parts: FaceServerParts, client: Client, era: 'legacy' | 'modern'): Server {
  const server = new Server(
    { name: 'sightline', title: 'Sightline', version: parts.version },
    {
      capabilities: {
        tools: { listChanged: true },
        prompts: {},
        resources: { listChanged: true, subscribe: true },
        completions: {},
      },
      instructions: instructionsFor(parts.backend.listedNames(client)),
    },
  );
  serveTools(server, parts.backend, client, era);
  servePrompts(server);
  serveResources(server, parts.resources, client);
  return server;
}

function serveTools(server: Server, backend: Backend, client: Client, era: 'legacy' | 'modern'): void {
  server.setNotificationHandler('notifications/roots/list_changed', () => {
    client.roots = undefined;
  });
  server.setRequestHandler('tools/list', () => ({
    // Our schemas are JSON; the protocol's type is a recursive union that a plain interface cannot be shown to match.
    tools: backend.listTools(client) as never,
  }));
  server.setRequestHandler('tools/call', async (request, ctx) => {
    const envelope: Record<string, unknown> = { ...ctx.mcpReq.envelope };
    const capabilities = era === 'modern' ? envelope[CLIENT_CAPABILITIES_META_KEY] : server.getClientCapabilities();
    const call: CallRequest = {
      tool: request.params.name,
      args: request.params.arguments ?? {},
      client,
      signal: ctx.mcpReq.signal,
      onProgress: progressReporter(ctx),
      ...(canAskPerson(capabilities) ? askingBy(ctx, era) : {}),
    };
    const question = await askForRoots(server, ctx, client, capabilities, era);
    if (question !== undefined) return question;
    const beat = heartbeat(call);
    const telling = era === 'legacy' && client.transport === 'http' ? tellOnOwnStream(client, ctx) : undefined;
    try {
      const answer = await callTool(backend, call);
      if (answer.approval === undefined) return toolResult(answer, client.face, client.output);
      return inputRequired({
        inputRequests: { [approvalKey]: inputRequired.elicit(approvalForm(answer.approval.question)) },
        requestState: answer.approval.ticketId,
      });
    } finally {
      clearInterval(beat);
      await telling?.dispose();
    }
  });
}

/** A session of the 2025 revisions may have no stream but that of the call, or not yet: a list that the call changes is told there. */
function tellOnOwnStream(client: Client, ctx: ServerContext): AsyncDisposer {
  return client.toolListChanged.on(() => {
    ctx.mcpReq.notify({ method: 'notifications/tools/list_changed' }).catch(() => undefined);
  });
}

async function callTool(backend: Backend, call: CallRequest) {
  try {
    return await backend.callTool(call);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message, { name: error.code, hint: error.hint });
  }
}

/** A bare `elicitation: {}` means forms: that was the only kind when the capability was introduced. */
function canAskPerson(capabilities: unknown): boolean {
  const elicitation = isRecord(capabilities) ? capabilities['elicitation'] : undefined;
  return isRecord(elicitation) && ('form' in elicitation || !('url' in elicitation));
}

/** 2025: the question is a request to the client during the call. 2026: it is a result, and the client calls again. */
function askingBy(ctx: ServerContext, era: 'legacy' | 'modern'): Partial<CallRequest> {
  if (era === 'legacy') {
    // The question must travel on the stream of its own call: the other stream, if the client opens one at all, may come later.
    const related = { relatedRequestId: ctx.mcpReq.id };
    return {
      elicit: async (question, signal) =>
        personsAnswer(await ctx.mcpReq.elicitInput(approvalForm(question), { signal, ...related })),
    };
  }
  const ticketId = ctx.mcpReq.requestState();
  const response = ctx.mcpReq.inputResponses?.[approvalKey];
  const replied = typeof ticketId === 'string' && isRecord(response);
  return { asksByRetry: true, ...(replied ? { approvalReply: { ticketId, reply: personsAnswer(response) } } : {}) };
}

/** One thing that has to be filled in: clients that answer by a rule of their own, without asking anybody, leave it out. */
function approvalForm(question: string) {
  const approve = { type: 'boolean' as const, title: 'Allow it', description: 'Yes runs it once; no refuses it.' };
  const requestedSchema = { type: 'object' as const, properties: { approve }, required: ['approve'] };
  return { mode: 'form' as const, message: question, requestedSchema };
}

/** Nothing but the filled form is believed: `decline` and `cancel` also come from clients that ask nobody. */
function personsAnswer(response: unknown): PersonsAnswer {
  if (!isRecord(response) || response['action'] !== 'accept' || !isRecord(response['content'])) return 'unanswered';
  const { approve } = response['content'];
  if (typeof approve !== 'boolean') return 'unanswered';
  return approve ? 'approved' : 'refused';
}

function progressReporter(ctx: ServerContext): NonNullable<CallRequest['onProgress']> {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  let last = 0;
  return (message, fraction) => {
    // The protocol wants each number above the one before; without a fraction the number only counts the reports.
    const progress = fraction === undefined ? last + 0.001 : Math.max(fraction, last + 0.001);
    last = progress;
    const params = { progressToken, progress, ...(fraction === undefined ? {} : { total: 1 }), message };
    ctx.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}

/** Clients show that something still happens, and some wait longer for a call that says so. */
const heartbeatMs = 2000;

function heartbeat({ tool, onProgress }: CallRequest): NodeJS.Timeout {
  const startedAt = Date.now();
  const beat = setInterval(
    () => onProgress?.(`${tool}: ${Math.round((Date.now() - startedAt) / 1000)} s`, undefined),
    heartbeatMs,
  );
  return beat.unref();
}

function servePrompts(server: Server): void {
  server.setRequestHandler('prompts/list', () => ({
    prompts: prompts.map(({ name, title, description, arguments: args }) => ({
      name,
      title,
      description,
      arguments: args,
    })),
  }));
  server.setRequestHandler('prompts/get', (request) => {
    const { name, arguments: args = {} } = request.params;
    const prompt = prompts.find((candidate) => candidate.name === name);
    if (prompt === undefined)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `There is no prompt "${name}"; there are ${prompts.map((candidate) => candidate.name).join(', ')}.`,
      );
    const missing = prompt.arguments.find((argument) => argument.required && (args[argument.name] ?? '') === '');
    if (missing !== undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The prompt ${name} needs "${missing.name}".`);
    return {
      description: prompt.description,
      messages: [{ role: 'user', content: { type: 'text', text: prompt.render(args) } }],
    };
  });
}

function serveResources(server: Server, resources: Resources, client: Client): void {
  server.setRequestHandler('resources/list', async () => ({ resources: await resources.list(client) }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: resources.templates() }));
  server.setRequestHandler('resources/read', async (request, ctx) => {
    const { uri } = request.params;
    try {
      return { contents: await resources.read(uri, client, ctx.mcpReq.signal) };
    } catch (error) {
      if (error instanceof ToolError) throw new ResourceNotFoundError(uri, error.message);
      throw new ProtocolError(ProtocolErrorCode.InternalError, errorMessage(error));
    }
  });
  server.setRequestHandler('completion/complete', async (request) => {
    const { ref, argument } = request.params;
    const all =
      ref.type === 'ref/resource' ? await resources.complete(ref.uri, argument.name, argument.value, client) : [];
    const values = all.slice(0, 100);
    return { completion: { values, total: all.length, hasMore: all.length > values.length } };
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
