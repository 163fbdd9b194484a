import { z } from 'zod';
import { delay, untilCancelled } from '../../base/cancellation.ts';
import { ToolError } from '../../base/errors.ts';
import { displayPath } from '../../base/paths.ts';
import type { DebugEngine } from '../../engine/debugger/debugEngine.ts';
import type { Session } from '../../engine/debugger/session/session.ts';
import { isExecutableConfig } from '../../engine/workspace/executableConfig.ts';
import { basic, type HttpAnswer } from '../../engine/workspace/http/httpClient.ts';
import type { PendingRequest } from '../../engine/workspace/http/httpRequests.ts';
import { requestBody } from '../../engine/workspace/http/requestBody.ts';
import type { Project } from '../../engine/workspace/project.ts';
import { originOf } from '../changeSchema.ts';
import { settleAndReport } from '../debugger/shapes/runControl.ts';
import { defineTool, type ToolCall } from '../defineTool.ts';
import type { Engines } from '../engines.ts';
import { answered, httpObject, renderHttp, type HttpData } from './httpShapes.ts';

const defaultWaitMs = 30_000;
const maxShownBytes = 4 * 1024 * 1024;
const maxSavedBytes = 32 * 1024 * 1024;
/** A program that pauses may have answered already. */
const graceMs = 300;

const input = z.object({
  url: z.string().optional(),
  method: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  body: z.unknown().optional(),
  form: z.record(z.string(), z.string()).optional(),
  files: z.array(z.object({ name: z.string(), path: z.string() })).optional(),
  authorization: z.string().optional(),
  follow: z.boolean().optional(),
  save_to: z.string().optional(),
  request_id: z.string().optional(),
  wait_ms: z.int().optional(),
});

export const httpRequest = defineTool({
  name: 'http_request',
  title: 'HTTP request',
  description:
    'Sends a request to a server on this machine (others by setting). A body that is no string is sent as JSON. If a debugged program pauses instead of answering, returns its stop; request_id then waits on.',
  faces: ['workspace'],
  toolset: 'run',
  effect: 'execute',
  requires: ['trustedProject'],
  paths: { 'files[].path': 'file', save_to: 'new' },
  input,
  output: httpObject,
  run: async (engines, args, call) => {
    const request =
      args.request_id === undefined
        ? await beginRequest(engines, args, call)
        : engines.http.get(call.project, args.request_id);
    const waitMs = Math.min(args.wait_ms ?? defaultWaitMs, call.patienceMs);
    let outcome: HttpAnswer | Session | undefined;
    try {
      outcome = await untilCancelled(firstOf(engines.debugger, call.project, request, waitMs), call.signal);
    } catch (error) {
      request.abort();
      throw error;
    }
    if (outcome !== undefined && 'status' in outcome) {
      engines.http.forget(request);
      return save(engines, call, request, outcome);
    }
    engines.http.keep(request);
    const pending = { state: 'pending' as const, requestId: request.id, url: request.url };
    return outcome === undefined ? pending : { ...pending, paused: await settleAndReport(outcome, 0, call) };
  },
  render: renderHttp,
});

export async function beginRequest(
  engines: Engines,
  args: z.output<typeof input>,
  call: ToolCall,
): Promise<PendingRequest> {
  const { url, save_to: saveTo, authorization } = args;
  if (url === undefined) throw new ToolError('invalid_arguments', 'url is missing.');
  if (saveTo !== undefined && isExecutableConfig(saveTo, call.project.root))
    throw new ToolError('policy_denied', `${saveTo} is executed by other programs; an answer is not saved there.`);
  const body = await requestBody(args);
  return engines.http.start(
    {
      project: call.project,
      url,
      method: (args.method ?? (body === undefined ? 'GET' : 'POST')).toUpperCase(),
      headers: {
        ...args.headers,
        ...(authorization === undefined ? {} : { authorization: authorizationHeader(authorization) }),
      },
      body,
      follow: args.follow ?? true,
      maxBodyBytes: saveTo === undefined ? maxShownBytes : maxSavedBytes,
      hosts: engines.settings.person['http.hosts'],
    },
    saveTo,
  );
}

function authorizationHeader(text: string): string {
  return /^[\w-]+ /.test(text) || !text.includes(':') ? text : basic(text);
}

/** The answer; or the session of the project that stands still instead; or nothing within the wait. */
async function firstOf(
  sessions: DebugEngine,
  project: Project,
  request: PendingRequest,
  waitMs: number,
): Promise<HttpAnswer | Session | undefined> {
  const over = new AbortController();
  const paused = new Promise<Session>((resolve) => {
    const tell = (session: Session) => {
      if (session.project.root !== project.root || session.state !== 'paused') return;
      delay(graceMs, over.signal).then(
        () => resolve(session),
        () => undefined,
      );
    };
    const subscription = sessions.changes.on(tell);
    over.signal.addEventListener('abort', () => void subscription.dispose(), { once: true });
    sessions.sessions(project).forEach(tell);
  });
  try {
    const late = delay(waitMs, over.signal).then(
      () => undefined,
      () => undefined,
    );
    return await Promise.race([request.answer, paused, late]);
  } finally {
    over.abort();
  }
}

async function save(
  engines: Engines,
  call: ToolCall,
  { saveTo }: PendingRequest,
  answer: HttpAnswer,
): Promise<HttpData> {
  const isSaved = saveTo !== undefined && answer.status >= 200 && answer.status < 300 && !answer.body.isCut;
  const data = answered(answer, isSaved, call.budget.maxChars);
  if (!isSaved) {
    if (saveTo !== undefined)
      call.note(answer.body.isCut ? 'Not saved: it is too large' : 'Not saved: the request failed');
    return data;
  }
  call.affects(saveTo);
  const path = displayPath(call.project.root, saveTo);
  const origin = originOf(call, 'http_request', `saved ${path}`);
  const operation = { kind: 'write', path: saveTo, content: answer.body.bytes } as const;
  const { historyId } = await engines.edits.apply(call.project, [operation], origin);
  return { ...data, saved: { path, ...(historyId === undefined ? {} : { historyId }) } };
}
