import { assetPath } from '../../../../base/assets.ts';
import { untilCancelled, withTimeout } from '../../../../base/cancellation.ts';
import { Deferred } from '../../../../base/deferred.ts';
import { PeerError, ToolError, TransportError } from '../../../../base/errors.ts';
import { childEnvironment, ManagedProcess } from '../../../../base/processes.ts';
import { InstallOnNeed } from '../../../provision/installOnNeed.ts';
import type { LocatedEngine } from '../../../provision/model.ts';
import type { Provision } from '../../../provision/provision.ts';
import type { Project } from '../../../workspace/project.ts';
import type { RefactorWaiting } from '../model.ts';
import { stillUsed } from '../stillUsed.ts';
import { refuse } from '../refusals/refuse.ts';
import type { Refusal, RopeOperations } from './ropeAnswers.ts';

interface Answer {
  id: number;
  result?: unknown;
  refused?: Refusal;
  failed?: string;
}

/**
 * Our Python part with rope, for one project. It runs with the person's interpreter, not with the project's own environment: starting
 * that would run code of the project.
 */
export class RopeProcess {
  readonly #project: Project;
  readonly #provision: Provision;
  readonly #pending = new Map<number, Deferred<Answer>>();
  readonly #installation: InstallOnNeed;
  #running: Promise<ManagedProcess> | undefined;
  #lastId = 0;

  constructor(project: Project, provision: Provision) {
    this.#project = project;
    this.#provision = provision;
    this.#installation = new InstallOnNeed(provision, 'rope');
  }

  /** The result of an operation. What rope or our checks refuse is a refusal with their reason. */
  async request<Op extends keyof RopeOperations>(
    op: Op,
    args: RopeOperations[Op]['request'],
    waiting: RefactorWaiting = {},
  ): Promise<RopeOperations[Op]['answer']> {
    const child = await this.#started();
    const id = ++this.#lastId;
    const pending = new Deferred<Answer>();
    this.#pending.set(id, pending);
    child.stdin.write(`${JSON.stringify({ id, op, args })}\n`);
    let isAnswered = false;
    try {
      const answer = await untilCancelled(withTimeout(pending.promise, 45_000), waiting.signal);
      isAnswered = true;
      if (answer.refused !== undefined) throw refusal(answer.refused);
      if (answer.failed !== undefined) throw new PeerError('rope', op, answer.failed);
      // The shape is ours: both ends come with Sightline.
      return answer.result as RopeOperations[Op]['answer'];
    } finally {
      this.#pending.delete(id);
      // Whoever asks next would wait for what nobody waits for any more.
      if (!isAnswered && waiting.signal?.aborted !== true) await this.dispose();
    }
  }

  async dispose(): Promise<void> {
    const running = await this.#running?.catch(() => undefined);
    this.#running = undefined;
    await running?.kill(0);
  }

  async #started(): Promise<ManagedProcess> {
    const known = await this.#running?.catch(() => undefined);
    if (known !== undefined && !known.hasExited) return known;
    this.#running = this.#start();
    return this.#running;
  }

  async #start(): Promise<ManagedProcess> {
    const [python, rope] = await Promise.all([this.#provision.locate('python'), this.#rope()]);
    for (const engine of [python, rope]) {
      if (!engine.found)
        throw new ToolError('engine_missing', `Refactoring Python needs ${engine.title}: ${engine.reason}`, {
          hint: engine.installCommand,
        });
    }
    if (!python.found || !rope.found) throw new ToolError('engine_missing', 'rope or Python is missing.');
    const child = await ManagedProcess.start({
      name: 'rope',
      command: python.path,
      args: ['-s', '-B', assetPath('python/refactor_server.py'), this.#project.root],
      cwd: rope.path,
      env: childEnvironment(this.#project.env, { PYTHONPATH: rope.path, PYTHONIOENCODING: 'utf-8', PYTHONUTF8: '1' }),
    });
    let rest = '';
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.#receive(line);
    });
    void child.exited.then(() => {
      const ended = new TransportError('rope', 'The Python refactoring process ended.', child.stderrTail);
      for (const pending of this.#pending.values()) pending.reject(ended);
    });
    return child;
  }

  /** The first refactoring fetches it. */
  async #rope(): Promise<LocatedEngine> {
    const found = await this.#provision.locate('rope');
    if (found.found) return found;
    await this.#installation.ensure();
    const located = await this.#provision.locate('rope');
    const { failure } = this.#installation;
    return located.found || failure === undefined ? located : { ...located, reason: failure };
  }

  #receive(line: string): void {
    if (line.trim() === '') return;
    const answer = JSON.parse(line) as Answer;
    this.#pending.get(answer.id)?.resolve(answer);
  }
}

function refusal(refused: Refusal): ToolError {
  const message = refused.message.replace(/\.$/, '');
  if (refused.kind === 'usage') {
    const { name, usages, cascade } = refused.data;
    return stillUsed(
      name,
      usages,
      cascade ? undefined : 're-exports, idle imports and private helpers that only it used',
    );
  }
  if (refused.kind === 'refused') return refuse('engineSays', { reason: message });
  return refuse('pythonConflict', { reason: message });
}
