import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { errorMessage, isErrnoException } from '../../base/errors.ts';
import { randomId } from '../../base/ids.ts';
import { agentCommand } from '../agentCommand.ts';
import { UsageError, type Command, type CommandContext } from '../command.ts';
import type { AgentClient, ServerEntry } from '../install/agentClient.ts';
import { agentClients } from '../install/clients.ts';
import { withServer } from '../install/configText.ts';
import { lineDiff } from '../install/lineDiff.ts';

interface Change {
  client: AgentClient;
  before: string;
  after: string;
}

export const install: Command = {
  name: 'install',
  summary: 'put Sightline into the agents found on this machine',
  usage: `sightline install [CLIENT...] [--dry-run] [--remove] [--yes]

Adds Sightline to the configuration of the agents found here, or of those named: claude-code, claude-desktop, cursor, vscode,
windsurf, gemini, codex, opencode, qwen, copilot. Shows what it changes first, and asks when there is a terminal to ask on (--yes does not ask).
--remove takes it out again; --dry-run only shows.`,
  run: async (words, context) => {
    const { values, positionals } = parseArgs({
      args: words,
      allowPositionals: true,
      options: {
        'dry-run': { type: 'boolean', default: false },
        remove: { type: 'boolean', default: false },
        yes: { type: 'boolean', default: false },
      },
    });
    const clients = chosenClients(positionals, context);
    if (clients.length === 0) {
      context.out('No agent was found. Name one to configure it all the same: sightline install cursor');
      return 1;
    }
    const [command, ...args] = [...agentCommand(context.entry, context.env), 'stdio'];
    const { changes, failed } = planChanges(clients, values.remove ? undefined : { command, args }, context);
    if (changes.length === 0 || values['dry-run']) return failed ? 1 : 0;
    if (!values.yes && process.stdin.isTTY && !(await confirmed())) {
      context.out('Nothing was changed.');
      return 1;
    }
    for (const { client, after } of changes) replaceText(client.file, after);
    context.out(values.remove ? 'Removed. Restart the agents to let go of it.' : 'Done. Restart the agents to use it.');
    return failed ? 1 : 0;
  },
};

function chosenClients(names: readonly string[], { env }: CommandContext): AgentClient[] {
  const all = agentClients(env['HOME'] ?? homedir(), env, process.platform);
  if (names.length === 0) return all.filter((client) => client.signs.some((sign) => existsSync(sign)));
  return names.map((name) => {
    const client = all.find((candidate) => candidate.id === name);
    if (client === undefined) throw new UsageError(`${name}: there are ${all.map(({ id }) => id).join(', ')}.`);
    return client;
  });
}

/** Shows each change. A configuration that cannot be understood is left alone, and the others go on. */
function planChanges(
  clients: readonly AgentClient[],
  entry: ServerEntry | undefined,
  context: CommandContext,
): { changes: Change[]; failed: boolean } {
  const changes: Change[] = [];
  let failed = false;
  for (const client of clients) {
    try {
      const before = readText(client.file);
      const after = withServer(before, client.format, entry);
      if (before === after) context.out(`${client.title}: ${client.file} stays as it is.`);
      else {
        changes.push({ client, before, after });
        context.out(`${client.title}: ${client.file}\n${lineDiff(before, after)}`);
      }
    } catch (error) {
      failed = true;
      context.err(`${client.title}: ${client.file} was left alone: ${errorMessage(error)}.`);
    }
  }
  return { changes, failed };
}

async function confirmed(): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await lines.question('Write this? [y/N] ')).trim());
  } finally {
    lines.close();
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isErrnoException(error, 'ENOENT')) return '';
    throw error;
  }
}

/** Whole or not at all; a link stays a link, and the mode stays. */
function replaceText(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const real = existsSync(path) ? realpathSync(path) : path;
  const temporary = `${real}.${randomId('tmp')}`;
  try {
    writeFileSync(temporary, text, { mode: existsSync(real) ? statSync(real).mode & 0o777 : 0o600 });
    renameSync(temporary, real);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
