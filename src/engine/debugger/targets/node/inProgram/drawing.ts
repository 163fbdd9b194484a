/**
 * A function that lives in the program: it draws the variables of several scopes in one go, so that a stop costs one round trip however
 * deep its values are. It draws primitives, functions, arrays, maps, sets, dates and objects; a variable that holds anything else
 * within reach is only named, and looked at from outside. Nothing of the program runs: no getter is called, and what may be a Proxy is
 * asked of Node itself (`types`), before the program could change it.
 *
 * It takes holders of variables and gives a list for each, see `DrawnVariable`. The preload defines it, because compiling it at
 * every stop would cost as much as the stop.
 */
export const drawingSource = String.raw`(types) => {
  const hard = {};
  const field = (holder, key) => Object.getOwnPropertyDescriptor(holder, key);
  const checked = new WeakMap();
  // Private fields can be seen only from outside; a class that has some says so in its source.
  const hasPrivate = (maker) => {
    let found = checked.get(maker);
    if (found === undefined) checked.set(maker, (found = Function.prototype.toString.call(maker).includes('#')));
    return found;
  };
  const nameOf = (value) => {
    let known;
    for (let proto = Object.getPrototypeOf(value); proto; proto = Object.getPrototypeOf(proto)) {
      if (types.isProxy(proto)) throw hard;
      const maker = field(proto, 'constructor');
      if (!maker || typeof maker.value !== 'function') continue;
      if (types.isProxy(maker.value) || hasPrivate(maker.value)) throw hard;
      const name = field(maker.value, 'name');
      known ??= name && typeof name.value === 'string' && name.value || 'Object';
    }
    return known ?? 'Object';
  };
  const keyText = (key) => typeof key === 'symbol' ? String(key) : /^[A-Za-z_$#][\w$]*$|^\d+$/.test(key) ? key : JSON.stringify(key);
  const isOdd = (value) => types.isProxy(value) || types.isPromise(value) || types.isNativeError(value) || types.isRegExp(value) ||
    types.isTypedArray(value) || types.isAnyArrayBuffer(value) || types.isDataView(value) || types.isWeakMap(value) ||
    types.isWeakSet(value) || types.isBoxedPrimitive(value) || types.isArgumentsObject(value) || types.isGeneratorObject(value) ||
    types.isModuleNamespaceObject(value) || types.isMapIterator(value) || types.isSetIterator(value) || types.isExternal(value);
  const sizeOf = (value) => Array.isArray(value) ? value.length : types.isMap(value) ? field(Map.prototype, 'size').get.call(value) :
    types.isSet(value) ? field(Set.prototype, 'size').get.call(value) : -1;
  // An object that is held in more than one place gets a number, and keeps it as long as it lives. In a text that is not finished
  // each object has a mark of control characters, which strings have escaped.
  const numbers = new WeakMap();
  let lastNumber = 0;
  const numberOf = (value) => numbers.get(value) ?? (numbers.set(value, ++lastNumber), lastNumber);
  // Of one drawing: the places in which each object came, holder and position. Of one variable: what came in it, and what was opened
  // there and need not be again.
  let places = new Map(), visits = [], opened = new Set(), ids = new Map();
  const visit = (value, place) => {
    visits.push([value, place]);
    if (!ids.has(value)) ids.set(value, ids.size);
    return '\u0001' + ids.get(value);
  };
  const draw = (value, depth, maxItems, maxString, place) => {
    if (typeof value === 'string') return value.length <= maxString ? JSON.stringify(value) : JSON.stringify(value.slice(0, maxString)) + '\u2026 (' + value.length + ' chars)';
    if (typeof value === 'bigint') return value + 'n';
    if (typeof value === 'function') { if (types.isProxy(value)) throw hard; const name = field(value, 'name'); return '\u0192 ' + (name && typeof name.value === 'string' ? name.value : '') + '()'; }
    if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? '-0' : String(value);
    if (isOdd(value)) throw hard;
    if (types.isDate(value)) return Date.prototype.toString.call(value);
    const name = nameOf(value);
    const mark = visit(value, place);
    if (opened.has(value)) return mark + '\u0003';
    if (depth > 0) opened.add(value);
    return mark + '\u0002' + drawObject(value, name, depth, maxItems, maxString);
  };
  const drawObject = (value, name, depth, maxItems, maxString) => {
    const isList = Array.isArray(value), isMap = types.isMap(value), isSet = types.isSet(value);
    const size = sizeOf(value);
    if (depth <= 0) return isList ? (size === 0 ? '[]' : 'Array(' + size + ')') : size >= 0 ? name + '(' + size + ')' : name === 'Object' ? '{\u2026}' : name + ' {\u2026}';
    const innerItems = Math.max(3, Math.floor(maxItems / 2)), innerString = Math.min(maxString, 60);
    const id = ids.get(value);
    let position = 0;
    const inner = (child) => draw(child, depth - 1, innerItems, innerString, id + '/' + position++);
    const shown = (property) => property === undefined ? '' : 'value' in property ? inner(property.value) : '[getter]';
    const parts = [];
    let total = size;
    if (isMap || isSet) {
      for (const entry of isMap ? Map.prototype.entries.call(value) : Set.prototype.values.call(value)) {
        if (parts.length >= maxItems) break;
        parts.push(isMap ? inner(entry[0]) + ' => ' + inner(entry[1]) : inner(entry));
      }
    } else if (isList) {
      let count = Math.min(size, maxItems);
      for (let i = 0; i < count; i++) {
        const property = field(value, i);
        if (depth > 1 && property && typeof property.value === 'object' && property.value !== null) count = Math.min(count, Math.max(3, i + 1));
        parts.push(property === undefined ? '<empty>' : shown(property));
      }
      if (count === size && size < 100)
        for (const key of Reflect.ownKeys(value))
          if (key !== 'length' && !/^\d+$/.test(String(key)) && parts.length < maxItems + 4) { parts.push(keyText(key) + ': ' + shown(field(value, key))); total++; }
    } else {
      const keys = Reflect.ownKeys(value);
      total = keys.length;
      for (const key of keys.slice(0, maxItems)) parts.push(keyText(key) + ': ' + shown(field(value, key)));
    }
    if (total > parts.length) parts.push('\u2026 +' + (total - parts.length));
    const inside = parts.join(', ');
    if (isList) return (name === 'Array' ? '' : name + '(' + size + ') ') + '[' + inside + ']';
    return (size >= 0 ? name + '(' + size + ') ' : name === 'Object' ? '' : name + ' ') + '{' + inside + '}';
  };
  // As V8 tells them; it asks tags and own constructors too, which may be anything.
  const typeOf = (value, name, size) => {
    if (types.isDate(value)) return Date.prototype.toString.call(value);
    if (field(value, 'constructor') || (size < 0 || Array.isArray(value)) && Symbol.toStringTag in value) throw hard;
    return size < 0 ? name : name + '(' + size + ')';
  };
  const variable = (name, value, depth, maxItems, maxString) => {
    if (value === null) return [name, 'null', 'null'];
    if (typeof value === 'function') {
      if (types.isProxy(value)) throw hard;
      return [name, Function.prototype.toString.call(value).slice(0, 300), 'function'];
    }
    const text = draw(value, depth, maxItems, maxString, name);
    if (typeof value !== 'object') return [name, text, typeof value];
    const size = sizeOf(value);
    return [name, text, typeOf(value, nameOf(value), size), size];
  };
  const drawVariable = (name, value, depth, maxItems, maxString) => {
    (visits = []), (opened = new Set());
    let drawn;
    try { drawn = variable(name, value, depth, maxItems, maxString) } catch { (drawn = [name]), (visits = []) }
    // What cannot be drawn here is the same object all the same.
    if (drawn.length === 1 && typeof value === 'object' && value !== null) drawn.push(visit(value, name) + '\u0002');
    for (const [each, place] of visits) places.set(each, (places.get(each) ?? new Set()).add(place));
    return drawn;
  };
  const finished = (text) => {
    const objects = [...ids.keys()];
    return text.replace(/\u0001(\d+)([\u0002\u0003])/g, (_, id, end) =>
      end === '\u0003' || places.get(objects[id])?.size > 1 || numbers.has(objects[id]) ? '#' + numberOf(objects[id]) + (end === '\u0002' ? ' ' : '') : '');
  };
  return (depth, maxItems, maxString, skipped, ...holders) => {
    (places = new Map()), (ids = new Map());
    const scopes = holders.map((holder) =>
      Object.keys(holder).map((name, index) => {
        if (skipped.includes(name) || index >= 100) return [name];
        const own = field(holder, name);
        return 'value' in own ? drawVariable(name, own.value, depth, maxItems, maxString) : [name];
      }),
    );
    for (const drawn of scopes.flat()) if (drawn.length > 1 && drawn[2] !== 'function') drawn[1] = finished(drawn[1]);
    (places = new Map()), (visits = []), (opened = new Set()), (ids = new Map());
    return scopes;
  };
}`;

/**
 * A name with its text (of a function, the beginning of its source), its type, and for objects the number of elements, -1 where
 * there are none. A value that must be looked at from outside is only named; its mark is not empty when it appears elsewhere too.
 */
export type DrawnVariable = [name: string, mark?: string] | [name: string, text: string, type: string, size?: number];

export function isDrawn(variable: DrawnVariable): variable is [string, string, string, number?] {
  return variable.length > 2;
}

export const drawingSymbol = 'sightline.draw';

/** V8 announces each function that is compiled for a stop; by this name it is known not to be the program's. */
export const ownScriptUrl = 'node:sightline';
