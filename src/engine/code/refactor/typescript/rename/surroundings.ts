import type { RefactorTarget, RefactorWaiting } from '../../model.ts';
import { survey, surveyWithin, type Survey } from '../semantics/mentions.ts';
import type { RenameBackend } from '../servers/backend.ts';
import { parse, tokenAt } from '../syntax/compiler.ts';
import { isLocalDeclaration } from '../syntax/locality.ts';
import { moduleAsObject } from './moduleObject.ts';
import { isPlainlyExported } from './proof.ts';

interface Surroundings {
  survey: Promise<Survey>;
  /** How the module is handled as an object, if it is. */
  asObject: Promise<string | undefined>;
}

/** Where the old and the new name stand; looked for while the server still collects the places. */
export function lookAround(
  backend: RenameBackend,
  target: RefactorTarget,
  newName: string,
  waiting: RefactorWaiting,
): Surroundings {
  const handled: Promise<string | undefined>[] = [];
  const looking = surveyOf(backend, target, newName, waiting, handled);
  const asObject = looking.then(async () => (await Promise.all(handled)).find((how) => how !== undefined));
  // Whoever needs it awaits it, unless the server refuses first.
  asObject.catch(() => undefined);
  return { survey: looking, asObject };
}

/** Of a local name, only within its file. `handled` gets how each file that names the module handles it. */
async function surveyOf(
  backend: RenameBackend,
  target: RefactorTarget,
  newName: string,
  waiting: RefactorWaiting,
  handled: Promise<string | undefined>[],
): Promise<Survey> {
  const { path, name, position } = target;
  const text = await backend.text(path);
  const isLocal =
    !isPlainlyExported(text, position) && isLocalDeclaration(tokenAt(parse(path, text.text), text.offsetAt(position)));
  if (isLocal) return surveyWithin(path, text, name, newName);
  let expected = 0;
  return survey(backend.project, { oldName: name, newName, modulePath: path }, waiting, {
    onFile: (file) => {
      if (expected++ < maxReadAhead) void backend.seen.readAhead(file);
    },
    onImport: (mention, specifier) => {
      const how = moduleAsObject(backend, mention, specifier);
      how.catch(() => undefined);
      handled.push(how);
    },
  });
}

/** Files that are read while the server still looks for the places: most of those that mention a name change with it. */
const maxReadAhead = 256;
