/**
 * A function that lives in the program for one call, on a thrown assertion error: it walks both sides of the comparison and answers where
 * they differ, as `Differences`. V8 watches that it changes nothing, so a getter or proxy of the program that would is not run.
 */
export const differencesSource = String.raw`function(maxDifferences, maxChars) {
  const field = (holder, key) => Object.getOwnPropertyDescriptor(holder, key);
  const data = (holder, key) => { const own = field(holder, key); return own && 'value' in own ? own.value : undefined };
  const isObject = (value) => typeof value === 'object' && value !== null;
  const result = data(this, 'matcherResult');
  const sides = field(this, 'actual') && field(this, 'expected') ? this : isObject(result) ? result : undefined;
  if (!sides || !field(sides, 'actual') || !field(sides, 'expected') || data(this, 'showDiff') === false) return null;
  // Some assertions have no such sides, and say so.
  if (data(sides, 'actual') === undefined && (data(sides, 'expected') ?? undefined) === undefined) return null;
  const message = String(data(this, 'message'));
  const isSubset = /match object|toMatchObject/.test(message);
  const isAnyOrder = /same members|include/.test(message);
  const found = [], faint = [], seen = [];
  let more = 0, steps = 0;
  const note = (path, pair) => { if (found.length < maxDifferences) found.push([path, pair]); else more++ };
  const cut = (text, max) => text.length <= max ? text : text.slice(0, max - 1) + '\u2026';
  const sizeOf = (value, kind) => { try { return field(kind.prototype, 'size').get.call(value) } catch { return -1 } };
  const timeOf = (value) => { try { return Date.prototype.getTime.call(value) } catch { return undefined } };
  const linesOf = (text) => { const lines = []; let from = 0; for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) { lines.push(text.slice(from, at)); from = at + 1 } lines.push(text.slice(from)); return lines };
  const isMatcher = (value) => String(data(value, '$$typeof')) === 'Symbol(jest.asymmetricMatcher)' || typeof value.asymmetricMatch === 'function';
  const nameOf = (value) => { const proto = Object.getPrototypeOf(value), maker = proto && data(proto, 'constructor'); return typeof maker === 'function' ? maker.name : proto ? 'Object' : 'null prototype' };
  const keyText = (key) => typeof key === 'symbol' ? '[' + String(key) + ']' : /^[A-Za-z_$][\w$]*$/.test(key) ? '.' + key : '[' + JSON.stringify(key) + ']';
  const keysOf = (map) => { const keys = []; Map.prototype.forEach.call(map, (item, key) => keys.push(key)); return keys };
  const itemsOf = (set) => { const items = []; Set.prototype.forEach.call(set, (item) => items.push(item)); return items };
  const lackOf = (set, other) => { const lacking = []; for (const item of itemsOf(set)) if (!isObject(item) && !Set.prototype.has.call(other, item)) lacking.push(item); return lacking };
  const mapValue = (map, key) => Map.prototype.get.call(map, key);
  const mapKey = (key) => '.get(' + draw(key, 1, 40) + ')';
  const isSeen = (a, b) => { for (let i = 0; i < seen.length; i++) if (seen[i][0] === a && seen[i][1] === b) return true; return false };
  const draw = (value, depth, max) => {
    if (typeof value === 'string') return value.length > max ? JSON.stringify(value.slice(0, max)) + '\u2026 (' + value.length + ' chars)' : JSON.stringify(value);
    if (typeof value === 'bigint') return value + 'n';
    if (typeof value === 'function') return '\u0192 ' + value.name + '()';
    if (!isObject(value)) return Object.is(value, -0) ? '-0' : String(value);
    if (timeOf(value) !== undefined) return isNaN(timeOf(value)) ? 'Invalid Date' : new Date(timeOf(value)).toISOString();
    if (value instanceof RegExp) return '<regular expression>';
    if (value instanceof Error) return value.name + ': ' + value.message;
    const maps = sizeOf(value, Map), sets = sizeOf(value, Set), isList = Array.isArray(value);
    const name = nameOf(value), prefix = name === 'Object' || name === 'Array' ? '' : name + ' ';
    if (depth <= 0) return isList ? 'Array(' + value.length + ')' : prefix + '{\u2026}';
    const items = maps >= 0 ? keysOf(value) : sets >= 0 ? itemsOf(value) : isList ? value : Object.keys(value);
    const parts = [], total = items.length, inner = max / 2;
    let used = 0;
    for (let i = 0; i < total && parts.length < 20 && used <= max; i++) {
      const key = items[i], own = maps < 0 && sets < 0 && field(value, isList ? i : key);
      const text = maps >= 0 ? draw(key, depth - 1, inner) + ' => ' + draw(Map.prototype.get.call(value, key), depth - 1, inner) :
        sets >= 0 ? draw(key, depth - 1, inner) : !own ? '<empty>' : (isList ? '' : (/^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key)) + ': ') + ('value' in own ? draw(own.value, depth - 1, inner) : '[getter]');
      parts.push(text);
      used += text.length + 2;
    }
    if (total > parts.length) parts.push('\u2026 +' + (total - parts.length));
    return isList ? prefix + '[' + parts.join(', ') + ']' : prefix + '{' + parts.join(', ') + '}';
  };
  const shown = (value) => cut(draw(value, 3, maxChars), maxChars + 20);
  const partOf = (text, from) => '\u2026' + JSON.stringify(text.slice(from, from + maxChars)) + (from + maxChars < text.length ? '\u2026' : '');
  const texts = (a, b, path) => {
    if (a.includes('\n') || b.includes('\n')) {
      const left = linesOf(a), right = linesOf(b);
      let end = 0;
      while (end < Math.min(left.length, right.length) && left[left.length - 1 - end] === right[right.length - 1 - end]) end++;
      for (let i = 0; i < Math.max(left.length, right.length) - (left.length === right.length ? end : 0); i++)
        if (left[i] !== right[i]) note(path + ' line ' + (i + 1), [i < left.length ? shown(left[i]) : undefined, i < right.length ? shown(right[i]) : undefined]);
      return;
    }
    let at = 0;
    while (at < a.length && a[at] === b[at]) at++;
    if (Math.max(a.length, b.length) <= maxChars || at < 20) return note(path, [shown(a), shown(b)]);
    note(path + ' character ' + at, [partOf(a, at - 12), partOf(b, at - 12)]);
  };
  const entries = (a, b, keysA, keysB, read, name, path) => {
    for (const key of keysA) {
      if (isSubset && !keysB.includes(key)) continue;
      const value = read(a, key);
      if (keysB.includes(key)) walk(value, read(b, key), path + name(key));
      else if (value === undefined) faint.push([path + name(key), ['undefined', undefined]]);
      else note(path + name(key), [shown(value), undefined]);
    }
    for (const key of keysB)
      if (!keysA.includes(key)) {
        const value = read(b, key);
        if (value === undefined) faint.push([path + name(key), [undefined, 'undefined']]);
        else note(path + name(key), [undefined, shown(value)]);
      }
  };
  const walk = (a, b, path) => {
    if (Object.is(a, b) || steps++ > 20000) return;
    if (typeof a === 'string' && typeof b === 'string') return texts(a, b, path);
    if (!isObject(a) || !isObject(b)) {
      if (typeof a === 'function' && typeof b === 'function') faint.push([path, [shown(a), shown(b) + ' (another function)']]);
      else if (!isObject(b) || !isMatcher(b)) note(path, [shown(a), shown(b)]);
      return;
    }
    if (isMatcher(b)) return;
    if (isSeen(a, b)) return;
    if (seen.length < 500) seen.push([a, b]);
    const listA = Array.isArray(a), listB = Array.isArray(b);
    if (listA !== listB) return note(path, [shown(a), shown(b)]);
    if (listA) {
      for (let i = 0; i < Math.max(a.length, b.length); i++) {
        const at = path + '[' + i + ']';
        if (i >= a.length) note(at, [undefined, shown(data(b, i))]);
        else if (i >= b.length) note(at, [shown(data(a, i)), undefined]);
        else walk(data(a, i), data(b, i), at);
      }
      return;
    }
    const timeA = timeOf(a), timeB = timeOf(b);
    if (timeA !== undefined || timeB !== undefined) return timeA === timeB ? undefined : note(path, [shown(a), shown(b)]);
    // V8 lets no one read them while it watches.
    if (a instanceof RegExp && b instanceof RegExp) return;
    if (sizeOf(a, Map) >= 0 && sizeOf(b, Map) >= 0)
      return entries(a, b, keysOf(a), keysOf(b), mapValue, mapKey, path);
    if (sizeOf(a, Set) >= 0 && sizeOf(b, Set) >= 0) {
      for (const item of lackOf(a, b)) note(path + ' (set)', [shown(item), undefined]);
      for (const item of lackOf(b, a)) note(path + ' (set)', [undefined, shown(item)]);
      return;
    }
    if (a instanceof Error && b instanceof Error) return a.message === b.message ? undefined : note(path, [shown(a), shown(b)]);
    if (nameOf(a) !== nameOf(b) && !isSubset) faint.push([path, [shown(a), shown(b)]]);
    entries(a, b, Object.keys(a), Object.keys(b), data, keyText, path);
  };
  if (!isAnyOrder) walk(data(sides, 'actual'), data(sides, 'expected'), '');
  return { found: found.length > 0 ? found : faint.slice(0, maxDifferences), more };
}
//# sourceURL=node:sightline
`;

/** Pairs of the two sides, drawn; undefined (null on the wire) where a side has nothing. */
export interface Differences {
  found: [path: string, sides: [actual: string | null | undefined, expected: string | null | undefined]][];
  more: number;
}
