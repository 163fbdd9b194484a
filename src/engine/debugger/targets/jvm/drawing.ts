import { clip } from '../../../../base/text/textBudget.ts';
import { isObject, type JdwpValue, type ObjectValue, type PrimitiveValue } from '../../../../protocol/jdwp/packets.ts';
import type { JdwpMachine } from '../../../../protocol/jdwp/machine.ts';
import type { ValueLimits, Variable, VariablePage, VariableRange } from '../../model.ts';
import type { Classes } from './classes.ts';
import { nameOfSignature, valueLabel } from './names.ts';
import { Shapes, type Shape } from './shapes.ts';

/** Classes whose objects are as good as the value in them. */
const boxes = new Set(
  ['Integer', 'Long', 'Short', 'Byte', 'Character', 'Boolean', 'Float', 'Double'].map((name) => `java.lang.${name}`),
);

/** Shows values as people write them. Nothing in the program runs for it. */
export class Drawing {
  readonly shapes: Shapes;
  readonly #machine: JdwpMachine;
  readonly #classes: Classes;

  constructor(machine: JdwpMachine, classes: Classes) {
    this.#machine = machine;
    this.#classes = classes;
    this.shapes = new Shapes(machine, classes);
  }

  async variable(name: string, value: JdwpValue, limits: ValueLimits, evaluateName?: string): Promise<Variable> {
    const [text, type] = await Promise.all([this.text(value, limits), this.type(value)]);
    const opens = isObject(value) && value.objectId !== 0 && !(value.tag === 's') && !boxes.has(type.name);
    return {
      name,
      value: text,
      type: valueLabel(type.name),
      ...(opens ? { reference: `o${value.objectId}` } : {}),
      ...(evaluateName === undefined ? {} : { evaluateName }),
    };
  }

  async type(value: JdwpValue): Promise<{ name: string; classId: number }> {
    if (!isObject(value)) return { name: nameOfSignature(value.tag), classId: 0 };
    if (value.objectId === 0) return { name: 'null', classId: 0 };
    if (value.tag === 's') return { name: 'java.lang.String', classId: 0 };
    const { classId } = await this.#machine.classOf(value.objectId);
    return { name: await this.#classes.nameOf(classId), classId };
  }

  async text(value: JdwpValue, limits: ValueLimits): Promise<string> {
    return clip(await this.#draw(value, limits, limits.depth, new Set()), limits.maxValueChars);
  }

  /** The children of an object, a page of them. */
  async children(objectId: number, range: VariableRange, limits: ValueLimits, path?: string): Promise<VariablePage> {
    const value: ObjectValue = { tag: 'L', objectId };
    const { classId } = await this.#machine.classOf(objectId);
    const className = await this.#classes.nameOf(classId);
    const shape = className.endsWith('[]')
      ? await this.#arrayShape(objectId)
      : await this.shapes.of(value, classId, className);
    const inner = { ...limits, depth: Math.max(limits.depth - 1, 1) };
    const named = await this.#namedChildren(shape, range, path, className.endsWith('[]'));
    const wanted = range.filter?.toLowerCase();
    const matching =
      wanted === undefined ? named.all : named.all.filter(({ name }) => name.toLowerCase().includes(wanted));
    const part =
      named.isPage && wanted === undefined ? matching : matching.slice(range.start, range.start + range.count);
    const variables = await Promise.all(
      part.map((each) => this.variable(each.name, each.value, inner, each.evaluateName)),
    );
    return { variables, total: wanted === undefined ? named.total : matching.length };
  }

  async #namedChildren(
    shape: Shape,
    range: VariableRange,
    path: string | undefined,
    isArray: boolean,
  ): Promise<{ all: { name: string; value: JdwpValue; evaluateName?: string }[]; total: number; isPage: boolean }> {
    const at = (suffix: string) => (path === undefined ? {} : { evaluateName: `${path}${suffix}` });
    switch (shape.kind) {
      case 'list': {
        const start = range.filter === undefined ? range.start : 0;
        const items = await shape.items(start, range.filter === undefined ? range.count : shape.size);
        const all = items.map((value, index) => ({
          name: `[${start + index}]`,
          value,
          ...at(isArray ? `[${start + index}]` : `.get(${start + index})`),
        }));
        return { all, total: shape.size, isPage: true };
      }
      case 'map': {
        const entries = await shape.entries(range.filter === undefined ? range.start + range.count : shape.size);
        const short = { maxValueChars: 60, maxStringChars: 60, maxItems: 3, depth: 1 };
        const keys = await Promise.all(entries.map(([key]) => this.text(key, short)));
        const all = entries.map(([, value], index) => ({
          name: `[${keys[index] ?? ''}]`,
          value,
          ...at(`.get(${keys[index] ?? ''})`),
        }));
        return { all, total: shape.size, isPage: false };
      }
      case 'holder':
        return {
          all: shape.held === undefined ? [] : [{ name: 'value', value: shape.held, ...at('.get()') }],
          total: shape.held === undefined ? 0 : 1,
          isPage: false,
        };
      case 'record':
      case 'object': {
        const all = shape.fields.map(({ name, value }) => ({
          name: name.replace(/^val\$/, ''),
          value,
          ...at(`.${name}`),
        }));
        return { all, total: all.length, isPage: false };
      }
      case 'text':
      case 'enum':
        return { all: [], total: 0, isPage: false };
    }
  }

  async #draw(value: JdwpValue, limits: ValueLimits, depth: number, seen: ReadonlySet<number>): Promise<string> {
    if (!isObject(value)) return primitiveText(value);
    if (value.objectId === 0) return 'null';
    if (value.tag === 's') return quoted(await this.#machine.stringValue(value.objectId), limits.maxStringChars);
    if (value.tag === 'c')
      return `class ${nameOfSignature(await this.#machine.signature(await this.#machine.reflectedType(value.objectId)))}`;
    if (value.tag === 't') return `Thread "${await this.#machine.threadName(value.objectId)}"`;
    const { classId } = await this.#machine.classOf(value.objectId);
    const className = await this.#classes.nameOf(classId);
    if (boxes.has(className))
      return this.#draw((await this.shapes.field(value, 'value')) ?? value, limits, depth, seen);
    const label = valueLabel(className);
    if (seen.has(value.objectId)) return `<${label}, shown above>`;
    const inside = new Set([...seen, value.objectId]);
    const draw = (each: JdwpValue) => this.#draw(each, limits, depth - 1, inside);
    if (className.endsWith('[]'))
      return this.#drawList(await this.#arrayShape(value.objectId), label.slice(0, -2), limits, depth, draw, true);
    if (await this.#classes.isKindOf(classId, 'java.lang.Throwable')) return this.#drawThrowable(value, label, limits);
    const shape = await this.shapes.of(value, classId, className);
    return this.#drawShape(shape, label, limits, depth, draw);
  }

  async #drawShape(
    shape: Shape,
    label: string,
    limits: ValueLimits,
    depth: number,
    draw: (value: JdwpValue) => Promise<string>,
  ): Promise<string> {
    switch (shape.kind) {
      case 'text':
        return shape.text;
      case 'enum':
        return `${label}.${shape.name}`;
      case 'holder':
        return shape.held === undefined ? `${label}.empty` : `${label}[${depth > 0 ? await draw(shape.held) : '…'}]`;
      case 'list':
        return this.#drawList(shape, label, limits, depth, draw, false);
      case 'map': {
        if (depth <= 0) return `${label}(${shape.size})`;
        const entries = await shape.entries(limits.maxItems);
        const shown = await Promise.all(entries.map(async ([key, value]) => `${await draw(key)}=${await draw(value)}`));
        return `${label}(${shape.size}) {${withRest(shown, shape.size)}}`;
      }
      case 'record':
      case 'object': {
        const [open, close] = shape.kind === 'record' ? ['[', ']'] : ['{', '}'];
        if (shape.fields.length === 0) return `${label}${open}${close}`;
        if (depth <= 0) return `${label}${open}…${close}`;
        const shown = await Promise.all(
          shape.fields
            .slice(0, limits.maxItems)
            .map(async ({ name, value }) => `${name.replace(/^val\$/, '')}=${await draw(value)}`),
        );
        return `${label}${open}${withRest(shown, shape.fields.length)}${close}`;
      }
    }
  }

  async #drawList(
    shape: Extract<Shape, { kind: 'list' }>,
    label: string,
    limits: ValueLimits,
    depth: number,
    draw: (value: JdwpValue) => Promise<string>,
    isArray: boolean,
  ): Promise<string> {
    const head = isArray ? `${label}[${shape.size}]` : `${label}(${shape.size})`;
    if (depth <= 0) return head;
    const shown = await Promise.all((await shape.items(0, limits.maxItems)).map(draw));
    return `${head} [${withRest(shown, shape.size)}]`;
  }

  async #drawThrowable(value: ObjectValue, label: string, limits: ValueLimits): Promise<string> {
    const message = await this.shapes.text(await this.shapes.field(value, 'detailMessage'));
    return message === '' ? label : `${label}: ${clip(message, limits.maxStringChars)}`;
  }

  async #arrayShape(objectId: number): Promise<Extract<Shape, { kind: 'list' }>> {
    const size = await this.#machine.arrayLength(objectId);
    return { kind: 'list', size, items: (start, count) => this.shapes.items(objectId, size, start, count) };
  }
}

function withRest(shown: readonly string[], size: number): string {
  return size > shown.length ? [...shown, `… ${size - shown.length} more`].join(', ') : shown.join(', ');
}

function quoted(text: string, maxChars: number): string {
  return text.length <= maxChars
    ? JSON.stringify(text)
    : `${JSON.stringify(text.slice(0, maxChars))}… (${text.length} chars)`;
}

export function primitiveText({ tag, value }: PrimitiveValue): string {
  switch (tag) {
    case 'C': {
      const character = String.fromCharCode(Number(value));
      return `'${character === "'" ? "\\'" : JSON.stringify(character).slice(1, -1)}'`;
    }
    case 'D':
      return doubleText(Number(value));
    case 'F':
      return doubleText(Number(Number(value).toPrecision(8)));
    case 'V':
      return 'void';
    case 'B':
    case 'I':
    case 'J':
    case 'S':
    case 'Z':
      return String(value);
  }
}

/** Java writes whole numbers of this kind with a point. */
function doubleText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity';
  if (Object.is(value, -0)) return '-0.0';
  const text = String(value);
  return /^-?\d+$/.test(text) ? `${text}.0` : text.replace(/e\+?/, 'E');
}
