import { join } from 'node:path';
import type { Question, ThreadItem, ThreadView } from '../../../src/engine/agents/model.ts';
import { mustBeRunning } from '../../../src/cli/sharedClient.ts';
import { eventually } from '../../support/program.ts';
import type { ClientHome } from '../clientHome.ts';
import { ScriptedModel, type ScriptedTurn } from '../model/scriptedModel.ts';
import { asOffered, endlessCall, lookUpTurns, type Call } from '../script.ts';
import { putOnPath, type HostedClient } from './hostedClient.ts';
import { HostedThread } from './hostedThread.ts';

const probe: Call = { step: 'probe', tool: 'debug_probe', args: { program: 'fail.js' } };

/** What came of one real client that was hosted from its start to its end. */
export interface Performance {
  /** Once it could be talked to, and at its end. */
  ready: ThreadView;
  view: ThreadView;
  asked: readonly Question[];
  items: readonly ThreadItem[];
  /** What its model got for the call of our tool. */
  answer: string;
  written: string | undefined;
  reverted: readonly string[];
  writtenAfterRevert: string | undefined;
  /** What still ran for its home once it was cancelled, and once it was closed, that was not there before. */
  leftAfterCancel: readonly string[];
  leftAfterClose: readonly string[];
  /** Whom it asked beside its model. */
  others: readonly string[];
}

const expected = [/sightline\.js shared$/, /tsgo|typescript/];

/** A client that is found on PATH, works on two prompts and is closed. */
export async function performHosted(hosted: HostedClient, home: ClientHome, entry: string): Promise<Performance> {
  const bin = join(home.home, 'bin');
  const model = await ScriptedModel.start(({ tools }) => tools.length > 0);
  await putOnPath(hosted, home.home, bin, model.url);
  const env = { ...home.env, PATH: `${bin}:${home.env['PATH'] ?? ''}` };
  const control = await mustBeRunning({
    cwd: home.project,
    env,
    entry,
    out: () => undefined,
    err: () => undefined,
  });
  try {
    const thread = await HostedThread.start(control, hosted.agent);
    try {
      return await converse(hosted, home, model, thread);
    } catch (error) {
      const log = JSON.stringify(await thread.log()).slice(-3000);
      throw new Error(`${hosted.agent} (${JSON.stringify(thread.view.turns)}): ${log}`, { cause: error });
    }
  } finally {
    control.dispose();
    await model.dispose();
  }
}

async function converse(
  { client, agent, write, choices }: HostedClient,
  home: ClientHome,
  model: ScriptedModel,
  thread: HostedThread,
): Promise<Performance> {
  const name = `${agent}.md`;
  const before: ScriptedTurn[] = [
    ...lookUpTurns(client),
    asOffered(client, [probe]),
    { calls: [write(join(home.project, name), `by ${agent}\n`)] },
  ];
  const ready = await thread.until(({ state }) => state === 'idle');
  for (const [option, value] of Object.entries(choices ?? {})) await thread.choose(option, value);
  model.script = [...before, { text: 'All done.' }];
  await thread.prompt('Look after the shop.');
  await thread.until(({ turns }) => turns[0]?.endedAt !== undefined);
  const written = home.file(name);
  const reverted = await thread.revert(1);
  const writtenAfterRevert = home.file(name);

  model.script = [...before, asOffered(client, [endlessCall])];
  await thread.prompt('Look after it on and on.');
  const isAtWork = () => home.processes().some(({ command }) => command.includes('endless.js'));
  if (!(await eventually(isAtWork, 60_000))) throw new Error('It never made its call.');
  await thread.cancel();
  const view = await thread.until(({ turns, state }) => state === 'idle' && turns[1]?.endedAt !== undefined);
  await eventually(() => !isAtWork(), 10_000);
  const leftAfterCancel = home.processes().filter(({ command }) => command.includes('endless.js'));
  const items = await thread.items();
  await thread.close();
  return {
    ready,
    view,
    asked: thread.asked,
    items,
    answer: model.requests.flatMap(({ results }) => results.flatMap(({ texts }) => texts)).join('\n'),
    written,
    reverted,
    writtenAfterRevert,
    leftAfterCancel: leftAfterCancel.map(({ command }) => command),
    leftAfterClose: await home.onlyLeft(...expected),
    others: model.others,
  };
}
