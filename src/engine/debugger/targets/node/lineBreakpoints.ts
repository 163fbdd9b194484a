import { basename } from 'node:path';
import type { CdpSession } from '../../../../protocol/cdp/cdpSession.ts';
import type { ScriptPause } from './entryStop.ts';
import type { Protocol } from '../../../../protocol/cdp/types.ts';
import { errorMessage } from '../../../../base/errors.ts';
import type { BreakpointBinding, FunctionBreakpointSpec, LineBreakpointSpec, SourceLocation } from '../../model.ts';
import { nearestLines } from './codeLines.ts';
import { conditionExpression } from './conditions.ts';
import { functionStarts } from './functionNames.ts';
import { OriginalNames } from './originalNames.ts';
import { type Script, urlRegexOfPath } from './scripts.ts';
import { staleness } from './staleness.ts';
import { loadScriptMap, type ScriptMap, sourceMapUrlOf } from './sourceMaps.ts';

/** How far around a line without code others are looked for. */
const nearbyLines = 200;

/** By the URL of the file itself, by that of a compiled one at a mapped place, or in one script. */
type BoundBy = 'own url' | 'url' | 'place';

/** What the binder needs of its isolate. */
export interface BinderHost {
  readonly session: CdpSession;
  readonly scripts: ReadonlyMap<string, Script>;
  toRemotePath(path: string): string;
  toLocalPath(path: string): string;
  /** Asks the preload to stop before modules are compiled. */
  wishForLoads(wish: { all: boolean }): Promise<void>;
  /** Scripts stop before their first statement. */
  pauseBefore(kind: ScriptPause): Promise<void>;
  sourceOf(scriptId: string): Promise<string | undefined>;
  namesOf(scriptId: string): Promise<OriginalNames | undefined>;
  onBinding(binding: BreakpointBinding): void;
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
  /** V8's ids by ours, and back. */
  readonly #bound = new Map<string, Map<string, BoundBy>>();
  readonly #owners = new Map<string, string>();
  readonly #bindings = new Map<string, BreakpointBinding>();
  readonly #loadedFiles = new Set<string>();
  readonly #prepared = new Set<string>();
  /** Scripts in which a breakpoint is known to be bound to code. */
  readonly #placedIn = new Map<string, Set<string>>();
  readonly #loadPauses = new Set<string>();
  /** What is being found out about where breakpoints were bound. */
  readonly #reports = new Map<string, Promise<void>>();

  constructor(host: BinderHost) {
    this.#host = host;
  }

  /** Whether any breakpoint counts or logs inside the program. */
  get hasConditions(): boolean {
    return [...this.#specs.values(), ...this.#functions.values()].some(
      (spec) => conditionExpression(spec) !== undefined,
    );
  }

  /** Our breakpoints behind those that V8 says were hit at a location. That they are bound is told before the stop is. */
  async hits(v8Ids: readonly string[], location: Protocol.Debugger.Location | undefined): Promise<string[]> {
    const script = this.#host.scripts.get(location?.scriptId ?? '');
    const found = new Set<string>();
    for (const id of v8Ids.flatMap((each) => this.#owners.get(each) ?? []))
      if (location === undefined || script === undefined || !(await this.#misplaced(id, script, location)))
        found.add(id);
    for (const id of found) {
      await this.#reports.get(id)?.catch(() => undefined);
      if (this.#bindings.get(id)?.verified !== true)
        this.#set({ breakpointId: id, verified: true, location: locationIn(script, location) });
    }
    return [...found];
  }

  isOnFunction(breakpointId: string): boolean {
    return this.#functions.has(breakpointId);
  }

  wasLoaded(file: string): boolean {
    return this.#loadedFiles.has(file);
  }

  bindingOf(id: string): BreakpointBinding | undefined {
    return this.#bindings.get(id);
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
    return specs.map((spec) => this.#bindings.get(spec.id) ?? pending(spec));
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
        this.#bindings.get(spec.id) ?? {
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
        if (path === spec.file) await this.#removeByUrl(spec.id);
        const generated = map?.toGenerated(spec.file, spec.line, spec.column);
        if (generated === undefined) return map === undefined ? undefined : this.#noMappedCode(spec, map);
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
    const owner = this.#owners.get(event.breakpointId);
    if (owner !== undefined) await this.#report(owner, event.breakpointId, [event.location]);
  }

  async #bindLine(spec: LineBreakpointSpec): Promise<void> {
    const scripts = [...this.#host.scripts.values()];
    const mapped = await Promise.all(
      scripts.filter((script) => !script.isLibrary || script.path === spec.file).map((script) => script.map()),
    );
    const isTransformed = scripts.some((script) => script.path === spec.file && script.sourceMapUrl !== undefined);
    const isMapped = mapped.some((map) => map?.has(spec.file) === true);
    if (isMapped) await Promise.all(scripts.map((script) => this.#bindMapped(script, [spec])));
    if (!isTransformed || !isMapped)
      await this.#bindByUrl(spec, spec.file, spec.line, spec.column ?? 1, undefined, 'own url');
  }

  async #bindByUrl(
    spec: LineBreakpointSpec | FunctionBreakpointSpec,
    path: string,
    line: number,
    column: number,
    rename = (expression: string) => expression,
    by: BoundBy = 'url',
  ): Promise<void> {
    try {
      const answer = await this.#host.session.send('Debugger.setBreakpointByUrl', {
        urlRegex: urlRegexOfPath(this.#host.toRemotePath(path)),
        lineNumber: line - 1,
        columnNumber: column - 1,
        ...optionalCondition(spec, rename),
      });
      this.#own(spec.id, answer.breakpointId, by);
      if (answer.locations.length > 0) await this.#report(spec.id, answer.breakpointId, answer.locations);
      else if ('file' in spec && path === spec.file) await this.#noCodeIn(spec);
    } catch (error) {
      // Two breakpoints on one place: V8 refuses the second; the first one stops there already.
      if (!/already exists/.test(errorMessage(error))) throw error;
      this.#set({ breakpointId: spec.id, verified: false, message: 'another breakpoint stands on this line' });
    }
  }

  #noMappedCode(spec: LineBreakpointSpec, map: ScriptMap): void {
    this.#set({
      breakpointId: spec.id,
      verified: false,
      message: `the source map has no code at or after line ${spec.line}`,
      nearestLines: nearestLines(map.linesWithCode(spec.file), spec.line),
    });
  }

  /** The file is loaded as it is, and V8 has no place for the breakpoint. */
  async #noCodeIn(spec: LineBreakpointSpec): Promise<void> {
    const script = [...this.#host.scripts.values()].find((each) => each.path === spec.file);
    if (script === undefined || this.#bindings.get(spec.id)?.verified === true) return;
    const start = { scriptId: script.id, lineNumber: Math.max(spec.line - 1 - nearbyLines, 0), columnNumber: 0 };
    const end = { scriptId: script.id, lineNumber: spec.line - 1 + nearbyLines, columnNumber: 0 };
    const { locations } = await this.#host.session.send('Debugger.getPossibleBreakpoints', { start, end });
    const lines: number[] = [];
    for (const { lineNumber, columnNumber } of locations)
      if (!(await this.#isEnd(script, lineNumber, columnNumber ?? 0))) lines.push(lineNumber + 1);
    this.#set({
      breakpointId: spec.id,
      verified: false,
      message: `no code at or after line ${spec.line}`,
      nearestLines: nearestLines([...new Set(lines)], spec.line),
    });
  }

  async #bindMapped(script: Script, only?: readonly LineBreakpointSpec[]): Promise<void> {
    if (script.sourceMapUrl === undefined || (script.isLibrary && !this.#concerns(script))) return;
    const map = await script.map();
    if (map === undefined) return;
    for (const file of map.files) this.#loadedFiles.add(file);
    const specs = (only ?? [...this.#specs.values()]).filter((spec) => map.has(spec.file));
    await Promise.all(
      specs.map(async (spec) => {
        if (this.#isBoundByUrl(spec.id, script)) return undefined;
        if (script.path === spec.file) await this.#removeByUrl(spec.id);
        const generated = map.toGenerated(spec.file, spec.line, spec.column);
        if (generated === undefined) return this.#noMappedCode(spec, map);
        await Promise.all(
          generated.at.slice(0, 10).map((place) => this.#bindAt(spec, script, place.line - 1, place.column - 1)),
        );
      }),
    );
  }

  /** Modules are bound by URL before they compile; when V8 has also stopped before the script, it is done already. */
  #isBoundByUrl(id: string, script: Script): boolean {
    return this.#bindings.get(id)?.verified === true && this.#placedIn.get(id)?.has(script.id) === true;
  }

  async #bindFunctions(script: Script, specs: readonly FunctionBreakpointSpec[]): Promise<void> {
    if (specs.length === 0 || script.isLibrary) return;
    const source = await this.#host.sourceOf(script.id);
    if (source === undefined) return;
    const names = await this.#host.namesOf(script.id);
    for (const spec of specs)
      for (const start of startsIn(source, spec, names)) await this.#bindAt(spec, script, start.line, start.column);
  }

  async #bindAt(
    spec: LineBreakpointSpec | FunctionBreakpointSpec,
    script: Script,
    lineNumber: number,
    columnNumber: number,
  ): Promise<void> {
    try {
      const names = await this.#host.namesOf(script.id);
      const answer = await this.#host.session.send('Debugger.setBreakpoint', {
        location: { scriptId: script.id, lineNumber, columnNumber },
        ...optionalCondition(spec, (text) => names?.compiled(text, { lineNumber, columnNumber }) ?? text),
      });
      this.#own(spec.id, answer.breakpointId, 'place');
      await this.#report(spec.id, answer.breakpointId, [answer.actualLocation]);
    } catch (error) {
      if (/already exists/.test(errorMessage(error))) return;
      this.#set({ breakpointId: spec.id, verified: false, message: errorMessage(error) });
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

  #report(id: string, v8Id: string, locations: readonly Protocol.Debugger.Location[]): Promise<void> {
    const report = this.#tell(id, v8Id, locations).finally(() => {
      if (this.#reports.get(id) === report) this.#reports.delete(id);
    });
    this.#reports.set(id, report);
    return report;
  }

  async #tell(id: string, v8Id: string, locations: readonly Protocol.Debugger.Location[]): Promise<void> {
    const first = locations[0];
    const script = first === undefined ? undefined : this.#host.scripts.get(first.scriptId);
    if (first === undefined || script === undefined) return;
    const map = await script.map();
    const owned = this.#specs.get(id);
    // Bound by URL in a transformed file: not the user's line, and replaced before it runs.
    const isRaw = this.#bound.get(id)?.get(v8Id) === 'own url' || map?.has(owned?.file ?? '') === false;
    if (map !== undefined && script.path === owned?.file && isRaw) return;
    const misplaced = await this.#misplaced(id, script, first);
    if (misplaced !== undefined && owned !== undefined) {
      await this.#release(id, v8Id);
      return misplaced === 'end' ? this.#noCodeIn(owned) : this.#pointsElsewhere(owned, script, first);
    }
    const location = locationIn(script, first);
    const placed = this.#placedIn.get(id) ?? new Set<string>();
    this.#placedIn.set(id, placed.add(script.id));
    const message = owned === undefined ? undefined : await staleSource(owned, script, map);
    this.#set({
      breakpointId: id,
      verified: true,
      location,
      message,
    });
  }

  /** V8 moves a breakpoint on to the next code, and that may be none of its file's. */
  async #misplaced(
    id: string,
    script: Script,
    { lineNumber, columnNumber = 0 }: Protocol.Debugger.Location,
  ): Promise<'end' | 'elsewhere' | undefined> {
    const spec = this.#specs.get(id);
    if (spec === undefined) return undefined;
    if (script.path === spec.file && (await this.#isEnd(script, lineNumber, columnNumber))) return 'end';
    return script.locate(lineNumber, columnNumber)?.file === spec.file ? undefined : 'elsewhere';
  }

  /** V8 lets a module return behind its last character; no one wrote that. */
  async #isEnd(script: Script, line: number, column: number): Promise<boolean> {
    if (line < script.lastLine - 1) return false;
    const text = (await this.#host.sourceOf(script.id))?.split('\n')[line];
    return text !== undefined && text.slice(column).trim() === '';
  }

  #pointsElsewhere(
    spec: LineBreakpointSpec,
    script: Script,
    { lineNumber, columnNumber = 0 }: Protocol.Debugger.Location,
  ): void {
    const generated = `${script.path ?? script.url}:${lineNumber + 1}`;
    const location = script.locate(lineNumber, columnNumber);
    const there = location?.file === undefined ? 'nowhere' : `${location.file}:${location.line}`;
    this.#set({
      breakpointId: spec.id,
      verified: false,
      message: `its source map points elsewhere: the code for line ${spec.line} is at ${generated}, which maps back to ${there}`,
    });
  }

  #set(binding: BreakpointBinding): void {
    const old = this.#bindings.get(binding.breakpointId);
    if (old?.verified === true && !binding.verified) return;
    this.#bindings.set(binding.breakpointId, binding);
    this.#host.onBinding(binding);
  }

  #own(id: string, v8Id: string, kind: BoundBy): void {
    const ids = this.#bound.get(id) ?? new Map<string, BoundBy>();
    ids.set(v8Id, kind);
    this.#bound.set(id, ids);
    this.#owners.set(v8Id, id);
  }

  async #removeByUrl(id: string): Promise<void> {
    for (const [v8Id, kind] of this.#bound.get(id) ?? []) if (kind !== 'place') await this.#release(id, v8Id);
  }

  async #remove(id: string): Promise<void> {
    this.#specs.delete(id);
    this.#functions.delete(id);
    this.#bindings.delete(id);
    this.#placedIn.delete(id);
    await Promise.all([...(this.#bound.get(id)?.keys() ?? [])].map((v8Id) => this.#release(id, v8Id)));
    this.#bound.delete(id);
  }

  async #release(id: string, v8Id: string): Promise<void> {
    this.#bound.get(id)?.delete(v8Id);
    this.#owners.delete(v8Id);
    await this.#host.session.send('Debugger.removeBreakpoint', { breakpointId: v8Id });
  }
}

function locationIn(
  script: Script | undefined,
  at: Protocol.Debugger.Location | undefined,
): SourceLocation | undefined {
  return at === undefined ? undefined : script?.locate(at.lineNumber, at.columnNumber ?? 0);
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

/** What was compiled just now, under the name of its source, cannot be old. */
async function staleSource(
  spec: LineBreakpointSpec,
  script: Script,
  map: ScriptMap | undefined,
): Promise<string | undefined> {
  if (map === undefined || script.path === undefined || script.path === spec.file) return undefined;
  return staleness(spec, { path: script.path, map }, (path) => basename(path));
}

function pending(spec: LineBreakpointSpec): BreakpointBinding {
  return { breakpointId: spec.id, verified: false, isPending: true, message: 'the file is not loaded yet' };
}

/** Conditions and log messages are written in the names of the source; `rename` gives them those of the compiled code. */
function optionalCondition(
  spec: LineBreakpointSpec | FunctionBreakpointSpec,
  rename: (expression: string) => string,
): { condition?: string } {
  const condition = conditionExpression(spec, rename);
  return condition === undefined ? {} : { condition };
}
