import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { appDirs } from '../../base/appDirs.ts';
import { canonicalRoot } from '../../engine/workspace/paths.ts';
import { TrustStore } from '../../engine/workspace/trust.ts';
import type { Command } from '../command.ts';
import { findRunning } from '../sharedClient.ts';

export const trust: Command = {
  name: 'trust',
  summary: 'let tools execute code of a project',
  usage: `sightline trust [DIR] [--revoke]
sightline trust --list

Trust of a directory covers what lies below it. An agent's own working directory needs none.`,
  run: async (words, context) => {
    const { values, positionals } = parseArgs({
      args: words,
      allowPositionals: true,
      options: { list: { type: 'boolean', default: false }, revoke: { type: 'boolean', default: false } },
    });
    const store = await TrustStore.load(appDirs(context.env).state, ({ path, setAsideAs, reason }) =>
      context.err(`${path} was damaged (${reason}) and set aside as ${setAsideAs}.`),
    );
    if (values.list) {
      const roots = store.list().map(({ root, by, time }) => `${root}  (${by}, ${time})`);
      context.out(roots.length === 0 ? 'No directory is trusted.' : roots.join('\n'));
      return 0;
    }
    const root = await canonicalRoot(resolve(context.cwd, positionals[0] ?? '.'));
    if (values.revoke) await store.revoke(root);
    else await store.trust(root, 'command-line');
    await tellRunning(context);
    context.out(values.revoke ? `${root} is no longer trusted.` : `${root} is trusted.`);
    return 0;
  },
};

async function tellRunning(context: Parameters<Command['run']>[1]): Promise<void> {
  const control = await findRunning(context);
  try {
    await control?.request('reloadTrust', {});
  } finally {
    control?.dispose();
  }
}
