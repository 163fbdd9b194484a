import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { ToolError } from '../../base/errors.ts';
import type { AgentLaunch } from './agentProcess.ts';
import { knownAgents, type KnownAgent } from './known.ts';
import type { ListedAgent } from './model.ts';

/** An agent that the person has configured: `agents.custom` in the settings. */
export interface CustomAgent {
  title?: string | undefined;
  command: string;
  args?: readonly string[] | undefined;
  env?: Readonly<Record<string, string>> | undefined;
}

/** Which agents there are for this environment: the person's own ones first. */
export function listAgents(custom: Readonly<Record<string, CustomAgent>>, env: NodeJS.ProcessEnv): ListedAgent[] {
  const own = Object.entries(custom).map(([id, agent]): ListedAgent => {
    const found = onPath(agent.command, env);
    return { id, title: agent.title ?? id, isCustom: true, ...(found === undefined ? {} : { found }) };
  });
  const known = knownAgents
    .filter(({ id }) => !Object.hasOwn(custom, id))
    .map(({ id, title, program, packageSpec }): ListedAgent => {
      const found = onPath(program, env);
      return {
        id,
        title,
        ...(found === undefined ? {} : { found }),
        ...(packageSpec === undefined ? {} : { packageSpec }),
      };
    });
  return [...own, ...known];
}

interface WantedAgent {
  /** A name of the list; undefined takes the first that is on this machine. */
  name: string | undefined;
  /** Run it from the npm registry when it is not on this machine. */
  fromNpm: boolean;
}

/** How the wanted agent is started. */
export function launchOf(
  { name, fromNpm }: WantedAgent,
  custom: Readonly<Record<string, CustomAgent>>,
  env: NodeJS.ProcessEnv,
  cwd: string,
): AgentLaunch & { id: string } {
  const listed = listAgents(custom, env);
  const id = name ?? listed.find(({ found }) => found !== undefined)?.id;
  const own = id === undefined || !Object.hasOwn(custom, id) ? undefined : custom[id];
  if (id !== undefined && own !== undefined)
    return { id, title: own.title ?? id, command: own.command, args: own.args ?? [], env: own.env ?? {}, cwd };
  const known = knownAgents.find((agent) => agent.id === id);
  if (known === undefined || id === undefined) throw unknown(id, listed);
  const found = onPath(known.program, env);
  const { title, args, packageSpec, serverArgument } = known;
  const rest = { id, title, env: {}, cwd, ...(serverArgument === undefined ? {} : { serverArgument }) };
  if (found !== undefined) return { ...rest, command: found, args };
  if (fromNpm && packageSpec !== undefined) return { ...rest, ...npmCommand(known, packageSpec) };
  throw new ToolError('engine_missing', `${title} is not on this machine (no ${known.program} on PATH).`, {
    hint:
      packageSpec === undefined
        ? `Install it, or name its command in the setting agents.custom.`
        : `npm install -g ${packageSpec} installs it; sightline agent ${id} --npm runs it from the registry.`,
  });
}

function npmCommand({ program, args }: KnownAgent, packageSpec: string): Pick<AgentLaunch, 'command' | 'args'> {
  return { command: 'npx', args: ['--yes', `--package=${packageSpec}`, '--', program, ...args] };
}

function unknown(id: string | undefined, listed: readonly ListedAgent[]): ToolError {
  const names = listed.map((agent) => agent.id).join(', ');
  return id === undefined
    ? new ToolError('engine_missing', 'No agent that Sightline knows is on this machine.', {
        hint: `Known: ${names}. sightline agent NAME --npm runs one from the npm registry.`,
      })
    : new ToolError('invalid_arguments', `There is no agent ${id}.`, {
        hint: `There are: ${names}. Others are named in the setting agents.custom.`,
      });
}

function onPath(program: string, env: NodeJS.ProcessEnv): string | undefined {
  const folders = isAbsolute(program) ? [''] : (env['PATH'] ?? '').split(delimiter).filter(isAbsolute);
  return folders.map((folder) => (folder === '' ? program : join(folder, program))).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
