import type { Node } from 'acorn';
import type { CdpSession } from '../../../../../protocol/cdp/cdpSession.ts';
import type { Protocol } from '../../../../../protocol/cdp/types.ts';
import { children, isFunction, nodeField, parseLeniently } from '../scripts/syntaxTree.ts';
import * as builtins from './builtins.ts';
import { type CodeFacts, factsOf } from './codeFacts.ts';
import { isPlainData } from './plainData.ts';

type RemoteObject = Protocol.Runtime.RemoteObject;

const maxFunctions = 40;
const maxSourceChars = 2_000_000;

/** What the proof may ask about the program. */
export interface ProofScene {
  readonly session: CdpSession;
  sourceOf(scriptId: string): Promise<string | undefined>;
}

/** Something that a name from outside means; undefined when no variable has that name, and the language's own is meant. */
type Names = (name: string) => Promise<RemoteObject | undefined>;

/**
 * Whether an expression can be evaluated in a frame without changing anything that was there before: what it and all functions it
 * leads to do is read from their text, and what the names in them mean is looked up in the program. Whatever cannot be shown
 * counts as harmful.
 */
export async function isHarmless(scene: ProofScene, callFrameId: string, expression: string): Promise<boolean> {
  const statement = children(parseLeniently(`(${expression}\n)`) ?? { type: '', start: 0, end: 0 })[0];
  const node = statement?.type === 'ExpressionStatement' ? nodeField(statement, 'expression') : undefined;
  const facts = node === undefined ? undefined : factsOf(node);
  if (facts === undefined) return false;
  try {
    if (!(await isLanguageIntact(scene.session, callFrameId))) return false;
    return await new Proof(scene).holds(facts, (name) => frameValue(scene.session, callFrameId, name));
  } catch (error) {
    if (error instanceof NotShown) return false;
    throw error;
  }
}

class NotShown extends Error {}

class Proof {
  readonly #scene: ProofScene;
  /** The functions looked at, by where they stand in the source: several may stand at one place. */
  readonly #seen = new Map<string, string[]>();
  readonly #facts: CodeFacts[] = [];
  /** Objects that were there before can be reached. */
  #reachesForeign = false;
  #keepsForeignFunctions = false;

  constructor(scene: ProofScene) {
    this.#scene = scene;
  }

  async holds(facts: CodeFacts, names: Names): Promise<boolean> {
    await this.#follow(facts, names);
    const any = (is: (facts: CodeFacts) => boolean) => this.#facts.some(is);
    const writesAnyName = any((each) => each.writesAnyName);
    const isOpen =
      this.#reachesForeign || any((each) => each.readsAnyName) || (writesAnyName && any((each) => each.trustsLength));
    // As long as everything in reach was made by the code itself, it may do with that what it likes.
    if (!isOpen) return true;
    if (this.#keepsForeignFunctions || any((each) => each.callsUnknown || each.keepsFunctions)) return false;
    return !any((each) => each.changes === 'anything' || (each.changes === 'newByMethods' && writesAnyName));
  }

  async #follow(facts: CodeFacts, names: Names): Promise<void> {
    this.#facts.push(facts);
    for (const name of facts.constructed)
      if (!builtins.constructors.has(name) || (await names(name)) !== undefined) throw new NotShown();
    for (const chain of facts.called) await this.#called(chain, names);
    for (const chain of facts.handed) await this.#used(chain, names, true);
    for (const chain of facts.used) await this.#used(chain, names, false);
  }

  async #called(chain: string, names: Names): Promise<void> {
    const path = chain.split('.');
    const root = await names(path[0] ?? '');
    if (root === undefined) {
      if (!builtins.staticFunctions.has(chain)) throw new NotShown();
      return;
    }
    // A name that the proof relied on means something else here.
    if (builtins.staticFunctions.has(chain)) throw new NotShown();
    const method = path.at(-1) ?? '';
    const owner = await this.#walk(root, path.slice(1, -1));
    // A text or a number has nothing but the language's own methods.
    if (path.length > 1 && owner.objectId === undefined && builtins.readingMethods.has(method)) return;
    const value = path.length === 1 ? root : await this.#read(owner, method);
    if (value.type !== 'function') throw new NotShown();
    if (await this.#isUserFunction(value)) return this.#function(value);
    // A method of the language, called on data.
    if (path.length === 1 || !builtins.readingMethods.has(method)) throw new NotShown();
    await this.#data(owner);
  }

  async #used(chain: string, names: Names, isHanded: boolean): Promise<void> {
    const path = chain.split('.');
    const root = await names(path[0] ?? '');
    if (root === undefined) {
      if (builtins.constants.has(chain)) return;
      if (!builtins.handedFunctions.has(chain) || !isHanded) throw new NotShown();
      this.#reachesForeign = true;
      return;
    }
    const value = await this.#walk(root, path.slice(1));
    if (value.type !== 'function') return this.#data(value);
    this.#reachesForeign = true;
    if (!isHanded) this.#keepsForeignFunctions = true;
    await this.#function(value);
  }

  async #data(value: RemoteObject): Promise<void> {
    if (value.objectId === undefined) return;
    this.#reachesForeign = true;
    if (!(await isPlainData(this.#scene.session, value))) throw new NotShown();
  }

  async #walk(from: RemoteObject, names: readonly string[]): Promise<RemoteObject> {
    let value = from;
    for (const name of names) value = await this.#read(value, name);
    return value;
  }

  /** V8 itself refuses a getter that would do something. */
  async #read(object: RemoteObject, name: string): Promise<RemoteObject> {
    if (object.objectId === undefined) {
      if (name !== 'length') throw new NotShown();
      return { type: 'number' };
    }
    const answer = await this.#scene.session.send('Runtime.callFunctionOn', {
      functionDeclaration: 'function(name) { return this[name] }',
      objectId: object.objectId,
      arguments: [{ value: name }],
      silent: true,
      throwOnSideEffect: true,
    });
    if (answer.exceptionDetails !== undefined) throw new NotShown();
    return answer.result;
  }

  async #isUserFunction(value: RemoteObject): Promise<boolean> {
    return (await this.#internals(value)).has('[[FunctionLocation]]');
  }

  async #internals(value: RemoteObject): Promise<Map<string, RemoteObject>> {
    const { internalProperties } = await this.#scene.session.send('Runtime.getProperties', {
      objectId: value.objectId ?? '',
      ownProperties: true,
    });
    return new Map(
      (internalProperties ?? []).flatMap(({ name, value: inner }) => (inner === undefined ? [] : [[name, inner]])),
    );
  }

  async #function(value: RemoteObject): Promise<void> {
    const internals = await this.#internals(value);
    // The protocol leaves the value of this internal property untyped.
    const at = internals.get('[[FunctionLocation]]')?.value as Protocol.Debugger.Location | undefined;
    const scopes = internals.get('[[Scopes]]');
    if (at === undefined || scopes?.objectId === undefined || value.subtype === 'proxy') throw new NotShown();
    if (await this.#isSeen(value, `${at.scriptId}:${at.lineNumber}:${at.columnNumber ?? 0}`)) return;
    const source = await this.#scene.sourceOf(at.scriptId);
    const node = source === undefined || source.length > maxSourceChars ? undefined : functionAt(source, at);
    const facts = node === undefined ? undefined : factsOf(node);
    if (facts === undefined) throw new NotShown();
    const variables = await this.#variables(scopes.objectId);
    await this.#follow(facts, (name) => Promise.resolve(variables.get(name)));
  }

  async #isSeen(value: RemoteObject, place: string): Promise<boolean> {
    const known = this.#seen.get(place) ?? [];
    if ([...this.#seen.values()].flat().length >= maxFunctions) throw new NotShown();
    this.#seen.set(place, [...known, value.objectId ?? '']);
    if (known.length === 0) return false;
    const answer = await this.#scene.session.send('Runtime.callFunctionOn', {
      objectId: value.objectId ?? '',
      functionDeclaration: 'function(...known) { return known.includes(this) }',
      arguments: known.map((objectId) => ({ objectId })),
      silent: true,
    });
    return answer.result.value === true;
  }

  /** The variables that a function sees, those nearest to it first; what is global is the language's own, or unknown. */
  async #variables(scopesId: string): Promise<Map<string, RemoteObject>> {
    const found = new Map<string, RemoteObject>();
    const { result } = await this.#scene.session.send('Runtime.getProperties', {
      objectId: scopesId,
      ownProperties: true,
    });
    for (const { name, value: scope } of result) {
      if (!/^\d+$/.test(name) || scope?.objectId === undefined || scope.description === 'Global') continue;
      if (scope.description?.startsWith('With') === true) throw new NotShown();
      const inside = await this.#scene.session.send('Runtime.getProperties', {
        objectId: scope.objectId,
        ownProperties: true,
      });
      for (const variable of inside.result)
        if (!found.has(variable.name) && variable.value !== undefined) found.set(variable.name, variable.value);
    }
    return found;
  }
}

async function isLanguageIntact(session: CdpSession, callFrameId: string): Promise<boolean> {
  const answer = await session.send('Debugger.evaluateOnCallFrame', {
    callFrameId,
    expression: builtins.isLanguageIntact,
    silent: true,
    returnByValue: true,
  });
  return answer.result.value === true;
}

/** What a name means in a frame, if it is not the language's own. */
async function frameValue(session: CdpSession, callFrameId: string, name: string): Promise<RemoteObject | undefined> {
  const ask = (expression: string) =>
    session.send('Debugger.evaluateOnCallFrame', { callFrameId, expression, silent: true, throwOnSideEffect: true });
  const own = await ask(`typeof ${name} !== 'undefined' && !(Object.is(${name}, globalThis[${JSON.stringify(name)}]))`);
  if (own.exceptionDetails !== undefined) throw new NotShown();
  if (own.result.value !== true) return undefined;
  const answer = await ask(name);
  if (answer.exceptionDetails !== undefined) throw new NotShown();
  return answer.result;
}

/** The innermost function whose head holds the position. */
function functionAt(source: string, at: Protocol.Debugger.Location): Node | undefined {
  const program = parseLeniently(source);
  if (program === undefined) return undefined;
  let offset = at.columnNumber ?? 0;
  for (let line = 0, start = 0; line < at.lineNumber; line++) {
    start = source.indexOf('\n', start) + 1;
    offset = start + (at.columnNumber ?? 0);
  }
  let found: Node | undefined;
  const look = (node: Node): void => {
    if (offset < node.start || offset >= node.end) return;
    const body = nodeField(node, 'body');
    if (isFunction(node) && body !== undefined && offset <= body.start) found = node;
    for (const child of children(node)) look(child);
  };
  look(program);
  return found;
}
