/**
 * A function that lives in the program: it draws the objects of several scopes in one go, so that a stop costs one round trip however
 * deep its values are. It draws arrays, maps, sets, dates and objects; a variable that holds anything else within reach is left
 * out and looked at from outside. Nothing of the program runs: no getter is called, and what may be a Proxy is asked of
 * Node itself (`types`), before the program could change it.
 *
 * It takes holders of variables and gives `[name, text]` pairs for each. The preload defines it, because compiling it at every stop would
 * cost as much as the stop.
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
  const draw = (value, depth, maxItems, maxString) => {
    if (typeof value === 'string') return value.length <= maxString ? JSON.stringify(value) : JSON.stringify(value.slice(0, maxString)) + '… (' + value.length + ' chars)';
    if (typeof value === 'bigint') return value + 'n';
    if (typeof value === 'function') { if (types.isProxy(value)) throw hard; const name = field(value, 'name'); return 'ƒ ' + (name && typeof name.value === 'string' ? name.value : '') + '()'; }
    if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? '-0' : String(value);
    if (isOdd(value)) throw hard;
    if (types.isDate(value)) return Date.prototype.toString.call(value);
    const name = nameOf(value);
    const isList = Array.isArray(value), isMap = types.isMap(value), isSet = types.isSet(value);
    const size = isList ? value.length : isMap ? field(Map.prototype, 'size').get.call(value) : isSet ? field(Set.prototype, 'size').get.call(value) : -1;
    if (depth <= 0) return isList ? (size === 0 ? '[]' : 'Array(' + size + ')') : size >= 0 ? name + '(' + size + ')' : name === 'Object' ? '{…}' : name + ' {…}';
    const innerItems = Math.max(3, Math.floor(maxItems / 2)), innerString = Math.min(maxString, 60);
    const inner = (child) => draw(child, depth - 1, innerItems, innerString);
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
    if (total > parts.length) parts.push('… +' + (total - parts.length));
    const inside = parts.join(', ');
    if (isList) return (name === 'Array' ? '' : name + '(' + size + ') ') + '[' + inside + ']';
    return (size >= 0 ? name + '(' + size + ') ' : name === 'Object' ? '' : name + ' ') + '{' + inside + '}';
  };
  return (depth, maxItems, maxString, skipped, ...holders) => holders.map((holder) => {
    const texts = [];
    for (const name of Object.keys(holder)) {
      const property = field(holder, name);
      const value = property && property.value;
      if (typeof value !== 'object' || value === null || skipped.includes(name) || texts.length >= 100) continue;
      try { texts.push([name, draw(value, depth, maxItems, maxString)]) } catch {}
    }
    return texts;
  });
}`;

export const drawingSymbol = 'sightline.draw';
