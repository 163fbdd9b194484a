import { types } from 'node:util';
import type { RecordedValue, RecorderOrders, Watch } from '../../../../ask/model.ts';
import type { Call, PendingWrite } from './runtime.ts';
import type { WriteSite } from './sites.ts';
import { isObject, type ValueDrawer } from './values.ts';

const { getOwnPropertyDescriptor } = Object;

const maxLatest = 8;

interface Surroundings {
  site: (id: number) => WriteSite | undefined;
  /** Answers whether it was written and not only counted. */
  emit: (write: PendingWrite, isLast: boolean) => boolean;
  guarded: (work: () => void) => void;
}

/** A write that has begun: its object is known, its value not yet. */
interface Begun {
  site: WriteSite;
  object: unknown;
  key: string | undefined;
  old: RecordedValue | undefined;
  value?: { held: unknown };
  watches: readonly WatchedPath[];
  /** What a changing call may change: the object itself as it looked. */
  before?: string;
}

/** A watch, taken apart: the last name is what is written, the others say of what. */
interface WatchedPath {
  watch: Watch;
  last: string;
  base: string | undefined;
}

/** An object that was the value of a watched name: who changes it inside changes the value. */
interface Tracked {
  name: string;
  path: WatchedPath;
  text: string;
  line: number;
}

/** Which writes are worth telling, and what they changed. */
export class WriteNotes {
  readonly #drawer: ValueDrawer;
  readonly #around: Surroundings;
  readonly #paths: readonly WatchedPath[];
  readonly #allWrites: boolean;
  readonly #maxPerPlace: number;
  readonly #begun: Begun[] = [];
  readonly #tracked = new WeakMap<object, Tracked>();
  /** The latest of them: looked at whenever a call ends, so that changes by code outside the focus are noticed. */
  readonly #latest: WeakRef<object>[] = [];
  readonly #perPlace = new Map<number, number>();
  readonly #counts = new Map<string, number>();

  constructor(orders: RecorderOrders, drawer: ValueDrawer, around: Surroundings) {
    this.#drawer = drawer;
    this.#around = around;
    this.#allWrites = orders.allWrites;
    this.#maxPerPlace = orders.limits.maxPerPlace;
    this.#paths = orders.watches.map(watchedPath);
  }

  counts(): Record<string, number> {
    return Object.fromEntries(this.#counts);
  }

  object(id: number, object: unknown): void {
    const site = this.#around.site(id);
    if (site === undefined) return;
    const begun: Begun = {
      site,
      object,
      key: site.kind === 'call' ? undefined : site.key,
      old: undefined,
      watches: [],
    };
    this.#begun.push(begun);
    if (site.kind === 'call') this.#beforeCall(begun);
    else if (site.key !== undefined) this.#before(begun);
  }

  key(id: number, key: unknown): void {
    const begun = this.#find(id);
    if (begun === undefined || (typeof key !== 'string' && typeof key !== 'number')) return;
    begun.key = String(key);
    this.#before(begun);
  }

  value(id: number, value: unknown, old: readonly unknown[]): void {
    const begun = this.#find(id);
    if (begun === undefined) return;
    if (old.length > 0) {
      begun.watches = this.#watchesOf(begun);
      begun.old = this.#wanted(begun) ? this.#drawer.value(old[0]) : undefined;
    } else this.#before(begun);
    begun.value = { held: value };
  }

  written(call: Call | null, id: number, result: unknown): void {
    const begun = this.#find(id);
    if (begun === undefined) return;
    // What was begun and never came to its end has thrown.
    this.#begun.length = this.#begun.indexOf(begun);
    if (begun.site.kind === 'call') this.#afterCall(call, begun);
    else if (this.#wanted(begun)) this.#after(call, begun, result);
  }

  variable(call: Call | null, id: number, value: unknown, ...old: unknown[]): void {
    const site = this.#around.site(id);
    if (site === undefined) return;
    const paths = this.#paths.filter((path) => path.last === site.key && fits(path, site) && isAt(path.watch, site));
    if (paths.length === 0 && !this.#allWrites) return;
    this.#around.guarded(() => {
      const before = old.length === 0 ? undefined : this.#drawer.value(old[0]);
      this.#tell(call, site, { old: before, new: this.#drawer.value(value), paths, kind: 'assign' });
      for (const path of paths) this.#track(value, path, site);
    });
  }

  /** A read: whatever is there now is what may be changed from now on; and may have been, where nobody looked. */
  seen(call: Call | null, id: number, value: unknown): void {
    const site = this.#around.site(id);
    if (site === undefined || !isObject(value)) return;
    const path = this.#paths.find((each) => each.last === site.key && fits(each, site));
    if (path === undefined) return;
    this.#around.guarded(() => {
      const known = this.#tracked.get(value);
      if (known === undefined) {
        this.#track(value, path, site);
        return;
      }
      this.#compare(call, value, known, site);
    });
  }

  /** At the end of a call: what it changed without a line of the focus saying so. */
  callEnds(call: Call): void {
    if (this.#latest.length === 0) return;
    this.#around.guarded(() => {
      for (const reference of this.#latest) {
        const value = reference.deref();
        const known = value === undefined ? undefined : this.#tracked.get(value);
        if (value === undefined || known === undefined) continue;
        const { file } = call.fn.site;
        const target = known.name;
        this.#compare(call, value, known, { id: -1, file, line: call.l, target, kind: 'read' });
      }
    });
  }

  #compare(call: Call | null, value: object, known: Tracked, site: WriteSite): void {
    const text = this.#drawer.text(value);
    if (text === known.text) {
      known.line = site.line;
      return;
    }
    const object = this.#drawer.numberOf(value);
    const old = { text: known.text, object };
    this.#tell(call, site, { old, new: { text, object }, paths: [known.path], kind: 'change', since: known.line });
    known.text = text;
    known.line = site.line;
  }

  #before(begun: Begun): void {
    begun.watches = this.#watchesOf(begun);
    if (!this.#wanted(begun) || begun.site.kind === 'call') return;
    const { object, key } = begun;
    if (!isObject(object) || key === undefined || types.isProxy(object)) return;
    const property = getOwnPropertyDescriptor(object, key);
    begun.old = property !== undefined && 'value' in property ? this.#drawer.value(property.value) : undefined;
  }

  #after(call: Call | null, begun: Begun, result: unknown): void {
    const { site, object, key, old, watches } = begun;
    this.#around.guarded(() => {
      const isGone = site.kind === 'delete';
      if (isGone && (old === undefined || result !== true)) return;
      const now = isGone ? undefined : this.#held(object, key, begun.value?.held ?? result);
      const holder = isObject(object) ? this.#drawer.numberOf(object) : undefined;
      const target = site.target.endsWith(']') && key !== undefined ? namedElement(site.target, key) : site.target;
      const kind = isGone ? 'delete' : 'assign';
      this.#tell(call, site, {
        old,
        new: now === undefined ? undefined : this.#drawer.value(now.held),
        paths: watches,
        kind,
        target,
        holder,
        isInside: watches.length > 0 && watches.every((path) => path.last !== key),
      });
      for (const path of watches) if (path.last === key) this.#track(now?.held, path, site);
      const known = isObject(object) ? this.#tracked.get(object) : undefined;
      if (isObject(object) && known !== undefined) known.text = this.#drawer.text(object);
    });
  }

  #held(object: unknown, key: string | undefined, fallback: unknown): { held: unknown } {
    if (!isObject(object) || key === undefined || key.startsWith('#') || types.isProxy(object))
      return { held: fallback };
    const property = getOwnPropertyDescriptor(object, key);
    return { held: property !== undefined && 'value' in property ? property.value : fallback };
  }

  #beforeCall(begun: Begun): void {
    const { object } = begun;
    if (!isObject(object) || types.isProxy(object)) return;
    const known = this.#tracked.get(object);
    if (known !== undefined) begun.before = known.text = this.#drawer.text(object);
    else if (this.#allWrites) begun.before = this.#drawer.text(object);
    // Object.assign(options, {routerOptions}) writes what is watched without naming it.
    const path = this.#paths.find(({ last }) => getOwnPropertyDescriptor(object, last) !== undefined);
    if (path !== undefined) begun.watches = [path];
    begun.old = path === undefined ? undefined : this.#drawer.value(getOwnPropertyDescriptor(object, path.last)?.value);
  }

  #afterCall(call: Call | null, begun: Begun): void {
    const { object, site, before } = begun;
    if (!isObject(object) || types.isProxy(object)) return;
    this.#around.guarded(() => {
      const number = this.#drawer.numberOf(object);
      if (before !== undefined) {
        const text = this.#drawer.text(object);
        const known = this.#tracked.get(object);
        const paths = known === undefined ? [] : [known.path];
        if (text !== before)
          this.#tell(call, site, {
            old: { text: before, object: number },
            new: { text, object: number },
            paths,
            kind: 'change',
          });
        if (known !== undefined) known.text = text;
      }
      for (const path of this.#paths) this.#afterHidden(call, begun, object, path, number);
    });
  }

  #afterHidden(
    call: Call | null,
    { old, site, watches }: Begun,
    object: object,
    path: WatchedPath,
    holder: number,
  ): void {
    const property = getOwnPropertyDescriptor(object, path.last);
    const now = property === undefined ? undefined : this.#drawer.value(property.value);
    const before = watches.includes(path) ? old : undefined;
    if (now?.text === before?.text && now?.object === before?.object) return;
    const target = `${site.target}.${path.last}`;
    this.#tell(call, site, {
      old: before,
      new: now,
      paths: [path],
      kind: now === undefined ? 'delete' : 'assign',
      target,
      holder,
    });
    if (property !== undefined) this.#track(property.value, path, site);
  }

  #tell(
    call: Call | null,
    site: WriteSite,
    write: {
      old: RecordedValue | undefined;
      new: RecordedValue | undefined;
      paths: readonly WatchedPath[];
      kind: PendingWrite['kind'];
      isInside?: boolean;
      target?: string;
      holder?: number | undefined;
      since?: number;
    },
  ): void {
    const { old, new: now, paths, kind, target = site.target, holder, since, isInside = false } = write;
    const place = (this.#perPlace.get(site.id) ?? 0) + 1;
    this.#perPlace.set(site.id, place);
    for (const { watch } of paths) this.#counts.set(watch.id, (this.#counts.get(watch.id) ?? 0) + 1);
    const [path] = paths;
    this.#around.emit(
      {
        call,
        target,
        kind,
        file: site.file,
        line: site.line,
        ...(path === undefined ? {} : { watch: path.watch.id }),
        ...(old === undefined ? {} : { old }),
        ...(now === undefined ? {} : { new: now }),
        ...(holder === undefined ? {} : { holder }),
        ...(isInside ? { isInside } : {}),
        ...(since === undefined || since === site.line ? {} : { since }),
      },
      place > this.#maxPerPlace,
    );
  }

  #track(value: unknown, path: WatchedPath, site: WriteSite): void {
    if (!isObject(value) || typeof value === 'function' || types.isProxy(value)) return;
    if (!this.#tracked.has(value)) {
      this.#latest.push(new WeakRef(value));
      if (this.#latest.length > maxLatest) this.#latest.shift();
    }
    this.#tracked.set(value, { name: site.target, path, text: this.#drawer.text(value), line: site.line });
  }

  /** What of the watches a write concerns: the name itself, or the inside of an object that was its value. */
  #watchesOf({ site, object, key }: Begun): WatchedPath[] {
    if (key === undefined) return [];
    const named = this.#paths.filter((path) => path.last === key && isAt(path.watch, site));
    if (named.length > 0 || !isObject(object)) return named;
    const known = this.#tracked.get(object);
    return known === undefined ? [] : [known.path];
  }

  #wanted(begun: Begun): boolean {
    return this.#allWrites || begun.watches.length > 0;
  }

  #find(id: number): Begun | undefined {
    return this.#begun.findLast(({ site }) => site.id === id);
  }
}

/** `options.routerOptions` → `routerOptions` of `options`; `items[0].count` → `count` of `items[0]`. */
export function watchedPath(watch: Watch): WatchedPath {
  const text = watch.expression.trim();
  const match = /^(?:(.*)\.)?(#?[\w$]+)$/s.exec(text) ?? /^(.*)\[\s*["']?([^\]"']+)["']?\s*\]$/s.exec(text);
  return { watch, last: match?.[2] ?? text, base: match?.[1] === '' ? undefined : match?.[1] };
}

/** A variable of that name is no property of that name, and the other way round. */
function fits({ base }: WatchedPath, { kind, target }: WriteSite): boolean {
  if (kind === 'variable') return base === undefined;
  return base !== undefined || kind === 'member' || target.includes('.') || target.includes('[');
}

function isAt({ file }: Watch, site: WriteSite): boolean {
  return file === undefined || file === site.file;
}

/** `items[i]` with the index that was meant. */
function namedElement(target: string, key: string): string {
  const open = target.lastIndexOf('[');
  return open === -1 ? target : `${target.slice(0, open)}[${/^\d+$/.test(key) ? key : JSON.stringify(key)}]`;
}
