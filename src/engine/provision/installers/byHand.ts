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
  if (process.platform === 'darwin') return commands.darwin ?? commands.linux;
  if (process.platform === 'win32') return commands.win32 ?? commands.linux;
  return commands.linux;
}
