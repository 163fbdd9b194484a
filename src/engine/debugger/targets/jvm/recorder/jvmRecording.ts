import { errorMessage, TransportError } from '../../../../../base/errors.ts';
import {
  eventKinds,
  suspendPolicies,
  type CompositeEvent,
  type JdwpEvent,
} from '../../../../../protocol/jdwp/events.ts';
import type { JdwpMachine } from '../../../../../protocol/jdwp/machine.ts';
import type { Project } from '../../../../workspace/project.ts';
import type { Focus, RecorderOrders } from '../../../ask/model.ts';
import { EventLog } from '../../../ask/outside/eventLog.ts';
import { Classes } from '../classes.ts';
import { Drawing } from '../drawing.ts';
import { JavaSources, platformPatterns } from '../sources.ts';
import { OpenCalls } from './calls.ts';
import { FieldWrites } from './fields.ts';
import { LocalWatches } from './locals.ts';
import { NotedMethods } from './methods.ts';
import { RecordedValues } from './values.ts';

/** Exceptions that libraries throw and catch all the time are not looked at for ever. */
const maxExceptions = 3000;
/** How often it is looked whether a call goes on for long. */
const lookMs = 500;

/** Records one Java virtual machine by its own debug protocol: each thread is held only for as long as one of its events is looked at. */
export class JvmRecording {
  readonly #machine: JdwpMachine;
  readonly #orders: RecorderOrders;
  readonly #log: EventLog;
  readonly #classes: Classes;
  readonly #sources: JavaSources;
  readonly #methods: NotedMethods;
  readonly #calls: OpenCalls;
  readonly #locals: LocalWatches;
  readonly #fields: FieldWrites;
  #exceptions = { request: 0, count: 0 };
  #heard: Promise<void> = Promise.resolve();
  #hasLeft = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(machine: JdwpMachine, project: Project, orders: RecorderOrders, number: number) {
    this.#machine = machine;
    this.#orders = orders;
    this.#log = new EventLog(orders, number);
    this.#classes = new Classes(machine);
    this.#sources = new JavaSources(project, this.#classes);
    this.#methods = new NotedMethods(machine, this.#classes, this.#log, orders.focus);
    const values = new RecordedValues(new Drawing(machine, this.#classes), orders.limits.maxValueChars);
    this.#calls = new OpenCalls(machine, this.#classes, this.#methods, values, this.#log);
    this.#locals = new LocalWatches(machine, this.#classes, this.#methods, values, this.#log);
    this.#fields = new FieldWrites(machine, this.#classes, this.#sources, values, this.#log);
  }

  /** The machine waits for this before it runs anything. */
  async begin(): Promise<void> {
    this.#sources.prepare();
    const foreign = platformPatterns.map((pattern) => ({ kind: 'classExclude' as const, pattern }));
    await this.#machine.setEvent(eventKinds.classPrepare, suspendPolicies.thread, foreign);
    this.#exceptions.request = await this.#machine.setEvent(eventKinds.exception, suspendPolicies.thread, [
      { kind: 'exception', classId: 0, caught: true, uncaught: true },
    ]);
    this.#machine.connection.listen((composite) => {
      this.#heard = this.#heard.then(() => this.#take(composite));
    });
    this.#timer = setInterval(() => {
      this.#heard = this.#heard.then(() => this.#calls.leaveLong()).catch(() => undefined);
    }, lookMs);
  }

  /** After the program has ended, or when the wait for it is over. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    this.#machine.connection.dispose();
    await this.#heard;
    this.#calls.finish();
    await this.#log.save();
  }

  async #take(composite: CompositeEvent): Promise<void> {
    try {
      await this.#log.atStop(async () => {
        for (const event of inOrder(composite.events, this.#methods)) await this.#look(event);
      });
      if (this.#log.isOver && !this.#hasLeft) await this.#leave();
      await this.#release(composite);
    } catch (error) {
      // The machine may end at any moment; anything else would leave a thread waiting for ever.
      if (error instanceof TransportError) return;
      this.#log.problem('the program', errorMessage(error));
      await this.#release(composite).catch(() => undefined);
    }
  }

  async #look(event: JdwpEvent): Promise<void> {
    if (event.kind === 'classPrepare') return this.#prepared(event.classId);
    if (event.kind === 'methodExitWithValue') return this.#calls.left(event.requestId, event.threadId, event.value);
    if (this.#hasLeft) return;
    if (event.kind === 'exception') return this.#thrown(event);
    if (event.kind === 'fieldModification') return this.#fields.written(event, this.#calls.innermost(event.threadId));
    if (event.kind !== 'breakpoint') return;
    const { threadId, location } = event;
    const place = this.#methods.at(event.requestId);
    if (place === undefined) return this.#fields.writing(event.requestId, threadId);
    const { kind, method } = place;
    if (kind === 'entry') return this.#calls.entered(method, threadId);
    await this.#locals.look(method, threadId, location, this.#calls.innermost(threadId));
    if (kind === 'return') await this.#calls.leaving(method, threadId);
  }

  async #thrown(event: Extract<JdwpEvent, { kind: 'exception' }>): Promise<void> {
    await this.#calls.thrown(event);
    if (++this.#exceptions.count === maxExceptions)
      await this.#machine.clearEvent(eventKinds.exception, this.#exceptions.request);
  }

  async #prepared(classId: number): Promise<void> {
    const file = await this.#sources.fileOf(classId);
    if (file === undefined) return;
    const { watches, focus } = this.#orders;
    for (const watch of watches) await this.#fields.begin(classId, file, watch);
    if (!isInFocus(file, focus)) return;
    for (const method of await this.#methods.begin(classId, file))
      for (const watch of watches) await this.#locals.begin(method, watch);
  }

  /** Enough was seen: the program runs on as it would alone. */
  async #leave(): Promise<void> {
    this.#hasLeft = true;
    await this.#methods.leaveAll();
    await this.#fields.leaveAll();
    await this.#machine.clearEvent(eventKinds.exception, this.#exceptions.request);
  }

  async #release({ suspendPolicy, events }: CompositeEvent): Promise<void> {
    if (suspendPolicy === suspendPolicies.all) await this.#machine.resumeAll();
    if (suspendPolicy !== suspendPolicies.thread) return;
    const [first] = events;
    if (first !== undefined && 'threadId' in first) await this.#machine.resumeThread(first.threadId);
  }
}

/** At one place a call begins before its lines are looked at, and ends after that. */
function inOrder(events: readonly JdwpEvent[], methods: NotedMethods): JdwpEvent[] {
  const order = { entry: 0, line: 1, return: 2 };
  const rank = (event: JdwpEvent) => order[methods.at(event.requestId)?.kind ?? 'line'];
  return events.toSorted((a, b) => rank(a) - rank(b));
}

function isInFocus(file: string, { files }: Focus): boolean {
  return files.some((each) => (each.endsWith('/') ? file.startsWith(each) : file === each));
}
