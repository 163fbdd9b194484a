import { basename } from 'node:path';
import { extensionCommandsOf, runExtensionCommand } from '../engine/install/extension.ts';
import type { InstallPlace, InstallRequest } from '../engine/install/model.ts';
import type { CommandContext } from './command.ts';

/** The extension beside the entry: for each editor of the chosen agents that is on this machine. */
export class ExtensionInstall {
  readonly #request: Pick<InstallRequest, 'action' | 'scope'>;
  readonly #place: InstallPlace;
  readonly #commands: string[][];

  constructor(ids: readonly string[], request: Pick<InstallRequest, 'action' | 'scope'>, place: InstallPlace) {
    this.#request = request;
    this.#place = place;
    this.#commands = ids.flatMap((id) => extensionCommandsOf({ id, ...request }, place));
  }

  get isNeeded(): boolean {
    return this.#commands.length > 0;
  }

  show(context: CommandContext): void {
    for (const command of this.#commands)
      context.out(
        `${this.#request.action === 'install' ? 'Its extension' : 'Without its extension'}: ${command.join(' ')}`,
      );
  }

  /** False when one of them failed. */
  async run(context: CommandContext): Promise<boolean> {
    let isDone = true;
    for (const command of this.#commands) {
      const name = basename(command[0] ?? '');
      const problem = await runExtensionCommand(command, this.#place);
      if (problem === undefined)
        context.out(
          `${name}: the extension is ${this.#request.action === 'install' ? 'in. Reload its windows.' : 'out.'}`,
        );
      else {
        isDone = false;
        context.err(`${name}: the extension was left as it was: ${problem}`);
      }
    }
    return isDone;
  }
}
