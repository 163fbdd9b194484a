import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { errorMessage } from '../../base/errors.ts';
import { escapeInvisible } from '../../base/text/textBudget.ts';
import { permissionModes } from '../../engine/agents/model.ts';
import type { AgentRequests } from '../../server/agents/agentRequests.ts';
import type { ControlClient } from '../../server/daemon/controlClient.ts';
import { Conversation, askDesk, exitCodes } from '../agent/conversation.ts';
import { jsonOutput, textOutput } from '../agent/output.ts';
import { UsageError, type Command, type CommandContext } from '../command.ts';
import { joinShared } from '../sharedClient.ts';

type Flags = ReturnType<typeof parse>['values'];

export const agent: Command = {
  name: 'agent',
  summary: 'talk to a coding agent that has the tools of Sightline',
  usage: `sightline agent                        the agents on this machine, and the threads there are
sightline agent [NAME] PROMPT          one turn; "-" reads the prompt from stdin
sightline agent NAME                   a conversation at the terminal

NAME is claude, codex, gemini, opencode, qwen, copilot, ... or one of the setting agents.custom; it is started over ACP in the project of the
current directory, with Sightline's own server. What it says goes to stdout, what it does to stderr.

  --json                events as lines of JSON
  --permissions MODE    who answers its requests: policy (default here; what asks waits for sightline approve), ask, allow, deny
  --set OPTION=VALUE    mode, model or another option of the agent; may be repeated
  --resume THREAD       go on with a thread of earlier
  --session ID          go on with a session of the agent
  --npm                 run it from the npm registry when it is not installed
  --project DIR         another project
  --sign-in METHOD      sign in, as the agent offers it
  --options             print options, commands and sessions of the agent, and leave
  --log THREAD          print the protocol log of a running thread
  --close THREAD        end a running thread

Exit code: 0 done, 1 failed, 3 stopped short (limit, refusal), 4 sign in first, 130 cancelled. The agent ends with this command.`,
  run: async (words, context) => {
    const { values, positionals } = parse(words);
    const control = await joinShared(context);
    try {
      if (values.log !== undefined) return await printLog(control, values.log, context);
      if (values.close !== undefined) {
        await askDesk(control, 'close', { id: values.close });
        return 0;
      }
      const { agents } = await askDesk(control, 'list', {});
      const isNamed = agents.some(({ id }) => id === positionals[0]);
      const [name, ...rest] = isNamed ? positionals : [undefined, ...positionals];
      if (name === undefined && rest.length === 0 && values.resume === undefined)
        return await printList(control, context);
      if (rest.length > 1) throw new UsageError(`The prompt is one argument; is ${rest[0] ?? ''} an agent?`);
      return await converse(control, name, rest[0], values, context);
    } finally {
      control.dispose();
    }
  },
};

function parse(words: string[]) {
  return parseArgs({
    args: words,
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      permissions: { type: 'string' },
      set: { type: 'string', multiple: true, default: [] },
      resume: { type: 'string' },
      session: { type: 'string' },
      npm: { type: 'boolean', default: false },
      project: { type: 'string' },
      'sign-in': { type: 'string' },
      options: { type: 'boolean', default: false },
      log: { type: 'string' },
      close: { type: 'string' },
    },
  });
}

async function converse(
  control: ControlClient,
  name: string | undefined,
  prompt: string | undefined,
  flags: Flags,
  context: CommandContext,
): Promise<number> {
  const streams = {
    out: (text: string) => void process.stdout.write(text),
    err: (text: string) => void process.stderr.write(text),
  };
  const output = flags.json ? jsonOutput(streams) : textOutput(streams);
  const { id } = await askDesk(control, 'start', startOf(name, flags, context));
  const conversation = new Conversation(control, id, output, streams.err);
  const stop = new Interrupt(() => void conversation.cancel().catch(() => undefined));
  try {
    if (flags['sign-in'] !== undefined) return await signIn(control, conversation, flags['sign-in'], context);
    await conversation.ready();
    for (const setting of flags.set) await setOption(control, conversation, setting);
    if (flags.options) return await printOptions(control, conversation, context);
    const words = prompt === '-' ? readFileSync(0, 'utf8') : prompt;
    if (words !== undefined) return await conversation.turn(words);
    if (!process.stdin.isTTY) throw new UsageError('a conversation needs a terminal; give a prompt.');
    return await atTerminal(conversation, streams.err);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    context.err(`sightline: ${escapeInvisible(errorMessage(error))}`);
    if (error instanceof Error && 'hint' in error && typeof error.hint === 'string') context.err(error.hint);
    return error instanceof Error && 'code' in error && error.code === 'permission_denied'
      ? exitCodes.signedOut
      : exitCodes.failed;
  } finally {
    stop.dispose();
    await askDesk(control, 'close', { id }).catch(() => undefined);
  }
}

function startOf(name: string | undefined, flags: Flags, context: CommandContext): AgentRequests['start']['params'] {
  const permissions = permissionModes.find((mode) => mode === (flags.permissions ?? 'policy'));
  if (permissions === undefined) throw new UsageError(`--permissions is ${permissionModes.join(', ')}.`);
  return {
    isTemporary: true,
    permissions,
    fromNpm: flags.npm,
    ...(name === undefined ? {} : { agent: name }),
    ...(flags.project === undefined ? {} : { cwd: resolve(context.cwd, flags.project) }),
    ...(flags.resume === undefined ? {} : { threadId: flags.resume }),
    ...(flags.session === undefined ? {} : { sessionId: flags.session }),
  };
}

/** The first Ctrl-C stops the turn, the second one this command. */
class Interrupt {
  readonly #onSignal: () => void;

  constructor(cancel: () => void) {
    let isSecond = false;
    this.#onSignal = () => {
      if (isSecond) process.exit(exitCodes.cancelled);
      isSecond = true;
      cancel();
    };
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, this.#onSignal);
  }

  dispose(): void {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, this.#onSignal);
  }
}

async function atTerminal(conversation: Conversation, err: (text: string) => void): Promise<number> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  let code: number = exitCodes.done;
  err('An empty line or Ctrl-D ends the conversation.\n');
  try {
    const closed = new Promise<string>((done) => lines.once('close', () => done('')));
    for (;;) {
      const words = (await Promise.race([lines.question('> '), closed])).trim();
      if (words === '') return code;
      // Questions of the agent read from the same terminal.
      lines.pause();
      code = await conversation.turn(words);
      lines.resume();
    }
  } finally {
    lines.close();
  }
}

async function setOption(control: ControlClient, { id }: Conversation, setting: string): Promise<void> {
  const [option = '', ...rest] = setting.split('=');
  const value = rest.join('=');
  if (value === '') throw new UsageError(`--set takes OPTION=VALUE, not ${setting}.`);
  const { thread } = await askDesk(control, 'read', { id });
  const isSwitch = thread?.options.find((each) => each.id === option)?.type === 'boolean';
  await askDesk(control, 'setOption', { id, option, value: isSwitch ? value === 'true' : value });
}

async function signIn(
  control: ControlClient,
  conversation: Conversation,
  methodId: string,
  context: CommandContext,
): Promise<number> {
  const before = await conversation.until(({ state }) => state !== 'starting');
  if (before.state === 'dead') throw new Error(before.problem ?? 'The agent did not start.');
  await askDesk(control, 'signIn', { id: conversation.id, methodId });
  let told: string | undefined;
  const after = await conversation.until(({ state, terminalId }) => {
    if (terminalId !== undefined && terminalId !== told) context.err(`Sign in there: sightline terminal ${terminalId}`);
    told = terminalId ?? told;
    return terminalId === undefined && state !== 'starting' && (state !== 'signed_out' || told !== undefined);
  });
  context.out(after.state === 'idle' ? 'Signed in.' : (after.problem ?? after.state));
  return after.state === 'idle' ? exitCodes.done : exitCodes.signedOut;
}

async function printOptions(control: ControlClient, { id }: Conversation, context: CommandContext): Promise<number> {
  const { thread } = await askDesk(control, 'read', { id });
  if (thread === undefined) return exitCodes.failed;
  const sessions = thread.can.list ? (await askDesk(control, 'sessions', { id })).sessions : [];
  const lines = [
    ...thread.options.map(
      ({ id: option, value, choices }) =>
        `--set ${option}=${String(value)}${choices.length === 0 ? '' : `  (${choices.map((choice) => choice.value).join(', ')})`}`,
    ),
    ...thread.commands.map(({ name, description }) => `/${name}  ${description}`),
    ...sessions.map(({ sessionId, title }) => `--session ${sessionId}  ${title ?? ''}`),
  ];
  context.out(
    lines.length === 0
      ? `${thread.agentTitle} has no options, commands or sessions.`
      : escapeInvisible(lines.join('\n')),
  );
  return exitCodes.done;
}

async function printList(control: ControlClient, context: CommandContext): Promise<number> {
  const { agents, threads, past } = await askDesk(control, 'list', {});
  const lines = [
    ...agents
      .filter(({ found, packageSpec }) => found !== undefined || packageSpec !== undefined)
      .map(
        ({ id, title, found, packageSpec }) =>
          `${id.padEnd(10)} ${title.padEnd(14)} ${found ?? `not installed (npm: ${packageSpec ?? ''})`}`,
      ),
    ...threads.map(
      ({ id, state, agentTitle, project, title }) => `${id}  ${state}  ${agentTitle} in ${project}: ${title}`,
    ),
    ...past.slice(0, 20).map(({ id, agent: of, project, title }) => `${id}  ended  ${of} in ${project}: ${title}`),
  ];
  context.out(escapeInvisible(lines.join('\n')));
  return exitCodes.done;
}

async function printLog(control: ControlClient, id: string, context: CommandContext): Promise<number> {
  const { messages } = await askDesk(control, 'log', { id });
  for (const message of messages) context.out(JSON.stringify(message));
  return exitCodes.done;
}
