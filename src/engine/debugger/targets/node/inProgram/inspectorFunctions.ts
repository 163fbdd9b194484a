/**
 * Small functions that run inside the program to look at one object. They call nothing of the program's own: descriptors are copied,
 * getters are not called. They are strings because they must not depend on how Sightline itself was compiled.
 */

/** A bare object that holds children [start, start+count) of an array, typed array, Map, Set or plain object. */
export const childSlice = `function(start, count, subtype) {
  const out = Object.create(null);
  const end = start + count;
  if (subtype === 'map' || subtype === 'set') {
    let i = 0;
    const entries = subtype === 'map' ? Map.prototype.entries.call(this) : Set.prototype.values.call(this);
    for (const entry of entries) {
      if (i >= end) break;
      if (i >= start) {
        if (subtype === 'set') out[i] = entry;
        else out[typeof entry[0] === 'string' ? JSON.stringify(entry[0]) : typeof entry[0] === 'object' ? '#' + i : String(entry[0])] =
          typeof entry[0] === 'object' ? { key: entry[0], value: entry[1] } : entry[1];
      }
      i++;
    }
    return out;
  }
  if (subtype === 'array' || subtype === 'typedarray') {
    const last = Math.min(end, this.length);
    for (let i = start; i < last; i++) {
      const property = Object.getOwnPropertyDescriptor(this, i);
      if (property) Object.defineProperty(out, i, { ...property, configurable: true });
    }
    if (end >= this.length && subtype === 'array' && this.length < 1000) {
      for (const key of Reflect.ownKeys(this))
        if (key !== 'length' && !(typeof key === 'string' && /^\\d+$/.test(key)))
          Object.defineProperty(out, key, Object.getOwnPropertyDescriptor(this, key));
    }
    return out;
  }
  const keys = Reflect.ownKeys(this);
  for (let i = start; i < Math.min(end, keys.length); i++)
    Object.defineProperty(out, keys[i], Object.getOwnPropertyDescriptor(this, keys[i]));
  return out;
}`;

export const ownKeyCount = `function() { return Reflect.ownKeys(this).length }`;

/** What an exception has to say, as own data properties of a bare object. */
export const errorFields = `function() {
  const out = Object.create(null);
  const read = (name) => {
    for (let holder = this; holder; holder = Object.getPrototypeOf(holder)) {
      const property = Object.getOwnPropertyDescriptor(holder, name);
      if (property) return 'value' in property ? property.value : undefined;
    }
  };
  const name = read('name');
  const constructorName = this.constructor && typeof this.constructor === 'function' ? this.constructor.name : undefined;
  out.name = typeof name === 'string' && name !== 'Error' ? name : constructorName || name;
  out.message = typeof read('message') === 'string' ? read('message') : undefined;
  try { out.stack = typeof this.stack === 'string' ? this.stack : undefined } catch {}
  const own = (name) => Object.prototype.hasOwnProperty.call(this, name);
  const result = own('matcherResult') && this.matcherResult && typeof this.matcherResult === 'object' ? this.matcherResult : undefined;
  const sides = own('actual') || own('expected') ? this : result;
  if (sides && (sides.actual !== undefined || (sides.expected !== undefined && sides.expected !== null))) {
    if ('actual' in sides) out.actual = sides.actual;
    if ('expected' in sides && sides.showDiff !== false) out.expected = sides.expected;
    if (typeof read('operator') === 'string') out.operator = read('operator');
  }
  const known = ['name', 'message', 'stack', 'actual', 'expected', 'operator', 'matcherResult', 'generatedMessage', 'diff', 'showDiff', 'ok', '__INTERNAL'];
  if (this.code === 'ERR_ASSERTION') known.push('code');
  for (const key of ['cause', 'errors', ...Object.keys(this)])
    if (own(key) && !known.includes(key) && !key.startsWith('__') && Object.keys(out).length < 16) out[key] = read(key);
  return out;
}`;
