import { z } from 'zod';
import { advise, step } from '../../base/text/advice.ts';
import { delay } from '../../base/cancellation.ts';
import { BugError, ToolError } from '../../base/errors.ts';
import { clip } from '../../base/text/textBudget.ts';
import type { HttpAnswer } from '../../engine/workspace/http/httpClient.ts';
import { shellCommand } from '../../engine/workspace/jobs/shell.ts';
import { typeAndWait } from '../../engine/workspace/terminals/waiting.ts';
import type { ToolCall } from '../defineTool.ts';
import type { Engines } from '../engines.ts';
import { recordedJobs } from '../recordedPrograms.ts';
import { beginRequest } from '../terminals/httpRequest.ts';
import { answered, renderHttp } from '../terminals/httpShapes.ts';
import { commandView, renderTerminal } from '../terminals/terminalShapes.ts';
import { refuseAtPassword } from '../terminals/writeTerminalInput.ts';
import { jobSummary, renderJob } from '../workspace/jobShapes.ts';

export const triggerShape = {
  http_request: z
    .object({
      url: z.string(),
      method: z.string().optional(),
      headers: z.record(z.string(), z.string()).optional(),
      body: z.unknown().optional(),
    })
    .optional(),
  command: z.string().optional(),
  input: z.string().optional(),
  terminal_id: z.string().optional(),
};

type TriggerArguments = z.output<z.ZodObject<typeof triggerShape>> & { session_id?: string | undefined };

/** Something under way that may stop a debugged program. */
interface Trigger {
  /** When nothing more is to be expected of it; never, for what has no end of its own. */
  done: Promise<void>;
  /** What came of it so far, in words. */
  result(): Promise<string>;
  /** Ends it: nobody waits for it any more. */
  giveUp(): Promise<void>;
}

/** An answer may be on its way when the program stops. */
const graceMs = 300;

export function triggerOf(args: TriggerArguments): (engines: Engines, call: ToolCall) => Promise<Trigger> {
  const { http_request: request, command, input, terminal_id: terminalId, session_id: sessionId } = args;
  const wanted = [request, command, input].filter((each) => each !== undefined);
  if (wanted.length !== 1)
    throw new ToolError('invalid_arguments', 'Exactly one of http_request, command and input is sent.', {
      hint: advise`${step('httpRequest')}: {"url": "http://localhost:3000/items"}, command: "curl localhost:3000", or input: "yes\\n".`,
    });
  if (terminalId !== undefined && input === undefined)
    throw new ToolError('invalid_arguments', 'terminal_id says where input is typed; there is no input.');
  return async (engines, call) => {
    if (request !== undefined) return sendRequest(engines, request, call);
    if (command !== undefined) return startCommand(engines, command, call);
    if (terminalId !== undefined) return typeInto(engines, terminalId, input ?? '', call);
    await engines.debugger.session(call.project, sessionId).sendInput(input ?? '');
    return {
      done: new Promise<void>(() => undefined),
      result: async () => `Sent to its standard input: ${JSON.stringify(clip(input ?? '', 200))}`,
      giveUp: async () => undefined,
    };
  };
}

async function sendRequest(
  engines: Engines,
  request: NonNullable<TriggerArguments['http_request']>,
  call: ToolCall,
): Promise<Trigger> {
  const pending = await beginRequest(engines, request, call);
  let answer: HttpAnswer | undefined;
  let failure: string | undefined;
  const done = pending.answer.then(
    (came) => {
      answer = came;
    },
    (error: unknown) => {
      // A program that dies of the request leaves it without an answer; its end is the other result.
      if (!(error instanceof ToolError) || error.code !== 'command_failed') throw error;
      failure = error.message;
    },
  );
  return {
    done,
    result: async () => {
      await Promise.race([done, delay(graceMs, call.signal)]);
      if (answer !== undefined) return renderHttp(answered(answer, false, Math.floor(call.budget.maxChars / 2)));
      if (failure !== undefined) return `No answer: ${failure}`;
      engines.http.keep(pending);
      return renderHttp({ state: 'pending', requestId: pending.id, url: pending.url });
    },
    giveUp: async () => pending.abort(),
  };
}

async function startCommand(engines: Engines, command: string, call: ToolCall): Promise<Trigger> {
  const { project, client } = call;
  const name = clip(command.replaceAll(/\s+/g, ' '), 60);
  const [job] = await recordedJobs(
    engines,
    call,
    `ran ${clip(command, 80)}`,
    async () => [
      await engines.jobs.start({
        project,
        clientId: client.id,
        name,
        command: shellCommand(command, project.env),
        isNamedByCommand: true,
        cwd: project.root,
      }),
    ],
    'debug_trigger',
  );
  if (job === undefined) throw new BugError('a command started nothing');
  const done = job.ended.then(() => undefined);
  return {
    done,
    result: async () => {
      await Promise.race([done, delay(graceMs, call.signal)]);
      const text = renderJob(jobSummary(job, Math.floor(call.budget.maxChars / 2)));
      return job.exit === undefined ? `${text}\nwait_job {"job_id": "${job.id}"} waits for its end.` : text;
    },
    giveUp: async () => {
      await job.stop();
    },
  };
}

async function typeInto(engines: Engines, terminalId: string, text: string, call: ToolCall): Promise<Trigger> {
  const terminal = engines.terminals.find(call.project, terminalId);
  await refuseAtPassword(terminal);
  const typed = await typeAndWait(terminal, text.replaceAll('\n', '\r'), 0, call.signal);
  return {
    done: new Promise<void>(() => undefined),
    result: async () => renderTerminal(await commandView(terminal, typed.outcome, call, undefined)),
    giveUp: async () => undefined,
  };
}
