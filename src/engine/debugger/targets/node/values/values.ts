import type { CdpSession } from '../../../../../protocol/cdp/cdpSession.ts';
import type { Protocol } from '../../../../../protocol/cdp/types.ts';
import { errorMessage } from '../../../../../base/errors.ts';
import { clip } from '../../../../../base/text/textBudget.ts';
import type { ValueLimits, Variable, VariablePage, VariableRange } from '../../../model.ts';
import { childSlice, errorFields, ownKeyCount } from '../inProgram/inspectorFunctions.ts';
import { drawValue } from './scopeDrawing.ts';
import {
  childPath,
  describeSpecial,
  hasNestedObjects,
  indexedCount,
  isExpandable,
  isList,
  keyText,
  mayHavePrivateFields,
  primitive,
  renderPreview,
  shallow,
  typeName,
  wrap,
} from './valueText.ts';

type RemoteObject = Protocol.Runtime.RemoteObject;
type Property = Protocol.Runtime.PropertyDescriptor;

/** Gives values short ids that open them; forgotten when the thread runs on. */
interface HandleTable {
  add(object: RemoteObject, evaluateName: string | undefined): string;
}

/**
 * Renders V8's values within limits. Nothing of the program runs for it: no getter is called, no proxy trapped, and of a
 * container only the asked children cross the wire, however many there are.
 */
export class Values {
  readonly #session: CdpSession;
  readonly #handles: HandleTable;
  /** Realms found to have no drawing function. */
  readonly #undrawable = new Set<string>();

  constructor(session: CdpSession, handles: HandleTable) {
    this.#session = session;
    this.#handles = handles;
  }

  async present(name: string, object: RemoteObject, limits: ValueLimits, evaluateName?: string): Promise<Variable> {
    const text = (await this.#drawn(object, limits)) ?? (await this.render(object, limits, limits.depth));
    const counts = indexedCount(object);
    return {
      name,
      value: clip(text, limits.maxValueChars),
      type: typeName(object),
      ...(isExpandable(object) ? { reference: this.#handles.add(object, evaluateName) } : {}),
      ...(counts === undefined ? {} : { indexedCount: counts }),
      ...(evaluateName === undefined ? {} : { evaluateName }),
    };
  }

  /** What holds other objects is drawn inside the program where it can be: one round trip, and an object that appears twice says so. */
  async #drawn(object: RemoteObject, limits: ValueLimits): Promise<string | undefined> {
    const { preview, subtype } = object;
    const isPlain = subtype === undefined || ['array', 'map', 'set'].includes(subtype);
    if (preview === undefined || !isPlain || limits.depth < 2) return undefined;
    if (!hasNestedObjects(preview) && preview.entries === undefined) return undefined;
    return drawValue(this.#session, object, limits, this.#undrawable);
  }

  async presentProperties(
    properties: readonly Property[],
    limits: ValueLimits,
    parentName: string | undefined,
  ): Promise<Variable[]> {
    return Promise.all(properties.map((property) => this.#presentProperty(property, limits, parentName)));
  }

  /** The children of an object, a page at a time. */
  async children(
    object: RemoteObject,
    range: VariableRange,
    limits: ValueLimits,
    evaluateName: string | undefined,
  ): Promise<VariablePage> {
    const isIndexed = indexedCount(object) !== undefined;
    const count = await this.#childCount(object);
    const isWhole = mayHavePrivateFields(object) && (count ?? Infinity) <= maxWholeInstance;
    const isAll = isWhole || range.filter !== undefined;
    const all = isAll ? { start: 0, count: Math.min(count ?? 5000, 5000) } : range;
    const { properties, internal } = await this.#slice(object, all.start, all.count, isWhole);
    const wanted = properties.filter(
      (property) => range.filter === undefined || property.name.toLowerCase().includes(range.filter.toLowerCase()),
    );
    const page = isAll ? wanted.slice(range.start, range.start + range.count) : wanted;
    const total = isAll ? wanted.length : count;
    const variables = await this.presentProperties(page, limits, evaluateName);
    const extras = range.start === 0 && range.filter === undefined && !isIndexed ? internal : [];
    for (const property of extras)
      if (property.value !== undefined)
        variables.push({ ...(await this.present(property.name, property.value, limits)), kind: 'internal' });
    return {
      variables,
      ...optional('total', total),
    };
  }

  async render(object: RemoteObject, limits: ValueLimits, depth: number): Promise<string> {
    if (object.type !== 'object' || object.subtype === 'null') return primitive(object, limits);
    const special = describeSpecial(object, limits);
    if (special !== undefined) return special;
    if (object.objectId === undefined) return object.description ?? 'object';
    if (depth <= 0) return shallow(object);
    if (object.subtype === 'proxy') return this.#renderProxy(object.objectId, limits, depth);
    if (object.subtype === 'promise') return this.#renderPromise(object.objectId, limits, depth);
    const preview = object.preview;
    // Each level below costs a round trip; the last one is drawn from what came along with the one above.
    const isEnough = depth === 1 || (preview?.overflow === false && !hasNestedObjects(preview));
    if (preview !== undefined && (isEnough || preview.entries !== undefined))
      return renderPreview(object, preview, limits);
    try {
      const isWhole = preview === undefined ? await this.#isSmallInstance(object) : !preview.overflow;
      const maxItems = preview !== undefined && hasNestedObjects(preview) && isList(object) ? 3 : limits.maxItems;
      const { properties } = await this.#slice(object, 0, maxItems, isWhole);
      const total = indexedCount(object) ?? (isWhole ? properties.length : await this.#childCount(object));
      return await this.#renderChildren(object, properties.slice(0, maxItems), total, limits, depth);
    } catch (error) {
      return preview === undefined
        ? `${shallow(object)} <${errorMessage(error)}>`
        : renderPreview(object, preview, limits);
    }
  }

  /** What it stands for, read past its traps. */
  async #renderProxy(objectId: string, limits: ValueLimits, depth: number): Promise<string> {
    const answer = await this.#session.send('Runtime.getProperties', { objectId, ownProperties: true });
    const target = (answer.internalProperties ?? []).find((property) => property.name === '[[Target]]')?.value;
    return target === undefined ? 'Proxy (revoked)' : `Proxy of ${await this.render(target, limits, depth)}`;
  }

  /** The elements of an array, without running anything. */
  async elements(list: RemoteObject, count: number): Promise<RemoteObject[]> {
    if (list.objectId === undefined || !isList(list)) return [];
    const { properties } = await this.#slice(list, 0, count);
    return properties.flatMap(({ name, value }) => (/^\d+$/.test(name) && value !== undefined ? [value] : []));
  }

  /** State and result are internal; the own properties of a promise are those that Node's hooks left there. */
  async #renderPromise(objectId: string, limits: ValueLimits, depth: number): Promise<string> {
    const answer = await this.#session.send('Runtime.getProperties', {
      objectId,
      ownProperties: true,
      generatePreview: true,
    });
    const of = (name: string) => (answer.internalProperties ?? []).find((property) => property.name === name)?.value;
    const state: unknown = of('[[PromiseState]]')?.value;
    const result = of('[[PromiseResult]]');
    if (state === 'pending' || result === undefined) return 'Promise {<pending>}';
    return `Promise {<${String(state)}>: ${await this.render(result, limits, depth - 1)}}`;
  }

  /** Fields of an exception that say what was wrong: actual, expected, code, cause. */
  async errorDetails(
    error: RemoteObject,
    limits: ValueLimits,
  ): Promise<{
    fields: Variable[];
    message?: string;
    name?: string;
    stack?: string;
    objects: { cause?: RemoteObject; errors?: RemoteObject };
  }> {
    if (error.objectId === undefined) return { fields: [], objects: {} };
    const answer = await this.#session.send('Runtime.callFunctionOn', {
      objectId: error.objectId,
      functionDeclaration: errorFields,
      silent: true,
    });
    if (answer.result.objectId === undefined) return { fields: [], objects: {} };
    const properties = await this.#properties(answer.result.objectId);
    const text = (name: string) => {
      const value: unknown = properties.find((property) => property.name === name)?.value?.value;
      return typeof value === 'string' ? value : undefined;
    };
    const shown = properties.filter((property) => !['name', 'message', 'stack'].includes(property.name));
    return {
      fields: await this.presentProperties(shown, limits, undefined),
      ...optional('message', text('message')),
      ...optional('name', text('name')),
      ...optional('stack', text('stack')),
      objects: {
        ...optional('cause', properties.find((property) => property.name === 'cause')?.value),
        ...optional('errors', properties.find((property) => property.name === 'errors')?.value),
      },
    };
  }

  async #presentProperty(property: Property, limits: ValueLimits, parentName: string | undefined): Promise<Variable> {
    const evaluateName = childPath(parentName, property.name);
    if (property.value === undefined) {
      const accessor =
        property.get?.type === 'function' ? '[getter]' : property.set?.type === 'function' ? '[setter]' : undefined;
      return {
        name: property.name,
        value: accessor ?? '<not available>',
        type: accessor === undefined ? 'unavailable' : 'accessor',
        kind: 'getter',
        ...optional('evaluateName', evaluateName),
      };
    }
    return this.present(property.name, property.value, limits, evaluateName);
  }

  async #renderChildren(
    object: RemoteObject,
    properties: readonly Property[],
    total: number | undefined,
    limits: ValueLimits,
    depth: number,
  ): Promise<string> {
    const isElements = isList(object);
    const nested = {
      ...limits,
      maxItems: Math.max(3, Math.floor(limits.maxItems / 2)),
      maxStringChars: Math.min(limits.maxStringChars, 60),
    };
    const parts = await Promise.all(
      properties.map(async (property) => {
        const value =
          property.value === undefined
            ? property.get?.type === 'function'
              ? '[getter]'
              : '<not available>'
            : await this.render(property.value, nested, depth - 1);
        return isElements && /^\d+$/.test(property.name) ? value : `${keyText(property.name)}: ${value}`;
      }),
    );
    const more = total === undefined ? 0 : total - properties.length;
    if (more > 0) parts.push(`… +${more}`);
    return wrap(object, parts.join(', '));
  }

  async #childCount(object: RemoteObject): Promise<number | undefined> {
    const indexed = indexedCount(object);
    if (indexed !== undefined) return indexed;
    if (object.objectId === undefined || object.subtype === 'proxy') return undefined;
    const answer = await this.#session.send('Runtime.callFunctionOn', {
      objectId: object.objectId,
      functionDeclaration: ownKeyCount,
      returnByValue: true,
      silent: true,
    });
    const count: unknown = answer.result.value;
    return typeof count === 'number' ? count : undefined;
  }

  /** The receiver of a frame comes without a preview. */
  async #isSmallInstance(object: RemoteObject): Promise<boolean> {
    return mayHavePrivateFields(object) && ((await this.#childCount(object)) ?? Infinity) <= maxWholeInstance;
  }

  async #slice(
    object: RemoteObject,
    start: number,
    count: number,
    isSmall = false,
  ): Promise<{ properties: Property[]; internal: Protocol.Runtime.InternalPropertyDescriptor[] }> {
    const objectId = object.objectId ?? '';
    const isCollection = object.subtype === 'map' || object.subtype === 'set';
    if (object.subtype === 'proxy' || (isSmall && !isCollection)) {
      const answer = await this.#session.send('Runtime.getProperties', {
        objectId,
        ownProperties: true,
        generatePreview: true,
      });
      return {
        properties: [
          ...answer.result.filter(
            (property) => property.name !== '__proto__' && !(isList(object) && property.name === 'length'),
          ),
          ...(answer.privateProperties ?? []).map((field) => ({ ...field, configurable: false, enumerable: true })),
        ],
        internal: (answer.internalProperties ?? []).filter((property) => property.name !== '[[Prototype]]'),
      };
    }
    const answer = await this.#session.send('Runtime.callFunctionOn', {
      objectId,
      functionDeclaration: childSlice,
      arguments: [{ value: start }, { value: count }, { value: object.subtype ?? '' }],
      silent: true,
    });
    if (answer.exceptionDetails !== undefined || answer.result.objectId === undefined)
      throw new Error(answer.exceptionDetails?.exception?.description ?? 'its children cannot be read');
    return { properties: await this.#properties(answer.result.objectId), internal: [] };
  }

  async #properties(objectId: string): Promise<Property[]> {
    const answer = await this.#session.send('Runtime.getProperties', {
      objectId,
      ownProperties: true,
      generatePreview: true,
    });
    return answer.result.filter((property) => property.name !== '__proto__');
  }
}

/** Instances with at most this many own properties are read as a whole, private fields included. */
const maxWholeInstance = 200;

function optional<K extends string, V>(key: K, value: V | undefined): { [name in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [name in K]?: V });
}
