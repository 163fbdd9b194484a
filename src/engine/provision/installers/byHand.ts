import { platform } from '../../../base/platform/here.ts';
import type { Installer, InstallContext } from '../model.ts';

/** For what comes with the system or the project: Sightline says the command and does not run it. */
export function byHand(reason: string, commands: { linux: string; darwin?: string; win32?: string }): Installer {
  return {
    plan: async (_context: InstallContext) => ({
      reason,
      manualCommand: commandHere(commands),
    }),
  };
}

function commandHere(commands: { linux: string; darwin?: string; win32?: string }): string {
  return commands[platform.system] ?? commands.linux;
}
