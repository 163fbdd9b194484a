import { basename } from 'node:path';
import type { CdpSession } from '../../../../../protocol/cdp/cdpSession.ts';
import type { Protocol } from '../../../../../protocol/cdp/types.ts';
import type { BreakpointBinding, LineBreakpointSpec, SourceLocation } from '../../../model.ts';
import { type Block, blockAround, blocksOf } from '../scripts/blocks.ts';
import { nearestLines } from '../scripts/codeLines.ts';
import type { Script } from '../scripts/scripts.ts';
import { staleness } from '../scripts/staleness.ts';
import type { ScriptMap } from '../../../../../base/sourceMaps.ts';
import type { V8Breakpoints } from './v8Breakpoints.ts';

/** How far around a line without code others are looked for. */
const nearbyLines = 200;

export interface BindingsHost {
  readonly session: CdpSession;
  readonly scripts: ReadonlyMap<string, Script>;
  sourceOf(scriptId: string): Promise<string | undefined>;
  onBinding(binding: BreakpointBinding): void;
}

/** Tells of each breakpoint where V8 has bound it, as a place in the source, or why it could not be bound there. */
export class Bindings {
  readonly #host: BindingsHost;
  readonly #v8: V8Breakpoints;
  readonly #specOf: (id: string) => LineBreakpointSpec | undefined;
  readonly #bindings = new Map<string, BreakpointBinding>();
  /** Scripts in which a breakpoint is known to be bound to code. */
  readonly #placedIn = new Map<string, Set<string>>();
  readonly #blocks = new Map<string, Promise<Block[]>>();
  /** What is being found out. */
  readonly #reports = new Map<string, Promise<void>>();

  /** `specOf`: what is known of a line breakpoint; undefined for one on a function. */
  constructor(host: BindingsHost, v8: V8Breakpoints, specOf: (id: string) => LineBreakpointSpec | undefined) {
    this.#host = host;
    this.#v8 = v8;
    this.#specOf = specOf;
  }

  of(id: string): BreakpointBinding | undefined {
    return this.#bindings.get(id);
  }

  isPlacedIn(id: string, script: Script): boolean {
    return this.#bindings.get(id)?.verified === true && this.#placedIn.get(id)?.has(script.id) === true;
  }

  forget(id: string): void {
    this.#bindings.delete(id);
    this.#placedIn.delete(id);
  }

  /** Whether a breakpoint of ours is what stopped the program there. That it is bound is told before the stop is. */
  async isHit(id: string, location: Protocol.Debugger.Location | undefined): Promise<boolean> {
    const script = this.#host.scripts.get(location?.scriptId ?? '');
    if (location !== undefined && script !== undefined && (await this.#misplaced(id, script, location)) !== undefined)
      return false;
    await this.#reports.get(id)?.catch(() => undefined);
    if (this.#bindings.get(id)?.verified !== true)
      this.set({ breakpointId: id, verified: true, location: locationIn(script, location) });
    return true;
  }

  report(id: string, v8Id: string, locations: readonly Protocol.Debugger.Location[]): Promise<void> {
    const report = this.#tell(id, v8Id, locations).finally(() => {
      if (this.#reports.get(id) === report) this.#reports.delete(id);
    });
    this.#reports.set(id, report);
    return report;
  }

  /** What is being found out has been told. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#reports.values());
  }

  /** What was bound stays so, whatever is found out later. */
  set(binding: BreakpointBinding): void {
    const old = this.#bindings.get(binding.breakpointId);
    if (old?.verified === true && !binding.verified) return;
    this.#bindings.set(binding.breakpointId, binding);
    this.#host.onBinding(binding);
  }

  noMappedCode(spec: LineBreakpointSpec, map: ScriptMap): void {
    this.set({
      breakpointId: spec.id,
      verified: false,
      message: `the source map has no code at or after line ${spec.line}`,
      nearestLines: nearestLines(map.linesWithCode(spec.file), spec.line),
    });
  }

  /** The file is loaded as it is, and V8 has no place for the breakpoint. */
  async noCodeIn(spec: LineBreakpointSpec, where = ''): Promise<void> {
    const script = [...this.#host.scripts.values()].find((each) => each.path === spec.file);
    if (script === undefined || this.#bindings.get(spec.id)?.verified === true) return;
    const start = { scriptId: script.id, lineNumber: Math.max(spec.line - 1 - nearbyLines, 0), columnNumber: 0 };
    const end = { scriptId: script.id, lineNumber: spec.line - 1 + nearbyLines, columnNumber: 0 };
    const { locations } = await this.#host.session.send('Debugger.getPossibleBreakpoints', { start, end });
    const lines: number[] = [];
    for (const { lineNumber, columnNumber } of locations)
      if (!(await this.#isEnd(script, lineNumber, columnNumber ?? 0))) lines.push(lineNumber + 1);
    this.set({
      breakpointId: spec.id,
      verified: false,
      message: `no code at or after line ${spec.line}${where}`,
      nearestLines: nearestLines([...new Set(lines)], spec.line),
    });
  }

  async #tell(id: string, v8Id: string, locations: readonly Protocol.Debugger.Location[]): Promise<void> {
    const first = locations[0];
    const script = first === undefined ? undefined : this.#host.scripts.get(first.scriptId);
    if (first === undefined || script === undefined) return;
    const map = await script.map();
    const owned = this.#specOf(id);
    // Bound by URL in a transformed file: not the user's line, and replaced before it runs.
    const isRaw = this.#v8.boundBy(id, v8Id) === 'own url' || map?.has(owned?.file ?? '') === false;
    if (map !== undefined && script.path === owned?.file && isRaw) return;
    const misplaced = await this.#misplaced(id, script, first);
    if (misplaced !== undefined && owned !== undefined) {
      await this.#v8.release(id, v8Id);
      return misplaced === 'elsewhere'
        ? this.#pointsElsewhere(owned, script, first)
        : this.noCodeIn(owned, misplaced === 'end' ? '' : ` in its ${misplaced}`);
    }
    const placed = this.#placedIn.get(id) ?? new Set<string>();
    this.#placedIn.set(id, placed.add(script.id));
    const message = owned === undefined ? undefined : await staleSource(owned, script, map);
    this.set({ breakpointId: id, verified: true, location: locationIn(script, first), message });
  }

  /** V8 moves a breakpoint on to the next code, and that may be none of its file's. */
  async #misplaced(
    id: string,
    script: Script,
    { lineNumber, columnNumber = 0 }: Protocol.Debugger.Location,
  ): Promise<'end' | 'elsewhere' | Block['kind'] | undefined> {
    const spec = this.#specOf(id);
    if (spec === undefined) return undefined;
    if (script.path === spec.file && (await this.#isEnd(script, lineNumber, columnNumber))) return 'end';
    const at = script.locate(lineNumber, columnNumber);
    if (at?.file !== spec.file) return 'elsewhere';
    if (script.path !== spec.file || script.isMapped || at.line <= spec.line) return undefined;
    // Behind the loop or function that it was meant for it would stop for something else.
    const block = blockAround(await this.#blocksOf(script), spec.line);
    return block !== undefined && at.line > block.lastLine ? block.kind : undefined;
  }

  #blocksOf(script: Script): Promise<Block[]> {
    const known = this.#blocks.get(script.id);
    if (known !== undefined) return known;
    const blocks = this.#host.sourceOf(script.id).then((source) => blocksOf(source ?? ''));
    this.#blocks.set(script.id, blocks);
    return blocks;
  }

  /** V8 lets a module return behind its last character; no one wrote that. */
  async #isEnd(script: Script, line: number, column: number): Promise<boolean> {
    if (line < script.lastLine - 1) return false;
    const text = (await this.#host.sourceOf(script.id))?.split('\n')[line];
    return text !== undefined && text.slice(column).trim() === '';
  }

  #pointsElsewhere(spec: LineBreakpointSpec, script: Script, at: Protocol.Debugger.Location): void {
    const generated = `${script.path ?? script.url}:${at.lineNumber + 1}`;
    const location = locationIn(script, at);
    const there = location?.file === undefined ? 'nowhere' : `${location.file}:${location.line}`;
    this.set({
      breakpointId: spec.id,
      verified: false,
      message: `its source map points elsewhere: the code for line ${spec.line} is at ${generated}, which maps back to ${there}`,
    });
  }
}

function locationIn(
  script: Script | undefined,
  at: Protocol.Debugger.Location | undefined,
): SourceLocation | undefined {
  return at === undefined ? undefined : script?.locate(at.lineNumber, at.columnNumber ?? 0);
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
