import { Emitter } from '../base/emitter.ts';
import { ToolError } from '../base/errors.ts';
import { randomId } from '../base/ids.ts';
import { clip } from '../base/text/textBudget.ts';
import type { Project } from '../engine/workspace/project.ts';
import type { PersonNotes } from './personNotes.ts';

/** What a person thinks of a line of a change. */
interface ReviewComment {
  id: string;
  time: string;
  /** As callers read it. */
  file: string;
  line: number;
  /** The line itself, so that it is found again when lines move. */
  code: string;
  text: string;
  hunkId?: string;
}

const maxComments = 100;
const maxAccepted = 5000;

/** The reviews that people are at: comments that are not sent yet, and hunks that are accepted. One per project, until the process ends. */
export class Reviews {
  readonly changed = new Emitter<Project>();
  readonly #notes: PersonNotes;
  readonly #comments = new Map<string, ReviewComment[]>();
  readonly #accepted = new Map<string, Set<string>>();

  constructor(notes: PersonNotes) {
    this.#notes = notes;
  }

  comments(project: Project): readonly ReviewComment[] {
    return this.#comments.get(project.id) ?? [];
  }

  accepted(project: Project): readonly string[] {
    return [...(this.#accepted.get(project.id) ?? [])];
  }

  comment(project: Project, comment: Omit<ReviewComment, 'id' | 'time'>): ReviewComment {
    const all = this.#comments.get(project.id) ?? [];
    if (all.length >= maxComments)
      throw new ToolError('too_large', `${maxComments} comments wait to be sent; send them first.`);
    const added = { ...comment, id: randomId('comment'), time: new Date().toISOString() };
    this.#comments.set(project.id, [...all, added]);
    this.changed.fire(project);
    return added;
  }

  forget(project: Project, commentId: string): void {
    this.#comments.set(
      project.id,
      this.comments(project).filter(({ id }) => id !== commentId),
    );
    this.changed.fire(project);
  }

  accept(project: Project, hunkId: string, isAccepted: boolean): void {
    const accepted = this.#accepted.get(project.id) ?? new Set();
    if (isAccepted && accepted.size < maxAccepted) accepted.add(hunkId);
    else accepted.delete(hunkId);
    this.#accepted.set(project.id, accepted);
    this.changed.fire(project);
  }

  /** Hands all comments to the agents of the project as one message, with their next answer. */
  send(project: Project): number {
    const all = this.comments(project);
    if (all.length === 0) throw new ToolError('invalid_arguments', 'There are no comments to send.');
    const lines = all.map(
      ({ file, line, code, text }) => `${file}:${line} \`${clip(code.trim(), 120)}\`: ${clip(text.trim(), 1000)}`,
    );
    const head = `A person reviewed the changes and has ${all.length === 1 ? 'a comment' : `${all.length} comments`}:`;
    this.#notes.says(project, [head, ...lines].join('\n'));
    this.#comments.delete(project.id);
    this.changed.fire(project);
    return all.length;
  }
}
