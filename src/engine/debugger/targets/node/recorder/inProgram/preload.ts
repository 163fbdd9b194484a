import { readdirSync, readFileSync } from 'node:fs';
import Module from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import vm from 'node:vm';
import { isMainThread, threadId } from 'node:worker_threads';
import { type RecorderEvent, recorderVariable, type RecorderOrders } from '../../../../ask/model.ts';
import { EventFile } from './eventFile.ts';
import { type CodeForm, handle } from './wishes.ts';
import { withoutInsertions } from './insertions.ts';
import { Rewriting } from './rewriting.ts';
import { Runtime } from './runtime.ts';
import { type FileSites, siteNumbers } from './sites.ts';

/** The first that every Node process of a recorded program runs. */
function start(ordersFile: string): void {
  const orders = JSON.parse(readFileSync(ordersFile, 'utf8')) as RecorderOrders;
  const path = join(orders.folder, `events-${process.pid}-${threadId}.jsonl`);
  const sites = new OtherSites(orders.folder);
  const started: RecorderEvent = {
    event: 'start',
    pid: process.pid,
    parentPid: process.ppid,
    ...(isMainThread ? {} : { thread: `worker ${threadId}` }),
    argv: process.argv.slice(0, 8),
  };
  const file = new EventFile(path, started, orders.limits, () => runtime.counts());
  const runtime: Runtime = new Runtime(orders, file, () => sites.read(runtime));
  const rewriting = new Rewriting(
    orders,
    siteNumbers(0),
    (found) => runtime.addSites(found),
    (at, reason) => runtime.problems.push({ file: at, reason }),
  );
  file.newLineCounts = () => runtime.newLineCounts();
  file.hasNews = () => runtime.hasLoaded;
  Object.defineProperty(globalThis, handle, { value: runtime, configurable: true });
  hookModules(rewriting);
  hookScripts(rewriting, runtime);
  hideInsertions();
  process.on('exit', () => {
    sites.read(runtime);
    file.end();
  });
}

/** What the thread of the module hooks has said about the code it rewrote. */
class OtherSites {
  readonly #folder: string;
  readonly #seen = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  read(runtime: Runtime): void {
    for (const name of readdirSync(this.#folder)) {
      if (!name.startsWith(`sites-${process.pid}-`) || !name.endsWith('.json') || this.#seen.has(name)) continue;
      this.#seen.add(name);
      const said = JSON.parse(readFileSync(join(this.#folder, name), 'utf8')) as
        | FileSites
        | { problem: { file: string; reason: string } };
      if ('problem' in said) runtime.problems.push(said.problem);
      else runtime.addSites(said);
    }
  }
}

type Compile = (this: unknown, content: string, filename: string, ...rest: unknown[]) => unknown;

/** CommonJS modules pass through `_compile`, ES modules through hooks that Node runs in a thread of their own. */
function hookModules(rewriting: Rewriting): void {
  const prototype = Module.prototype as unknown as { _compile: Compile };
  const compile = prototype._compile;
  prototype._compile = function (content, filename, ...rest) {
    const code = typeof content === 'string' ? rewriting.rewrite(content, filename, 'body') : content;
    return compile.call(this, code, filename, ...rest);
  };
  const register = (Module as unknown as { register?: (...args: unknown[]) => unknown }).register;
  if (register === undefined || !isMainThread) return;
  const newest = new Int32Array(new SharedArrayBuffer(4));
  const hooks = pathToFileURL(join(__dirname, 'hooks.mjs')).href;
  const registerOurs = () => {
    const index = Atomics.add(newest, 0, 1) + 1;
    // A module of its own for each registration: they must not share what they know.
    register(`${hooks}?${index}`, { data: { index, newest } });
  };
  registerOurs();
  // Who registers later sees the code first; ours must see it last.
  Object.assign(Module, {
    register(...args: unknown[]) {
      const result = register.apply(Module, args);
      registerOurs();
      return result;
    },
  });
  Module.syncBuiltinESMExports();
}

/** Test runners compile modules by themselves, some of them for another realm. */
function hookScripts(rewriting: Rewriting, runtime: Runtime): void {
  const filenameOf = (options: unknown): string =>
    typeof options === 'string'
      ? options
      : typeof options === 'object' && options !== null && 'filename' in options
        ? String(options.filename)
        : '';
  const rewritten = (code: unknown, options: unknown, form: CodeForm) =>
    typeof code === 'string' ? rewriting.rewrite(code, filenameOf(options), form) : code;
  const { Script, createContext, runInThisContext, compileFunction } = vm;
  const OurScript = new Proxy(Script, {
    construct: (target, [code, options, ...rest], newTarget) =>
      Reflect.construct(target, [rewritten(code, options, 'script'), options, ...rest], newTarget) as object,
  });
  const show = (context: object) => {
    if (!Object.hasOwn(context, handle)) Object.defineProperty(context, handle, { value: runtime, configurable: true });
  };
  Object.assign(vm, {
    Script: OurScript,
    runInThisContext: (code: string, options: unknown) =>
      runInThisContext.call(vm, rewritten(code, options, 'script') as string, options as string),
    compileFunction: (code: string, params: readonly string[], options: vm.CompileFunctionOptions) =>
      compileFunction.call(vm, rewritten(code, options, 'body') as string, params, options),
    createContext: (...args: Parameters<typeof createContext>) => {
      const context = createContext.apply(vm, args);
      show(context);
      return context;
    },
  });
  Module.syncBuiltinESMExports();
}

/** Whoever reads the text of a function reads what its author wrote. */
function hideInsertions(): void {
  const original: unknown = Reflect.get(Function.prototype, 'toString');
  const patched = new Proxy(original as () => string, {
    apply: (target, self: unknown) => withoutInsertions(Reflect.apply(target, self, [])),
  });
  Object.defineProperty(Function.prototype, 'toString', { value: patched, configurable: true, writable: true });
}

const ordersFile = process.env[recorderVariable];
const isPackageManager = /[\\/](npm|npx|yarn|yarnpkg|pnpm|pnpx|corepack)(-cli)?(\.c?js)?$/.test(process.argv[1] ?? '');
if (ordersFile !== undefined && ordersFile !== '' && !isPackageManager) {
  try {
    start(ordersFile);
  } catch {
    // A recorder that cannot start leaves the program as it is; that nothing was written is seen outside.
  }
}
