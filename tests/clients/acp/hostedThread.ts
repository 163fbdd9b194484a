import { askDesk } from '../../../src/cli/agent/conversation.ts';
import type { LoggedMessage, Question, ThreadItem, ThreadView } from '../../../src/engine/agents/model.ts';
import type { ControlClient } from '../../../src/server/daemon/controlClient.ts';

/** A thread with a hosted agent as a person follows it, who allows whatever it asks for. */
export class HostedThread {
  readonly id: string;
  readonly asked: Question[] = [];
  view: ThreadView;
  readonly #control: ControlClient;
  readonly #waiting = new Set<() => void>();
  #isLeft = false;
  #failure: unknown;

  private constructor(control: ControlClient, id: string, view: ThreadView, next: number) {
    this.#control = control;
    this.id = id;
    this.view = view;
    this.#follow(next).catch((error: unknown) => {
      this.#failure = error;
      this.#tell();
    });
  }

  static async start(control: ControlClient, agent: string): Promise<HostedThread> {
    const { id } = await askDesk(control, 'start', { agent, permissions: 'ask' });
    const { thread, next } = await askDesk(control, 'read', { id });
    if (thread === undefined) throw new Error(`${agent} has no thread.`);
    return new HostedThread(control, id, thread, next);
  }

  async until(isSo: (view: ThreadView) => boolean): Promise<ThreadView> {
    while (!isSo(this.view)) {
      if (this.#failure !== undefined) throw this.#failure;
      if (this.view.state === 'dead') throw new Error(`It is dead: ${this.view.problem ?? ''}`);
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
    return this.view;
  }

  choose(option: string, value: string): Promise<unknown> {
    return askDesk(this.#control, 'setOption', { id: this.id, option, value });
  }

  /** Resolves when the prompt is taken. */
  prompt(text: string): Promise<unknown> {
    return askDesk(this.#control, 'prompt', { id: this.id, text });
  }

  cancel(): Promise<unknown> {
    return askDesk(this.#control, 'cancel', { id: this.id });
  }

  async revert(turn: number): Promise<string[]> {
    return (await askDesk(this.#control, 'revert', { id: this.id, turn })).files;
  }

  async items(): Promise<ThreadItem[]> {
    return (await askDesk(this.#control, 'read', { id: this.id })).items ?? [];
  }

  async log(): Promise<LoggedMessage[]> {
    return (await askDesk(this.#control, 'log', { id: this.id })).messages;
  }

  async close(): Promise<void> {
    this.#isLeft = true;
    await askDesk(this.#control, 'close', { id: this.id, forget: true });
  }

  async #follow(from: number): Promise<void> {
    for (let next = from; !this.#isLeft;) {
      const read = await askDesk(this.#control, 'read', { id: this.id, from: next });
      next = read.next;
      this.view = read.thread ?? this.view;
      for (const event of read.events) if (event.kind === 'thread') this.view = event.thread;
      for (const question of this.view.questions) {
        if (this.asked.some(({ id }) => id === question.id)) continue;
        this.asked.push(question);
        await askDesk(this.#control, 'answer', { id: this.id, questionId: question.id, allow: true });
      }
      this.#tell();
    }
  }

  #tell(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}
