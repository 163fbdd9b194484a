import { clip } from '../base/text/textBudget.ts';
import type { Project } from '../engine/workspace/project.ts';
import type { Client } from './clients.ts';

interface Note {
  number: number;
  time: number;
  projectId: string;
  /** What came before it is nothing else: only the last of such deeds is told, with their number. */
  sameAs: string;
  deed: string;
  count: number;
  /** Words to the agent itself, told whole and apart from the deeds. */
  isMessage: boolean;
}

const maxNotes = 200;
const maxDeeds = 8;
const maxDeedChars = 240;
const maxMessageChars = 6000;

/**
 * What people did in projects that agents work in, and what they have to say to them. Each agent that was there is told with its next
 * answer, once.
 */
export class PersonNotes {
  readonly #notes: Note[] = [];
  /** The last note that a client was told of. */
  readonly #told = new WeakMap<Client, number>();
  #number = 0;
  #lastTold = 0;

  /** `deed` continues "a person": `stepped over to cart.js:14`. */
  did(project: Project, deed: string, sameAs = deed): void {
    const last = this.#notes.at(-1);
    // What an agent has been told of already is not counted again.
    const isRepeated =
      last !== undefined &&
      last.number > this.#lastTold &&
      last.projectId === project.id &&
      !last.isMessage &&
      last.sameAs === sameAs;
    if (isRepeated) this.#notes.pop();
    this.#add(project, { deed, sameAs, count: isRepeated ? last.count + 1 : 1, isMessage: false });
  }

  says(project: Project, message: string): void {
    this.#add(project, { deed: message, sameAs: '', count: 1, isMessage: true });
  }

  /** What this client has not been told yet. People need no telling of what people do. */
  take(client: Client, project: Project): string[] {
    if (client.isPerson) return [];
    const told = this.#told.get(client) ?? 0;
    const news = this.#notes.filter(
      (note) => note.number > told && note.projectId === project.id && note.time >= client.connectedAt.getTime(),
    );
    const newest = news.at(-1);
    if (newest === undefined) return [];
    this.#told.set(client, newest.number);
    this.#lastTold = Math.max(this.#lastTold, newest.number);
    const deeds = news.filter(({ isMessage }) => !isMessage);
    const shown = deeds.slice(-maxDeeds).map(({ deed, count }) => {
      const short = clip(deed, maxDeedChars);
      return count === 1 ? short : `${short} (the last of ${count} times)`;
    });
    const earlier = deeds.length > shown.length ? `did ${deeds.length - shown.length} other things; then ` : '';
    return [
      ...(shown.length === 0 ? [] : [`Since your last call a person ${earlier}${shown.join('; ')}`]),
      ...news.filter(({ isMessage }) => isMessage).map(({ deed }) => clip(deed, maxMessageChars)),
    ];
  }

  #add(project: Project, note: Pick<Note, 'deed' | 'sameAs' | 'count' | 'isMessage'>): void {
    this.#notes.push({ ...note, number: ++this.#number, time: Date.now(), projectId: project.id });
    if (this.#notes.length > maxNotes) this.#notes.shift();
  }
}
