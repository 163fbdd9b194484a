import { delay } from '../../../../base/cancellation.ts';
import type { Range as WireRange } from 'vscode-languageserver-protocol';
import { ToolError } from '../../../../base/errors.ts';
import { advise, step } from '../../../../base/text/advice.ts';
import { type FileRange, fromWireRange, fromWireUri } from '../../../../protocol/lsp/convert.ts';
import type { CodeWorkspace } from '../../codeWorkspace.ts';
import type { LanguageServer } from '../../languageServer.ts';

const maxStaleAnswers = 20;
const staleMs = 250;

type PlaceOfAnswer = Pick<FileRange, 'path' | 'range'>;

interface NamedQuestion<T> {
  server: LanguageServer;
  /** Of what is asked about. */
  name: string;
  ask: () => Promise<T>;
  /** The places that the answer names; one of them at least is where that name stands. */
  placesOf: (answer: T) => readonly PlaceOfAnswer[];
  signal?: AbortSignal | undefined;
}

/** Right after a change some servers answer for the text before it, about what stood in the place then: they are asked again. */
export async function currentAnswer<T>(workspace: CodeWorkspace, question: NamedQuestion<T>): Promise<T> {
  const { server, name, ask, placesOf, signal } = question;
  if (server.definition.answersLate !== true) return ask();
  for (let asked = 1; ; asked++) {
    const answer = await ask();
    if (await isAbout(workspace, name, placesOf(answer))) return answer;
    if (asked === maxStaleAnswers)
      throw new ToolError(
        'index_not_ready',
        `The ${server.definition.title} answers about something else than "${name}".`,
        {
          hint: advise`It has not read the last change yet; ask again in a while. ${step('ideIndexStatus')} shows the state.`,
        },
      );
    await delay(staleMs, signal);
  }
}

/** Nothing speaks against an answer without places, and against one whose places cannot be read. */
async function isAbout(workspace: CodeWorkspace, name: string, places: readonly PlaceOfAnswer[]): Promise<boolean> {
  for (const { path, range } of places) {
    const line = (await workspace.texts.tryGet(path))?.lineText(range.start.line);
    if (line === undefined || line.slice(range.start.column - 1).startsWith(name)) return true;
  }
  return places.length === 0;
}

/** The places of what a hierarchy begins with. */
export function placesOfItems(items: readonly { uri: string; selectionRange: WireRange }[] | null): PlaceOfAnswer[] {
  return (items ?? []).map(({ uri, selectionRange }) => ({
    path: fromWireUri(uri),
    range: fromWireRange(selectionRange),
  }));
}
