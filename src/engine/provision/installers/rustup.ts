import type { Installer } from '../model.ts';
import { programsOnPath } from '../programs.ts';
import { runClient } from './client.ts';

/** A component belongs to its toolchain, so rustup keeps it there; rustup itself undoes what it could not finish. */
export function rustupComponent(...components: readonly string[]): Installer {
  return {
    plan: async (context) => {
      const manualCommand = `rustup component add ${components.join(' ')}`;
      const [rustup] = await programsOnPath(['rustup'], context);
      if (rustup === undefined) {
        return {
          reason: 'rustup is not on PATH.',
          manualCommand: `install rustup (https://rustup.rs, or: sudo apt-get install rustup), then: ${manualCommand}`,
        };
      }
      return {
        version: 'of the toolchain',
        manualCommand,
        entry: '',
        elsewhere: true,
        run: async () => {
          const command = [rustup, 'component', 'add', ...components];
          await runClient('rustup', command, context, { cwd: context.project?.root });
        },
      };
    },
  };
}
