// A random place often allows no such refactoring at all: nobody could carry it out there by hand and keep the meaning. Such a place is no
// attempt. That is decided by the program alone, read by the compiler; what Sightline answers is not looked at. An attempt that succeeds was
// possible, so the rules are asked only about those that are refused, and before an attempt about names that the package shows to the outside.
import { whyNoFunction, whyNoVariable } from './legal/extract.mjs';
import { whyNoInline } from './legal/inline.mjs';
import { whyNoMove } from './legal/move.mjs';
import { PackageProgram } from './legal/program.mjs';
import { isVisibleMember, whyNoRename } from './legal/rename.mjs';

export class Legality {
  #folder;
  #said;
  #program;

  /** `said`: what the program that uses the package prints. */
  constructor(folder, said) {
    this.#folder = folder;
    this.#said = said;
  }

  /** Why an attempt would change what the package says, whoever makes it. */
  whyNotTried(kind, { args }) {
    if (kind === 'rename' && isVisibleMember(this.#read(), args, this.#said))
      return 'the name is part of what the package says';
    return undefined;
  }

  /** Why nobody could do it; undefined when somebody could. */
  whyNot(kind, { tool, args }) {
    const program = this.#read();
    switch (kind) {
      case 'rename':
        return whyNoRename(program, args);
      case 'extract':
        return tool.endsWith('variable') ? whyNoVariable(program, args) : whyNoFunction(program, args);
      case 'inline':
        return whyNoInline(program, args);
      case 'move':
        return whyNoMove(program, args);
      default:
        return undefined;
    }
  }

  /** Every attempt is undone, so the program stays the same. */
  #read() {
    this.#program ??= new PackageProgram(this.#folder);
    return this.#program;
  }
}
