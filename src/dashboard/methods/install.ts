import { basename } from 'node:path';
import { z } from 'zod';
import { ToolError } from '../../base/errors.ts';
import { extensionCommandsOf, runExtensionCommand } from '../../engine/install/extension.ts';
import { applyPlan, listAgents, planInstall } from '../../engine/install/installer.ts';
import { installLinks } from '../../engine/install/links.ts';
import type { InstallPlace, InstallResult } from '../../engine/install/model.ts';
import { ruleText } from '../../engine/install/rule.ts';
import type { InstallTarget, InstallView } from '../channel.ts';
import type { MethodContext } from '../dashboard.ts';
import { method, type AnyMethod } from '../method.ts';

const target = z.object({ agent: z.string(), action: z.enum(['install', 'remove']) });

/** Sightline in the agents of this machine. Nothing is written that a person has not seen as a difference. */
export function installMethods({ parts }: MethodContext): AnyMethod[] {
  const place = parts.installPlace;
  return [
    method('install.list', z.object({}), () => view(place)),
    method('install.plan', target, (wanted) => {
      const { file, diff, own, fingerprint } = planOf(wanted, place);
      const extension = extensionsOf(wanted, place).map((command) => command.join(' '));
      return { file, diff, fingerprint, own: own?.join(' '), extension };
    }),
    method('install.apply', target.extend({ fingerprint: z.string() }), async ({ fingerprint, ...wanted }) => {
      const plan = planOf(wanted, place);
      if (plan.fingerprint !== fingerprint)
        throw new ToolError('file_changed', `${plan.file} was changed since the difference was shown.`, {
          hint: 'Look at the new difference.',
        });
      const result = plan.before === plan.after ? undefined : await applyPlan(plan, place);
      const extension = await changeExtensions(wanted, place);
      const texts = [...(result === undefined ? [] : [outcomeText(plan.title, result)]), ...extension.texts];
      return {
        message: texts.join(' '),
        works: result?.handshake?.works !== false && extension.isDone,
        view: view(place),
      };
    }),
  ];
}

function planOf({ agent, action }: InstallTarget, place: InstallPlace) {
  return planInstall({ id: agent, action, scope: 'user' }, place);
}

function extensionsOf({ agent, action }: InstallTarget, place: InstallPlace): string[][] {
  return extensionCommandsOf({ id: agent, action, scope: 'user' }, place);
}

async function changeExtensions(
  target: InstallTarget,
  place: InstallPlace,
): Promise<{ texts: string[]; isDone: boolean }> {
  const texts: string[] = [];
  let isDone = true;
  for (const command of extensionsOf(target, place)) {
    const problem = await runExtensionCommand(command, place);
    const name = basename(command[0] ?? '');
    const done = target.action === 'install' ? 'is in. Reload its windows.' : 'is out.';
    texts.push(`${name}: the extension ${problem === undefined ? done : `was left as it was: ${problem}`}`);
    isDone &&= problem === undefined;
  }
  return { texts, isDone };
}

function outcomeText(title: string, { handshake }: InstallResult): string {
  if (handshake === undefined) return `${title}: removed. Restart it to let go of Sightline.`;
  return handshake.works
    ? `${title}: done and tried, ${handshake.tools} tools. Restart the agent.`
    : `${title}: written, but it does not work: ${handshake.problem}`;
}

function view(place: InstallPlace): InstallView {
  const [command, ...args] = [...place.command, 'stdio'];
  return {
    agents: listAgents(place).map(({ id, title, state, isFound, file, why }) => ({
      id,
      title,
      state,
      present: isFound,
      file,
      why,
      editors: extensionsOf({ agent: id, action: 'install' }, place).map(([program = '']) => basename(program)),
    })),
    rule: ruleText,
    configuration: JSON.stringify({ mcpServers: { sightline: { command, args } } }, null, 2),
    links: installLinks(place),
  };
}
