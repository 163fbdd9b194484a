/**
 * Expressions that look at variables of the program without running any of its code: properties are read as descriptions, never
 * through getters, and proxies are told before they are touched.
 */

/** JSON of the kind of each variable, see `Kind`; throws when one of them cannot be seen. */
export function kindsExpression(names: readonly string[]): string {
  return `((values) => {
    ${common}
    const maskOf = (value) => {
      if (value === null) return 16;
      const plain = { number: 1, string: 2, boolean: 4, undefined: 8, bigint: 32, symbol: 64, function: 128 }[typeof value];
      if (plain !== undefined) return plain;
      if (isProxy(value)) return 1024;
      const prototype = Object.getPrototypeOf(value);
      if (Array.isArray(value)) return prototype === Array.prototype && Object.isExtensible(value) ? 256 : 1024;
      return (prototype === Map.prototype || prototype === Set.prototype) && Reflect.ownKeys(value).length === 0 ? 512 : 1024;
    };
    const elementsOf = (value) => {
      if (maskOf(value) !== 256) return 0;
      if (value.length > 20000) return 2047;
      let mask = 8;
      for (let index = 0; index < value.length; index++) {
        const own = Object.getOwnPropertyDescriptor(value, index);
        if (own !== undefined && !('value' in own && own.writable)) return 2047;
        mask |= own === undefined ? 8 : maskOf(own.value);
      }
      return mask;
    };
    return JSON.stringify(values.map((value) => ({ mask: maskOf(value), elements: elementsOf(value) })));
  })([${names.join(', ')}])`;
}

/**
 * A text that is the same whenever the variables and all that they lead to are the same, and the names of the methods that these
 * objects have; null when they are more than plain data, or too much of it.
 */
export function stateExpression(names: readonly string[]): string {
  return `((values) => {
    ${common}
    const seen = new Map();
    const methods = new Set();
    const queue = [];
    const parts = [];
    let chars = 0;
    const add = (text) => {
      chars += text.length;
      if (chars > 60000) throw null;
      parts.push(text);
    };
    const put = (value) => {
      if (typeof value === 'function' || typeof value === 'symbol') throw null;
      if (typeof value === 'object' && value !== null) {
        if (!seen.has(value)) {
          if (seen.size > 3000) throw null;
          seen.set(value, seen.size);
          queue.push(value);
        }
        add('#' + seen.get(value));
      } else add(typeof value === 'string' ? JSON.stringify(value) : Object.is(value, -0) ? '-0' : String(value) + (typeof value)[0]);
    };
    const kinds = [Object.prototype, Array.prototype, Map.prototype, Set.prototype, null];
    const open = (object) => {
      if (isProxy(object)) throw null;
      let prototype = Object.getPrototypeOf(object);
      for (; !kinds.includes(prototype); prototype = Object.getPrototypeOf(prototype)) {
        if (isProxy(prototype)) throw null;
        add('^' + (seen.get(prototype) ?? (seen.set(prototype, seen.size), seen.get(prototype))));
        for (const key of Reflect.ownKeys(prototype)) {
          const own = Object.getOwnPropertyDescriptor(prototype, key);
          if (typeof key === 'symbol' || !('value' in own) || /^(toString|valueOf|toJSON)$/.test(key)) throw null;
          if (typeof own.value === 'function') methods.add(key);
          else throw null;
        }
      }
      if (prototype === Array.prototype !== Array.isArray(object)) throw null;
      if (prototype === Map.prototype || prototype === Set.prototype) {
        const entries = prototype === Map.prototype ? Map.prototype.entries : Set.prototype.entries;
        for (const pair of entries.call(object)) pair.forEach(put);
      } else if (prototype !== Array.prototype && prototype !== null && !/^\\[object (Object|Arguments)\\]$/.test(Object.prototype.toString.call(object))) throw null;
      add(kinds.indexOf(prototype) + (Object.isExtensible(object) ? '{' : '!{'));
      for (const key of Reflect.ownKeys(object)) {
        const own = Object.getOwnPropertyDescriptor(object, key);
        if (typeof key === 'symbol' || !('value' in own) || /^(toString|valueOf|toJSON)$/.test(key)) throw null;
        add(JSON.stringify(key) + (own.writable ? ':' : '!') + (own.enumerable ? '' : '-') + (own.configurable ? '' : '='));
        put(own.value);
      }
      add('}');
    };
    try {
      values.forEach(put);
      for (let index = 0; index < queue.length; index++) open(queue[index]);
      return JSON.stringify({ text: parts.join(' '), methods: [...methods] });
    } catch (error) {
      if (error !== null) throw error;
      return 'null';
    }
  })([${names.join(', ')}])`;
}

const common = `const isProxy = globalThis.process.getBuiltinModule('util').types.isProxy;`;
