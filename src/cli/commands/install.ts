import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { errorMessage } from '../../base/errors.ts';
import { applyPlan, listAgents, planInstall } from '../../engine/install/installer.ts';
import type { AgentState, InstallPlace, InstallPlan, InstallRequest, Scope } from '../../engine/install/model.ts';
import { installLinks } from '../../engine/install/links.ts';
import { changeRuleFile, ruleText } from '../../engine/install/rule.ts';
import { askPerson } from '../askPerson.ts';
import { UsageError, type Command, type CommandContext } from '../command.ts';
import { ExtensionInstall } from '../installExtension.ts';
import { installPlace } from '../installPlace.ts';
import { lastingAddress } from '../lastingAddress.ts';

const options = {
  list: { type: 'boolean', default: false },
  project: { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
  remove: { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
  http: { type: 'boolean', default: false },
  links: { type: 'boolean', default: false },
  rule: { type: 'boolean', default: false },
} as const;

export const install: Command = {
  name: 'install',
  summary: 'put Sightline into the agents found on this machine',
  usage: `sightline install [AGENT...] [--project] [--http] [--dry-run] [--remove] [--yes]
sightline install --list [--project]
sightline install --links
sightline install --rule [FILE...] [--remove]

Adds Sightline to the configuration of the agents found here, or of those named: claude-code, claude-desktop, cursor, vscode, windsurf,
codex, gemini, qwen, zed, junie, copilot, opencode, cline. Shows what it changes first, asks when there is a terminal to ask on (--yes does
not ask), keeps the original, and tries the new entry. --project writes the file of this directory's project instead of the user's.
VS Code, Cursor, Windsurf and code-server are given an extension too, where their commands are found (code, cursor, windsurf, code-server).
--remove takes it out again; --dry-run only shows; --list tells for each agent whether Sightline is in it.
--http writes an address and a token instead of a command; it needs a fixed server.port in the settings.
--links prints links that add Sightline to Cursor and VS Code. --rule prints a text that tells an agent when to use which tool, or puts it
into files as a marked block: CLAUDE.md, AGENTS.md, .cursor/rules/sightline.mdc, .claude/skills/sightline/SKILL.md.`,
  run: async (words, context) => {
    const { values, positionals } = parseArgs({ args: words, allowPositionals: true, options });
    const place = installPlace(context);
    if (values.links) return links(place, context);
    if (values.rule) return rule(positionals, values.remove, context);
    const scope: Scope = values.project ? 'project' : 'user';
    const agents = listAgents(place, scope);
    if (values.list) return list(agents, context);
    const chosen = chosenAgents(positionals, agents);
    if (chosen.length === 0) {
      context.out('No agent was found. Name one to configure it all the same: sightline install cursor');
      return 1;
    }
    const action = values.remove ? 'remove' : 'install';
    const http = values.http && !values.remove ? { http: await lastingAddress(context) } : {};
    const { plans, failed } = planAll(
      chosen.map(({ id }) => ({ id, action, scope, ...http })),
      place,
      context,
    );
    const changes = plans.filter(({ before, after }) => before !== after);
    const extension = new ExtensionInstall(
      plans.map(({ id }) => id),
      { action, scope },
      place,
    );
    extension.show(context);
    if ((changes.length === 0 && !extension.isNeeded) || values['dry-run']) return failed ? 1 : 0;
    if (!values.yes && process.stdin.isTTY && !/^y(es)?$/.test((await askPerson('Write this? [y/N] ')) ?? '')) {
      context.out('Nothing was changed.');
      return 1;
    }
    const done = await applyAll(changes, place, context);
    const extended = await extension.run(context);
    return failed || !done || !extended ? 1 : 0;
  },
};

function links(place: InstallPlace, context: CommandContext): number {
  for (const { title, link } of installLinks(place)) context.out(`${title}: ${link}`);
  return 0;
}

function rule(files: readonly string[], isRemoval: boolean, context: CommandContext): number {
  if (files.length === 0) {
    if (isRemoval) throw new UsageError('Name the files to take the rule out of.');
    context.out(ruleText.trimEnd());
  }
  for (const file of files) {
    const isChanged = changeRuleFile(resolve(context.cwd, file), isRemoval);
    context.out(
      isChanged ? `${file}: ${isRemoval ? 'the rule is out' : 'the rule is in'}.` : `${file} stays as it is.`,
    );
  }
  return 0;
}

function list(agents: readonly AgentState[], context: CommandContext): number {
  const rows = agents.map(({ id, isFound, state, why, file }) => [
    id,
    isFound ? state : `${state === 'not installed' ? 'agent not found' : state}`,
    why === undefined ? file : `${file}: ${why}`,
  ]);
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows)
    context.out(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  return 0;
}

function chosenAgents(names: readonly string[], agents: readonly AgentState[]): AgentState[] {
  if (names.length === 0) return agents.filter(({ isFound }) => isFound);
  return names.map((name) => {
    const agent = agents.find(({ id }) => id === name);
    if (agent === undefined) throw new UsageError(`${name}: there are ${agents.map(({ id }) => id).join(', ')}.`);
    return agent;
  });
}

/** Shows each change. A configuration that cannot be understood is left alone, and the others go on. */
function planAll(
  requests: readonly InstallRequest[],
  place: InstallPlace,
  context: CommandContext,
): { plans: InstallPlan[]; failed: boolean } {
  const plans: InstallPlan[] = [];
  let failed = false;
  for (const request of requests) {
    try {
      const plan = planInstall(request, place);
      plans.push(plan);
      if (plan.before === plan.after) context.out(`${plan.title}: ${plan.file} stays as it is.`);
      else {
        const own = plan.own === undefined ? '' : `\nby its own command: ${plan.own.join(' ')}`;
        context.out(`${plan.title}: ${plan.file}${own}\n${plan.diff.split('\n').slice(2).join('\n').trimEnd()}`);
      }
    } catch (error) {
      failed = true;
      context.err(errorMessage(error));
    }
  }
  return { plans, failed };
}

async function applyAll(plans: readonly InstallPlan[], place: InstallPlace, context: CommandContext): Promise<boolean> {
  let isDone = true;
  for (const plan of plans) {
    try {
      const { backup, handshake, ownCommandFailed } = await applyPlan(plan, place);
      if (ownCommandFailed !== undefined) context.err(`${plan.title}: the file was edited, since ${ownCommandFailed}.`);
      const kept = backup === undefined ? '' : ` The file as it was: ${backup}`;
      if (handshake === undefined) context.out(`${plan.title}: removed. Restart it to let go of Sightline.`);
      else if (handshake.works)
        context.out(
          `${plan.title}: done. Tried: Sightline ${handshake.version} answers with ${handshake.tools} tools in ${handshake.ms} ms. Restart the agent.${kept}`,
        );
      else {
        isDone = false;
        context.err(`${plan.title}: written, but it does not work: ${handshake.problem}.${kept}`);
      }
    } catch (error) {
      isDone = false;
      context.err(`${plan.title}: ${errorMessage(error)}`);
    }
  }
  return isDone;
}
