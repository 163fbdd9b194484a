import {
  isObject,
  type JdwpValue,
  type ObjectValue,
  type PrimitiveValue,
} from '../../../../../protocol/jdwp/packets.ts';
import type { InvokeResult, JdwpMachine } from '../../../../../protocol/jdwp/machine.ts';
import type { ClassField, ClassMethod, Classes } from '../classes.ts';
import { type Drawing, primitiveText } from '../drawing.ts';
import { nameOfSignature, partsOfMethod, shortName, signatureOfName } from '../names.ts';
import { isNull } from '../shapes.ts';
import { compare, compute, converted, negated, widens, boolean, type PrimitiveTag } from './arithmetic.ts';
import { isProvenRead } from './provenReads.ts';
import { dotted, type Expression, ExpressionError } from './syntax.ts';

export interface LocalVariable {
  name: string;
  signature: string;
  slot: number;
  value: JdwpValue;
}

/** Where an expression is evaluated. */
export interface EvaluationScope {
  threadId: number;
  frameId: number | undefined;
  classId: number | undefined;
  locals: ReadonlyMap<string, LocalVariable>;
  self: ObjectValue;
  /** Names of classes that the source imports, and packages it imports whole. */
  imports: { classes: readonly string[]; packages: readonly string[]; statics: readonly string[] };
  /** Nothing may be called that is not known to only read, and nothing changed. */
  readOnly: boolean;
}

export class ReadOnlyError extends ExpressionError {}

const nothing: ObjectValue = { tag: 'L', objectId: 0 };

const boxNames: Readonly<Record<PrimitiveTag, string>> = {
  B: 'java.lang.Byte',
  C: 'java.lang.Character',
  D: 'java.lang.Double',
  F: 'java.lang.Float',
  I: 'java.lang.Integer',
  J: 'java.lang.Long',
  S: 'java.lang.Short',
  Z: 'java.lang.Boolean',
};
const boxed = new Set(Object.values(boxNames));

/** A place that can be read and written. */
interface Place {
  signature: string;
  value: JdwpValue;
  set(value: JdwpValue): Promise<void>;
}

/** Evaluates expressions with what the virtual machine offers: reading, and calling methods in a stopped thread. */
export class Evaluator {
  readonly #machine: JdwpMachine;
  readonly #classes: Classes;
  readonly #drawing: Drawing;
  readonly #scope: EvaluationScope;

  constructor(machine: JdwpMachine, classes: Classes, drawing: Drawing, scope: EvaluationScope) {
    this.#machine = machine;
    this.#classes = classes;
    this.#drawing = drawing;
    this.#scope = scope;
  }

  async evaluate(expression: Expression): Promise<JdwpValue> {
    switch (expression.kind) {
      case 'literal':
        return literal(expression);
      case 'string':
        return this.#machine.createString(expression.text);
      case 'null':
        return nothing;
      case 'this':
        if (isNull(this.#scope.self)) throw new ExpressionError('there is no `this` in a static method');
        return this.#scope.self;
      case 'name':
      case 'field':
      case 'index':
        return (await this.#place(expression)).value;
      case 'call':
        return this.#call(expression);
      case 'unary':
        return negated(expression.operator, await this.#primitive(expression.operand));
      case 'binary':
        return this.#binary(expression.operator, expression.left, expression.right);
      case 'conditional':
        return this.evaluate((await this.truth(expression.test)) ? expression.yes : expression.no);
      case 'cast':
        return this.#cast(expression.type, await this.evaluate(expression.operand));
      case 'instanceof':
        return boolean(await this.#isInstance(await this.evaluate(expression.operand), expression.type));
      case 'classLiteral':
        return this.#machine.classObject(await this.#requireClass(expression.type));
      case 'assign':
      case 'update':
        return this.#change(expression);
      case 'new':
      case 'newArray':
        return this.#create(expression);
    }
  }

  async truth(expression: Expression): Promise<boolean> {
    const value = await this.#primitive(expression);
    if (value.tag !== 'Z')
      throw new ExpressionError(`a boolean is expected, and this is ${nameOfSignature(value.tag)}`);
    return value.value === true;
  }

  /** Changes what the path names and tells its new value. */
  async assign(path: Expression, value: Expression): Promise<JdwpValue> {
    return this.#change({ kind: 'assign', operator: '', target: path, value });
  }

  async #primitive(expression: Expression): Promise<PrimitiveValue> {
    const value = await this.#unboxed(await this.evaluate(expression));
    if (isObject(value))
      throw new ExpressionError(
        value.objectId === 0
          ? 'NullPointerException: the value is null'
          : `${shortName((await this.#drawing.type(value)).name)} is no number or boolean`,
      );
    return value;
  }

  async #unboxed(value: JdwpValue): Promise<JdwpValue> {
    if (!isObject(value) || value.objectId === 0 || value.tag === 's') return value;
    const { name } = await this.#drawing.type(value);
    return boxed.has(name) ? ((await this.#drawing.shapes.field(value, 'value')) ?? value) : value;
  }

  async #binary(operator: string, left: Expression, right: Expression): Promise<JdwpValue> {
    if (operator === '&&') return boolean((await this.truth(left)) && (await this.truth(right)));
    if (operator === '||') return boolean((await this.truth(left)) || (await this.truth(right)));
    const [a, b] = [await this.evaluate(left), await this.evaluate(right)];
    if (operator === '+' && (a.tag === 's' || b.tag === 's'))
      return this.#machine.createString((await this.#asText(a)) + (await this.#asText(b)));
    if (operator === '==' || operator === '!=') {
      const same = await this.#same(a, b, left.kind === 'string' || right.kind === 'string');
      if (same !== undefined) return boolean(same === (operator === '=='));
    }
    const [x, y] = [await this.#unboxed(a), await this.#unboxed(b)];
    if (isObject(x) || isObject(y))
      throw new ExpressionError(`'${operator}' does not take ${isObject(x) ? 'the left' : 'the right'} side`);
    return ['==', '!=', '<', '>', '<=', '>='].includes(operator) ? compare(operator, x, y) : compute(operator, x, y);
  }

  /** Whether two references are one; undefined where numbers are compared. */
  async #same(a: JdwpValue, b: JdwpValue, withLiteral: boolean): Promise<boolean | undefined> {
    if (!isObject(a) || !isObject(b)) return undefined;
    // A literal written here is another object than the same literal in the program, which would be one with it there.
    if (withLiteral && a.tag === 's' && b.tag === 's' && a.objectId !== 0 && b.objectId !== 0)
      return (await this.#machine.stringValue(a.objectId)) === (await this.#machine.stringValue(b.objectId));
    return a.objectId === b.objectId;
  }

  async #asText(value: JdwpValue): Promise<string> {
    if (isObject(value) && value.tag === 's' && value.objectId !== 0) return this.#machine.stringValue(value.objectId);
    const plain = await this.#unboxed(value);
    if (!isObject(plain)) return plain.tag === 'C' ? String.fromCharCode(Number(plain.value)) : primitiveText(plain);
    if (plain.objectId === 0) return 'null';
    const text = await this.#invokeNamed(plain, 'toString', []);
    return isObject(text) && text.objectId !== 0 ? this.#machine.stringValue(text.objectId) : 'null';
  }

  async #cast(type: string, value: JdwpValue): Promise<JdwpValue> {
    const signature = signatureOfName(type);
    if (signature.length === 1) {
      const plain = await this.#unboxed(value);
      if (isObject(plain)) throw new ExpressionError(`this cannot be cast to ${type}`);
      return converted(plain, signature as PrimitiveTag);
    }
    if (!isObject(value)) return this.#box(value);
    if (value.objectId !== 0 && !(await this.#isInstance(value, type)))
      throw new ExpressionError(
        `ClassCastException: ${shortName((await this.#drawing.type(value)).name)} is no ${type}`,
      );
    return value;
  }

  async #isInstance(value: JdwpValue, type: string): Promise<boolean> {
    if (!isObject(value) || value.objectId === 0) return false;
    const { name, classId } = await this.#drawing.type(value);
    const kinds =
      classId === 0
        ? new Set([name, 'java.lang.CharSequence', 'java.lang.Object'])
        : await this.#classes.kinds(classId);
    if (kinds.has(type)) return true;
    // Written without its package, or with dots before nested classes.
    return [...kinds].some(
      (kind) => kind.endsWith(`.${type}`) || kind.endsWith(`$${type}`) || shortName(kind) === type,
    );
  }

  async #place(expression: Expression): Promise<Place> {
    if (expression.kind === 'name') return this.#named(expression.name);
    if (expression.kind === 'field') return this.#member(expression);
    if (expression.kind === 'index') return this.#element(expression.target, expression.index);
    throw new ExpressionError('that cannot be changed');
  }

  async #named(name: string): Promise<Place> {
    const local = this.#scope.locals.get(name);
    if (local !== undefined) return this.#localPlace(local);
    const found = (await this.#ofSelf(name)) ?? (await this.#ofImports(name));
    if (found !== undefined) return found;
    throw new ExpressionError(`cannot resolve '${name}' here${await this.#visible()}`);
  }

  /** What there is, for whoever wrote a name that is not there. */
  async #visible(): Promise<string> {
    const { self } = this.#scope;
    const fields = isNull(self)
      ? []
      : (await this.#drawing.shapes.fieldsOf(self, (await this.#drawing.type(self)).classId)).map(({ name }) => name);
    const names = [...this.#scope.locals.keys(), ...fields.filter((field) => !field.includes('$'))].slice(0, 12);
    return names.length === 0 ? '' : `; there are ${names.join(', ')}`;
  }

  #localPlace(local: LocalVariable): Place {
    const { threadId, frameId } = this.#scope;
    return {
      signature: local.signature,
      value: local.value,
      set: async (value) => {
        await this.#machine.setFrameValue(threadId, frameId ?? 0, local.slot, value);
        local.value = value;
      },
    };
  }

  /** A field of `this`, of the objects around it, or a static one of the class or those around it. */
  async #ofSelf(name: string): Promise<Place | undefined> {
    let self: JdwpValue | undefined = this.#scope.self;
    for (let depth = 0; depth < 5 && self !== undefined && isObject(self) && self.objectId !== 0; depth++) {
      const found: Place | undefined = (await this.#fieldOf(self, name)) ?? (await this.#fieldOf(self, `val$${name}`));
      if (found !== undefined) return found;
      const { classId } = await this.#machine.classOf(self.objectId);
      const outer: string | undefined = (await this.#classes.instanceFields(classId)).find((field) =>
        /^this\$\d/.test(field.name),
      )?.name;
      self = outer === undefined ? undefined : await this.#drawing.shapes.field(self, outer);
    }
    const { classId } = this.#scope;
    if (classId === undefined) return undefined;
    for (let className = await this.#classes.nameOf(classId); className !== ''; className = enclosing(className)) {
      const id = await this.#loaded(className);
      const found = id === undefined ? undefined : await this.#staticField(id, name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  async #ofImports(name: string): Promise<Place | undefined> {
    for (const each of this.#scope.imports.statics) {
      const owner = each.slice(0, each.lastIndexOf('.'));
      if (!each.endsWith(`.${name}`) && !each.endsWith('.*')) continue;
      const id = await this.#loaded(owner);
      const found = id === undefined ? undefined : await this.#staticField(id, name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  async #fieldOf(object: ObjectValue, name: string): Promise<Place | undefined> {
    const { classId } = await this.#machine.classOf(object.objectId);
    const field = (await this.#classes.instanceFields(classId)).findLast((each) => each.name === name);
    if (field === undefined) return undefined;
    const [value] = await this.#machine.values(object.objectId, [field.fieldId]);
    return {
      signature: field.signature,
      value: value ?? nothing,
      set: (fresh) => this.#machine.setField(object.objectId, field.fieldId, fresh),
    };
  }

  async #staticField(classId: number, name: string): Promise<Place | undefined> {
    const owners = [...(await this.#classes.ancestry(classId)), ...(await this.#classes.allInterfaces(classId))];
    for (const owner of owners) {
      const field: ClassField | undefined = (await this.#classes.declaredFields(owner)).find(
        (each) => each.isStatic && each.name === name,
      );
      if (field === undefined) continue;
      const [value] = await this.#machine.staticValues(owner, [field.fieldId]);
      return {
        signature: field.signature,
        value: value ?? nothing,
        set: (fresh) => this.#machine.setStatic(owner, field.fieldId, fresh),
      };
    }
    return undefined;
  }

  /** `a.b` is a field of a value, or a static one of a class. */
  async #member({ target, name }: Extract<Expression, { kind: 'field' }>): Promise<Place> {
    const classId = await this.#asClass(target);
    if (classId !== undefined) {
      const found = await this.#staticField(classId, name);
      if (found !== undefined) return found;
      throw new ExpressionError(`${await this.#classes.nameOf(classId)} has no static field '${name}'`);
    }
    const value = await this.evaluate(target);
    if (!isObject(value)) throw new ExpressionError(`${nameOfSignature(value.tag)} has no fields`);
    if (value.objectId === 0) throw new ExpressionError(`NullPointerException: ${written(target)} is null`);
    const type = await this.#drawing.type(value);
    if (type.name.endsWith('[]') && name === 'length')
      return fixed({ tag: 'I', value: await this.#machine.arrayLength(value.objectId) });
    const found =
      (await this.#fieldOf(value, name)) ??
      (type.classId === 0 ? undefined : await this.#staticField(type.classId, name));
    if (found !== undefined) return found;
    const fields =
      type.classId === 0 ? [] : (await this.#classes.instanceFields(type.classId)).map((field) => field.name);
    throw new ExpressionError(
      `${shortName(type.name)} has no field '${name}'${fields.length === 0 ? '' : `; it has ${fields.slice(0, 12).join(', ')}`}`,
    );
  }

  async #element(target: Expression, index: Expression): Promise<Place> {
    const array = await this.evaluate(target);
    if (!isObject(array) || array.objectId === 0)
      throw new ExpressionError(`${written(target)} is ${isObject(array) ? 'null' : 'no array'}`);
    const type = await this.#drawing.type(array);
    if (!type.name.endsWith('[]'))
      throw new ExpressionError(`${shortName(type.name)} is no array; a list has get(index)`);
    const at = Number(converted(await this.#primitive(index), 'I').value);
    const length = await this.#machine.arrayLength(array.objectId);
    if (at < 0 || at >= length) throw new ExpressionError(`ArrayIndexOutOfBoundsException: index ${at} of ${length}`);
    const [value] = await this.#machine.arrayValues(array.objectId, at, 1);
    return {
      signature: signatureOfName(type.name.slice(0, -2)),
      value: value ?? nothing,
      set: (fresh) => this.#machine.setElement(array.objectId, at, fresh),
    };
  }

  async #change(expression: Extract<Expression, { kind: 'assign' | 'update' }>): Promise<JdwpValue> {
    this.#refuseIfReadOnly('an assignment');
    const isUpdate = expression.kind === 'update';
    const target = isUpdate ? expression.operand : expression.target;
    const place = await this.#place(target);
    const before = place.value;
    let fresh: JdwpValue;
    if (isUpdate) fresh = compute(expression.operator.charAt(0), await this.#number(before), { tag: 'I', value: 1 });
    else if (expression.operator === '') fresh = await this.evaluate(expression.value);
    else if (expression.operator === '+' && before.tag === 's')
      fresh = await this.#machine.createString(
        (await this.#asText(before)) + (await this.#asText(await this.evaluate(expression.value))),
      );
    else fresh = compute(expression.operator, await this.#number(before), await this.#primitive(expression.value));
    const isCompound = isUpdate || expression.operator !== '' || expression.value.kind === 'literal';
    const fitted = await this.#fitted(fresh, place.signature, isCompound);
    await place.set(fitted);
    return isUpdate && !expression.isPrefix ? before : fitted;
  }

  async #number(value: JdwpValue): Promise<PrimitiveValue> {
    const plain = await this.#unboxed(value);
    if (isObject(plain)) throw new ExpressionError('a number is expected');
    return plain;
  }

  /** The value as a variable of that type holds it. */
  async #fitted(value: JdwpValue, signature: string, mayNarrow: boolean): Promise<JdwpValue> {
    if (signature.length === 1) {
      const plain = await this.#unboxed(value);
      const to = signature as PrimitiveTag;
      if (isObject(plain)) throw new ExpressionError(`a ${nameOfSignature(signature)} is expected`);
      if (plain.tag !== 'V' && (widens(plain.tag, to) || (mayNarrow && plain.tag !== 'Z' && to !== 'Z')))
        return converted(plain, to);
      throw new ExpressionError(
        `${nameOfSignature(plain.tag)} does not fit into ${nameOfSignature(signature)} without a cast`,
      );
    }
    if (!isObject(value)) return this.#box(value);
    const name = nameOfSignature(signature);
    if (value.objectId === 0 || name === 'java.lang.Object' || (await this.#isInstance(value, name))) return value;
    // What an interface of an array or a generic parameter takes is the machine's to check.
    if (name.endsWith('[]')) return value;
    throw new ExpressionError(`${shortName((await this.#drawing.type(value)).name)} is no ${shortName(name)}`);
  }

  async #box(value: PrimitiveValue): Promise<ObjectValue> {
    if (value.tag === 'V') return nothing;
    const classId = await this.#requireClass(boxNames[value.tag]);
    const method = (await this.#classes.methods(classId)).find(
      ({ name, signature }) => name === 'valueOf' && signature.startsWith(`(${value.tag})`),
    );
    if (method === undefined) throw new ExpressionError('the virtual machine boxes no such value');
    const answer = await this.#machine.invokeStatic(classId, this.#scope.threadId, method.methodId, [value]);
    return (await this.#result(answer)) as ObjectValue;
  }

  async #create(expression: Extract<Expression, { kind: 'new' | 'newArray' }>): Promise<JdwpValue> {
    this.#refuseIfReadOnly('new');
    if (expression.kind === 'newArray') return this.#newArray(expression);
    const classId = await this.#requireClass(expression.type);
    const args = await this.#values(expression.args);
    const constructors = (await this.#classes.methods(classId)).filter(({ name }) => name === '<init>');
    const { method, fitted } = await this.#choose(constructors, args, `new ${expression.type}`);
    return this.#result(await this.#machine.newInstance(classId, this.#scope.threadId, method.methodId, fitted));
  }

  async #newArray({ type, length, elements }: Extract<Expression, { kind: 'newArray' }>): Promise<JdwpValue> {
    const element =
      signatureOfName(type).length === 1
        ? signatureOfName(type)
        : (await this.#classes.info(await this.#requireClass(type))).signature;
    const [found] = await this.#machine.classesBySignature(`[${element}`);
    if (found === undefined) throw new ExpressionError(`the program has no ${type}[] yet, so none can be made here`);
    const values = elements === undefined ? [] : await this.#values(elements);
    const count = length === undefined ? values.length : Number(converted(await this.#primitive(length), 'I').value);
    const array = await this.#machine.newArray(found.classId, count);
    await this.#machine.keep(array.objectId);
    for (const [index, value] of values.entries())
      await this.#machine.setElement(array.objectId, index, await this.#fitted(value, element, true));
    return array;
  }

  async #values(expressions: readonly Expression[]): Promise<JdwpValue[]> {
    const values: JdwpValue[] = [];
    for (const each of expressions) {
      const value = await this.evaluate(each);
      // Nothing else may hold it while more is evaluated.
      if (isObject(value) && value.objectId !== 0) await this.#machine.keep(value.objectId);
      values.push(value);
    }
    return values;
  }

  async #call({ target, name, args }: Extract<Expression, { kind: 'call' }>): Promise<JdwpValue> {
    const values = await this.#values(args);
    if (target === undefined) return this.#callOwn(name, values);
    const classId = await this.#asClass(target);
    if (classId !== undefined) return this.#invokeStatic(classId, name, values);
    const value = await this.evaluate(target);
    if (!isObject(value)) throw new ExpressionError(`${nameOfSignature(value.tag)} has no methods`);
    if (value.objectId === 0) throw new ExpressionError(`NullPointerException: ${written(target)} is null`);
    return this.#invokeNamed(value, name, values);
  }

  async #callOwn(name: string, args: readonly JdwpValue[]): Promise<JdwpValue> {
    let self: JdwpValue | undefined = this.#scope.self;
    while (self !== undefined && isObject(self) && self.objectId !== 0) {
      const { classId } = await this.#machine.classOf(self.objectId);
      if ((await this.#methodsNamed(classId, name)).length > 0) return this.#invokeNamed(self, name, args);
      const outer: string | undefined = (await this.#classes.instanceFields(classId)).find((field) =>
        /^this\$\d/.test(field.name),
      )?.name;
      self = outer === undefined ? undefined : await this.#drawing.shapes.field(self, outer);
    }
    const own = this.#scope.classId === undefined ? '' : await this.#classes.nameOf(this.#scope.classId);
    for (let className = own; className !== ''; className = enclosing(className)) {
      const id = await this.#loaded(className);
      if (id !== undefined && (await this.#methodsNamed(id, name)).length > 0)
        return this.#invokeStatic(id, name, args);
    }
    for (const each of this.#scope.imports.statics) {
      const id =
        each.endsWith(`.${name}`) || each.endsWith('.*')
          ? await this.#loaded(each.slice(0, each.lastIndexOf('.')))
          : undefined;
      if (id !== undefined && (await this.#methodsNamed(id, name)).length > 0)
        return this.#invokeStatic(id, name, args);
    }
    throw new ExpressionError(`there is no method '${name}' here`);
  }

  async #invokeStatic(classId: number, name: string, args: readonly JdwpValue[]): Promise<JdwpValue> {
    const className = await this.#classes.nameOf(classId);
    this.#refuseUnproven(className, name, args);
    const methods = (await this.#methodsNamed(classId, name)).filter((method) => method.isStatic);
    const { method, fitted } = await this.#choose(methods, args, `${shortName(className)}.${name}`);
    return this.#result(
      await this.#machine.invokeStatic(method.classId, this.#scope.threadId, method.methodId, fitted),
    );
  }

  async #invokeNamed(object: ObjectValue, name: string, args: readonly JdwpValue[]): Promise<JdwpValue> {
    const { classId } = await this.#machine.classOf(object.objectId);
    const className = await this.#classes.nameOf(classId);
    this.#refuseUnproven(className, name, args);
    if (className.endsWith('[]') && name === 'clone') throw new ExpressionError('arrays are not copied here');
    const { method, fitted } = await this.#choose(
      await this.#methodsNamed(classId, name),
      args,
      `${shortName(className)}.${name}`,
    );
    const { threadId } = this.#scope;
    return this.#result(
      method.isStatic
        ? await this.#machine.invokeStatic(method.classId, threadId, method.methodId, fitted)
        : await this.#machine.invoke(object.objectId, threadId, method.classId, method.methodId, fitted),
    );
  }

  async #methodsNamed(classId: number, name: string): Promise<ClassMethod[]> {
    const owners = [...(await this.#classes.ancestry(classId)), ...(await this.#classes.allInterfaces(classId))];
    const lists = await Promise.all(owners.map((owner) => this.#classes.methods(owner)));
    return lists.flat().filter((method) => method.name === name);
  }

  /** The method that takes these arguments with the least conversion. */
  async #choose(
    candidates: readonly ClassMethod[],
    args: readonly JdwpValue[],
    shown: string,
  ): Promise<{ method: ClassMethod; fitted: JdwpValue[] }> {
    if (candidates.length === 0) throw new ExpressionError(`there is no method ${shown}`);
    let best: { method: ClassMethod; cost: number } | undefined;
    for (const method of candidates) {
      const cost = await this.#costOf(partsOfMethod(method.signature).parameters, args);
      if (cost !== undefined && (best === undefined || cost < best.cost)) best = { method, cost };
    }
    if (best === undefined) {
      const kinds = await Promise.all(args.map(async (arg) => shortName((await this.#drawing.type(arg)).name)));
      const takes = candidates.map(
        ({ signature }) =>
          `(${partsOfMethod(signature)
            .parameters.map((each) => shortName(nameOfSignature(each)))
            .join(', ')})`,
      );
      throw new ExpressionError(
        `${shown} does not take (${kinds.join(', ')}); it takes ${[...new Set(takes)].slice(0, 4).join(' or ')}`,
      );
    }
    const { parameters } = partsOfMethod(best.method.signature);
    const fitted: JdwpValue[] = [];
    for (const [index, parameter] of parameters.entries())
      fitted.push(await this.#fitted(args[index] ?? nothing, parameter, false));
    return { method: best.method, fitted };
  }

  async #costOf(parameters: readonly string[], args: readonly JdwpValue[]): Promise<number | undefined> {
    if (parameters.length !== args.length) return undefined;
    let cost = 0;
    for (const [index, parameter] of parameters.entries()) {
      const each = await this.#fitCost(args[index] ?? nothing, parameter);
      if (each === undefined) return undefined;
      cost += each;
    }
    return cost;
  }

  async #fitCost(arg: JdwpValue, parameter: string): Promise<number | undefined> {
    const name = nameOfSignature(parameter);
    if (!isObject(arg)) {
      if (arg.tag === 'V') return undefined;
      if (parameter.length === 1)
        return widens(arg.tag, parameter as PrimitiveTag) ? (arg.tag === parameter ? 0 : 1) : undefined;
      if (name === boxNames[arg.tag]) return 10;
      return ['java.lang.Object', 'java.lang.Number', 'java.lang.Comparable', 'java.io.Serializable'].includes(name)
        ? 12
        : undefined;
    }
    if (parameter.length === 1) {
      const plain = await this.#unboxed(arg);
      if (isObject(plain) || plain.tag === 'V') return undefined;
      return widens(plain.tag, parameter as PrimitiveTag) ? 11 : undefined;
    }
    if (arg.objectId === 0) return name === 'java.lang.Object' ? 2 : 1;
    const type = await this.#drawing.type(arg);
    if (type.name === name) return 0;
    if (name === 'java.lang.Object') return 5;
    return (await this.#isInstance(arg, name)) ? 2 : undefined;
  }

  async #result({ value, exception }: InvokeResult): Promise<JdwpValue> {
    if (exception.objectId === 0) return value;
    throw new ExpressionError(
      `it threw ${await this.#drawing.text(exception, { maxValueChars: 300, maxStringChars: 250, maxItems: 3, depth: 1 })}`,
    );
  }

  /** A name that is no value but a class; undefined when it is a value. */
  async #asClass(expression: Expression): Promise<number | undefined> {
    if (expression.kind !== 'name' && expression.kind !== 'field') return undefined;
    const name = dottedOrNothing(expression);
    if (name === undefined) return undefined;
    const [first = ''] = name.split('.');
    if (this.#scope.locals.has(first) || (await this.#ofSelf(first)) !== undefined) return undefined;
    return this.#classNamed(name);
  }

  async #requireClass(name: string): Promise<number> {
    const found = await this.#classNamed(name);
    if (found !== undefined) return found;
    throw new ExpressionError(`no class ${name} is known here; write it with its package`);
  }

  async #classNamed(name: string): Promise<number | undefined> {
    const candidates = await this.#fullNames(name);
    for (const each of candidates) {
      const id = await this.#loaded(each);
      if (id !== undefined) return id;
    }
    if (this.#scope.readOnly || !/(^|\.)[A-Z]/.test(name)) return undefined;
    for (const each of candidates) {
      const id = await this.#load(each);
      if (id !== undefined) return id;
    }
    return undefined;
  }

  /** What a name may be short for, as the source reads it. */
  async #fullNames(name: string): Promise<string[]> {
    const { imports, classId } = this.#scope;
    const own = classId === undefined ? '' : await this.#classes.nameOf(classId);
    const [head = '', ...rest] = name.split('.');
    const nested = rest.length === 0 ? '' : `$${rest.join('$')}`;
    const names: string[] = [];
    for (let outer = own; outer !== ''; outer = enclosing(outer)) names.push(`${outer}$${head}${nested}`);
    names.push(...imports.classes.filter((each) => each.endsWith(`.${head}`)).map((each) => each + nested));
    const inOwn = own.includes('.') ? `${own.slice(0, own.lastIndexOf('.'))}.` : '';
    const packages = [inOwn, 'java.lang.', ...imports.packages.map((each) => `${each}.`), 'java.util.'];
    names.push(...packages.map((each) => `${each}${head}${nested}`));
    if (rest.length > 0) names.push(name, name.replace(/\.([A-Z]\w*)\.([A-Z])/g, '.$1$$$2'));
    return [...new Set(names)];
  }

  #loaded(name: string): Promise<number | undefined> {
    return this.#classes.named(name);
  }

  async #load(name: string): Promise<number | undefined> {
    const { threadId, classId } = this.#scope;
    const owner = await this.#loaded('java.lang.Class');
    if (owner === undefined) return undefined;
    const method = (await this.#classes.methods(owner)).find(
      (each) => each.name === 'forName' && each.signature.startsWith('(Ljava/lang/String;ZLjava/lang/ClassLoader;)'),
    );
    if (method === undefined) return undefined;
    const loader = classId === undefined ? 0 : await this.#machine.classLoader(classId);
    const args: JdwpValue[] = [await this.#machine.createString(name), boolean(true), { tag: 'l', objectId: loader }];
    const { exception } = await this.#machine.invokeStatic(owner, threadId, method.methodId, args);
    return exception.objectId === 0 ? this.#loaded(name) : undefined;
  }

  #refuseIfReadOnly(what: string): void {
    if (this.#scope.readOnly) throw new ReadOnlyError(`${what} is not evaluated in read-only mode`);
  }

  #refuseUnproven(className: string, method: string, args: readonly JdwpValue[]): void {
    if (this.#scope.readOnly && !isProvenRead(className, method, args))
      throw new ReadOnlyError(
        `${shortName(className)}.${method}() is not known to only read, and evaluation is read-only here`,
      );
  }
}

function literal({ type, value }: Extract<Expression, { kind: 'literal' }>): PrimitiveValue {
  return { tag: signatureOfName(type) as PrimitiveTag, value };
}

function fixed(value: JdwpValue): Place {
  return {
    signature: value.tag,
    value,
    set: () => Promise.reject(new ExpressionError('the length of an array cannot be changed')),
  };
}

/** `demo.Outer$Inner` is inside of `demo.Outer`; that is in nothing. */
function enclosing(className: string): string {
  const at = className.lastIndexOf('$');
  return at < 0 ? '' : className.slice(0, at);
}

function dottedOrNothing(expression: Expression): string | undefined {
  try {
    return dotted(expression);
  } catch {
    return undefined;
  }
}

function written(expression: Expression): string {
  return dottedOrNothing(expression) ?? 'the value before the dot';
}
