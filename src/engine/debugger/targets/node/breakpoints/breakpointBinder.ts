import { errorMessage } from '../../../../../base/errors.ts';
import type { Protocol } from '../../../../../protocol/cdp/types.ts';
import type { BreakpointBinding, FunctionBreakpointSpec, LineBreakpointSpec } from '../../../model.ts';
import { Bindings, type BindingsHost } from './bindings.ts';
import { conditionExpression } from './conditions.ts';
import type { ScriptPause } from '../pause/entryStop.ts';
import { functionStarts } from '../scripts/functionNames.ts';
import { OriginalNames } from '../scripts/originalNames.ts';
import type { Script } from '../scripts/scripts.ts';
import { placesOfKept } from '../../../../workspace/sources/keptSource.ts';
import { loadScriptMap, sourceMapUrlOf } from '../../../../../base/sourceMaps.ts';
import { type BoundBy, type BreakpointSpec, V8Breakpoints } from './v8Breakpoints.ts';

/** What the binder needs of its isolate. */
interface BinderHost extends BindingsHost {
  toRemotePath(path: string): string;
  toLocalPath(path: string): string;
  /** Asks the preload to stop before modules are compiled. */
  wishForLoads(wish: { all: boolean }): Promise<void>;
  /** Scripts stop before their first statement. */
  pauseBefore(kind: ScriptPause): Promise<void>;
  namesOf(scriptId: string): Promise<OriginalNames | undefined>;
}

/**
 * Binds breakpoints in one isolate. Each is set by the URL of its own file, which V8 keeps for later loads, and at the generated
 * places of every loaded script whose source map names the file. Scripts are stopped at their first statement, so that
 * these places can be set in time; if the script passes under the name of the source itself (tsx, a test runner's transform),
 * the breakpoint by URL would stand on a line of the transformed text and is replaced.
 */
export class BreakpointBinder {
  readonly #host: BinderHost;
  readonly #specs = new Map<string, LineBreakpointSpec>();
  readonly #functions = new Map<string, FunctionBreakpointSpec>();
  readonly #v8: V8Breakpoints;
  readonly #bindings: Bindings;
  readonly #loadedFiles = new Set<string>();
  readonly #prepared = new Set<string>();
  readonly #loadPauses = new Set<string>();

  constructor(host: BinderHost) {
    this.#host = host;
    this.#v8 = new V8Breakpoints(host.session, (path) => host.toRemotePath(path));
    this.#bindings = new Bindings(host, this.#v8, (id) => this.#specs.get(id));
  }

  /** Whether any breakpoint counts or logs inside the program. */
  get hasConditions(): boolean {
    return [...this.#specs.values(), ...this.#functions.values()].some(
      (spec) => conditionExpression(spec) !== undefined,
    );
  }

  /** Our breakpoints behind those that V8 says were hit at a location. */
  async hits(v8Ids: readonly string[], location: Protocol.Debugger.Location | undefined): Promise<string[]> {
    const found = new Set<string>();
    for (const id of v8Ids.flatMap((each) => this.#v8.ownerOf(each) ?? []))
      if (await this.#bindings.isHit(id, location)) found.add(id);
    return [...found];
  }

  isOnFunction(breakpointId: string): boolean {
    return this.#functions.has(breakpointId);
  }

  wasLoaded(file: string): boolean {
    return this.#loadedFiles.has(file);
  }

  /** Replaces the breakpoints of one file. */
  async setFile(file: string, specs: readonly LineBreakpointSpec[]): Promise<BreakpointBinding[]> {
    const wanted = new Map(specs.map((spec) => [spec.id, spec]));
    const stale = [...this.#specs.values()].filter((old) => {
      const next = wanted.get(old.id);
      return old.file === file && (next === undefined || JSON.stringify(next) !== JSON.stringify(old));
    });
    await Promise.all(stale.map((old) => this.#remove(old.id)));
    const fresh = specs.filter((spec) => !this.#specs.has(spec.id));
    for (const spec of fresh) this.#specs.set(spec.id, spec);
    await this.#stopAtLoads();
    await Promise.all(fresh.map((spec) => this.#bindLine(spec)));
    return specs.map((spec) => this.#bindings.of(spec.id) ?? pending(spec));
  }

  async setFunctions(specs: readonly FunctionBreakpointSpec[]): Promise<BreakpointBinding[]> {
    const wanted = new Set(specs.map((spec) => JSON.stringify(spec)));
    for (const old of [...this.#functions.values()]) if (!wanted.has(JSON.stringify(old))) await this.#remove(old.id);
    const fresh = specs.filter((spec) => !this.#functions.has(spec.id));
    for (const spec of fresh) this.#functions.set(spec.id, spec);
    await this.#stopAtLoads();
    if (fresh.length > 0)
      await Promise.all([...this.#host.scripts.values()].map((script) => this.#bindFunctions(script, fresh)));
    return specs.map(
      (spec) =>
        this.#bindings.of(spec.id) ?? {
          breakpointId: spec.id,
          verified: false,
          isPending: true,
          message: `no function ${spec.functionName} is loaded yet`,
        },
    );
  }

  /** A script is about to run its first statement and V8 waits. */
  async beforeScript(script: Script): Promise<void> {
    if (this.#prepared.has(script.id)) return;
    this.#prepared.add(script.id);
    await Promise.all([this.#bindMapped(script), this.#bindFunctions(script, [...this.#functions.values()])]);
  }

  /** A CommonJS module is about to be compiled: V8 will not stop before it runs, so what concerns it is set by its URL now. */
  async beforeModule(path: string, content: string): Promise<void> {
    const url = sourceMapUrlOf(content);
    const map = url === undefined ? undefined : await loadScriptMap(url, path, (each) => this.#host.toLocalPath(each));
    for (const file of map?.files ?? []) this.#loadedFiles.add(file);
    const names = map === undefined ? undefined : OriginalNames.of(content, map);
    const specs = map === undefined ? [] : [...this.#specs.values()].filter((spec) => map.has(spec.file));
    await Promise.all(
      specs.map(async (spec) => {
        if (path === spec.file) await this.#v8.releaseByUrl(spec.id);
        const generated = map?.toGenerated(spec.file, spec.line, spec.column);
        if (generated === undefined) return map === undefined ? undefined : this.#bindings.noMappedCode(spec, map);
        for (const place of generated.at.slice(0, 10)) {
          const at = { lineNumber: place.line - 1, columnNumber: place.column - 1 };
          await this.#bindByUrl(spec, path, place.line, place.column, (text) => names?.compiled(text, at) ?? text);
        }
      }),
    );
    for (const spec of this.#functions.values())
      for (const start of startsIn(content, spec, names)) {
        const at = { lineNumber: start.line, columnNumber: start.column };
        const rename = (text: string) => names?.compiled(text, at) ?? text;
        await this.#bindByUrl(spec, path, start.line + 1, start.column + 1, rename);
      }
  }

  scriptLoaded(script: Script): void {
    if (script.path !== undefined) this.#loadedFiles.add(script.path);
  }

  /** V8 has bound one of our breakpoints to code, now that its script is loaded. */
  async resolved(event: Protocol.Debugger.BreakpointResolvedEvent): Promise<void> {
    const owner = this.#v8.ownerOf(event.breakpointId);
    if (owner !== undefined) await this.#bindings.report(owner, event.breakpointId, [event.location]);
  }

  settled(): Promise<void> {
    return this.#bindings.settled();
  }

  async #bindLine(spec: LineBreakpointSpec): Promise<void> {
    const scripts = [...this.#host.scripts.values()];
    const mapped = await Promise.all(
      scripts.filter((script) => !script.isLibrary || script.path === spec.file).map((script) => script.map()),
    );
    // Packages are not stopped in while they load: what is known of their files is set beforehand.
    for (const place of (await placesOfKept(spec.file, spec.line, spec.column)).slice(0, 10))
      await this.#bindByUrl(spec, place.path, place.line, place.column);
    const isTransformed = scripts.some((script) => script.path === spec.file && script.sourceMapUrl !== undefined);
    const isMapped = mapped.some((map) => map?.has(spec.file) === true);
    if (isMapped) await Promise.all(scripts.map((script) => this.#bindMapped(script, [spec])));
    if (!isTransformed || !isMapped)
      await this.#bindByUrl(spec, spec.file, spec.line, spec.column ?? 1, undefined, 'own url');
  }

  async #bindByUrl(
    spec: BreakpointSpec,
    path: string,
    line: number,
    column: number,
    rename = (expression: string) => expression,
    by: BoundBy = 'url',
  ): Promise<void> {
    const answer = await this.#v8.setByUrl(spec, { path, line, column, by }, rename);
    if (answer === undefined)
      this.#bindings.set({ breakpointId: spec.id, verified: false, message: 'another breakpoint stands on this line' });
    else if (answer.locations.length > 0) await this.#bindings.report(spec.id, answer.breakpointId, answer.locations);
    else if ('file' in spec && path === spec.file) await this.#bindings.noCodeIn(spec);
  }

  async #bindMapped(script: Script, only?: readonly LineBreakpointSpec[]): Promise<void> {
    if (script.sourceMapUrl === undefined || (script.isLibrary && !this.#concerns(script))) return;
    const map = await script.map();
    if (map === undefined) return;
    for (const file of map.files) this.#loadedFiles.add(file);
    const specs = (only ?? [...this.#specs.values()]).filter((spec) => map.has(spec.file));
    await Promise.all(
      specs.map(async (spec) => {
        // Modules are bound by URL before they compile; when V8 has also stopped before the script, it is done already.
        if (this.#bindings.isPlacedIn(spec.id, script)) return undefined;
        if (script.path === spec.file) await this.#v8.releaseByUrl(spec.id);
        const generated = map.toGenerated(spec.file, spec.line, spec.column);
        if (generated === undefined) return this.#bindings.noMappedCode(spec, map);
        await Promise.all(
          generated.at.slice(0, 10).map((place) => this.#bindAt(spec, script, place.line - 1, place.column - 1)),
        );
      }),
    );
  }

  async #bindFunctions(script: Script, specs: readonly FunctionBreakpointSpec[]): Promise<void> {
    if (specs.length === 0 || script.isLibrary) return;
    const source = await this.#host.sourceOf(script.id);
    if (source === undefined) return;
    const names = await this.#host.namesOf(script.id);
    for (const spec of specs)
      for (const start of startsIn(source, spec, names)) await this.#bindAt(spec, script, start.line, start.column);
  }

  async #bindAt(spec: BreakpointSpec, script: Script, lineNumber: number, columnNumber: number): Promise<void> {
    try {
      const names = await this.#host.namesOf(script.id);
      const at = { lineNumber, columnNumber };
      const answer = await this.#v8.setAt(spec, script, at, (text) => names?.compiled(text, at) ?? text);
      if (answer !== undefined) await this.#bindings.report(spec.id, answer.breakpointId, [answer.actualLocation]);
    } catch (error) {
      this.#bindings.set({ breakpointId: spec.id, verified: false, message: errorMessage(error) });
    }
  }

  #concerns(script: Script): boolean {
    return [...this.#specs.values()].some((spec) => spec.file === script.path);
  }

  /** From now on V8 stops before scripts with a source map run (all scripts, for functions), and modules before they compile. */
  async #stopAtLoads(): Promise<void> {
    const wantsAll = this.#functions.size > 0;
    if (this.#specs.size === 0 && !wantsAll) return;
    const kind = wantsAll ? 'beforeScriptExecution' : 'beforeScriptWithSourceMapExecution';
    if (this.#loadPauses.has(kind)) return;
    this.#loadPauses.add(kind);
    // In this order: what is evaluated for the wish would itself be stopped before it runs.
    await this.#host.wishForLoads({ all: wantsAll });
    await this.#host.pauseBefore(kind);
  }

  async #remove(id: string): Promise<void> {
    this.#specs.delete(id);
    this.#functions.delete(id);
    this.#bindings.forget(id);
    await this.#v8.releaseAll(id);
  }
}

/** Parsing is for scripts that mention the name, or whose own names are not those of the source. */
function startsIn(
  source: string,
  { functionName }: FunctionBreakpointSpec,
  names: OriginalNames | undefined,
): { line: number; column: number }[] {
  if (names === undefined && !source.includes(functionName.split(/[.#]/).at(-1) ?? '')) return [];
  return functionStarts(source, functionName, (offset) => names?.originalAt(offset));
}

function pending(spec: LineBreakpointSpec): BreakpointBinding {
  return { breakpointId: spec.id, verified: false, isPending: true, message: 'the file is not loaded yet' };
}
