import type { CdpSession } from '../../../../../protocol/cdp/cdpSession.ts';
import type { Protocol } from '../../../../../protocol/cdp/types.ts';
import type { SourceLocation } from '../../../model.ts';
import { ownScriptUrl } from '../inProgram/drawing.ts';
import { maxParsedChars, OriginalNames } from './originalNames.ts';
import { Script } from './scripts.ts';

/** The code an isolate has compiled so far, with its texts and the names it had in the source. */
export class LoadedScripts {
  readonly #session: CdpSession;
  readonly #toLocalPath: (path: string) => string;
  readonly #byId = new Map<string, Script>();
  readonly #sources = new Map<string, Promise<string | undefined>>();
  readonly #names = new Map<string, Promise<OriginalNames | undefined>>();

  constructor(session: CdpSession, toLocalPath: (path: string) => string) {
    this.#session = session;
    this.#toLocalPath = toLocalPath;
  }

  get byId(): ReadonlyMap<string, Script> {
    return this.#byId;
  }

  get(scriptId: string): Script | undefined {
    return this.#byId.get(scriptId);
  }

  of(frame: Protocol.Debugger.CallFrame): Script | undefined {
    return this.#byId.get(frame.location.scriptId);
  }

  /** Undefined for what was compiled only to look at the program. */
  add(event: Protocol.Debugger.ScriptParsedEvent): Script | undefined {
    if (event.url === ownScriptUrl) return undefined;
    const script = new Script(event, this.#toLocalPath);
    this.#byId.set(script.id, script);
    // Maps of the user's own scripts are needed sooner or later; reading ahead keeps them out of the first stop.
    if (!script.isLibrary) void script.map();
    return script;
  }

  sourceOf(scriptId: string): Promise<string | undefined> {
    let source = this.#sources.get(scriptId);
    if (source === undefined) {
      source = this.#session.send('Debugger.getScriptSource', { scriptId }).then(
        (answer) => answer.scriptSource,
        () => undefined,
      );
      this.#sources.set(scriptId, source);
    }
    return source;
  }

  /**
   * What the variables of a script were called before it was compiled; undefined when they are called so still. In an expression
   * imports have their own names too, which takes reading scripts in which nothing else was renamed.
   */
  async namesOf(scriptId: string, isForExpression = false): Promise<OriginalNames | undefined> {
    const script = this.#byId.get(scriptId);
    const map = await script?.map();
    if (map === undefined || (script?.length ?? 0) > maxParsedChars) return undefined;
    if (!map.hasNames && map.files.length < 2 && !isForExpression) return undefined;
    let names = this.#names.get(scriptId);
    if (names === undefined) {
      names = this.sourceOf(scriptId).then((text) => (text === undefined ? undefined : OriginalNames.of(text, map)));
      this.#names.set(scriptId, names);
    }
    return names;
  }

  /** Positions are mapped without waiting afterwards, so the maps of what stands on the stack are read now. */
  async loadMaps(event: Protocol.Debugger.PausedEvent): Promise<void> {
    const scripts = new Set(event.callFrames.slice(0, 20).map((frame) => this.of(frame)));
    await Promise.all([...scripts].map(async (script) => script?.map()));
  }

  locate(frame: Protocol.Debugger.CallFrame): SourceLocation | undefined {
    return this.of(frame)?.locate(frame.location.lineNumber, frame.location.columnNumber ?? 0);
  }
}
