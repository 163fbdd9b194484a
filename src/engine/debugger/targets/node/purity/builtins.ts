/**
 * What the language itself brings along, as far as calling it changes nothing but, for the mutators, the object it is called on.
 * Names that are missing here cannot be proven harmless, which costs an answer and nothing else.
 */
const words = (text: string) => new Set(text.trim().split(/\s+/));

/** Methods that only read their object and give something new or something that was in it. */
export const readingMethods = words(`
  at charAt charCodeAt codePointAt concat endsWith entries every filter find findIndex findLast findLastIndex flat flatMap forEach
  get has hasOwnProperty includes indexOf isPrototypeOf join keys lastIndexOf localeCompare map match matchAll normalize
  padEnd padStart reduce reduceRight repeat replace replaceAll search slice some split startsWith substr substring test exec
  toExponential toFixed toLocaleLowerCase toLocaleUpperCase toLowerCase toPrecision toReversed toSorted toSpliced toString
  toUpperCase trim trimEnd trimStart valueOf values with next subarray getTime getFullYear getMonth getDate getDay getHours
  getMinutes getSeconds getUTCFullYear getUTCMonth getUTCDate getUTCDay getUTCHours getUTCMinutes getUTCSeconds toISOString
  union intersection difference symmetricDifference isSubsetOf isSupersetOf isDisjointFrom
`);

/** Methods that change the object they are called on. */
export const mutatingMethods = words('push pop shift unshift splice sort reverse fill copyWithin set add delete clear');

/** Those of the methods that give the object itself, or a new one. */
export const methodsGivingOwn = words('sort reverse fill copyWithin set add');
export const methodsGivingNew = words(`
  concat filter flat flatMap map slice split toReversed toSorted toSpliced splice match matchAll union intersection difference
  symmetricDifference entries keys values
`);

/** Methods whose argument is called; a second one would be its `this`. */
export const callingMethods = words(`
  every filter find findIndex findLast findLastIndex flatMap forEach map reduce reduceRight some sort toSorted replace replaceAll
`);
export const methodsWithThis = words('every filter find findIndex findLast findLastIndex flatMap forEach map some');

const mathFunctions = `abs acos acosh asin asinh atan atan2 atanh cbrt ceil clz32 cos cosh exp expm1 floor fround hypot imul log
  log10 log1p log2 max min pow round sign sin sinh sqrt tan tanh trunc`;

/** Functions of the language that can be called by their full name. */
export const staticFunctions = words(`
  Array Array.from Array.isArray Array.of BigInt BigInt.asIntN BigInt.asUintN Boolean Date.UTC Date.parse JSON.parse JSON.stringify
  Number Number.isFinite Number.isInteger Number.isNaN Number.isSafeInteger Number.parseFloat Number.parseInt
  Object.entries Object.fromEntries Object.groupBy Object.hasOwn Object.is Object.keys Object.values Map.groupBy
  String String.fromCharCode String.fromCodePoint Symbol decodeURIComponent encodeURIComponent decodeURI encodeURI
  isFinite isNaN parseFloat parseInt structuredClone
  ${mathFunctions.replaceAll(/\w+/g, 'Math.$&')}
`);

/** Those whose result is new and whose parts were in the arguments. */
export const staticsGivingNew = words(`
  Array Array.from Array.of Object.entries Object.fromEntries Object.groupBy Object.keys Object.values Map.groupBy JSON.parse structuredClone
`);

/** Functions that may be handed to others: they look at nothing but their first arguments. */
export const handedFunctions = words('Boolean Number String parseFloat parseInt isNaN isFinite BigInt');

export const constructors = words(`
  Array Map Set RegExp Date Error TypeError RangeError SyntaxError EvalError ReferenceError URIError
  Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float32Array Float64Array BigInt64Array BigUint64Array
`);

export const constants = words(`
  undefined NaN Infinity Math.E Math.LN10 Math.LN2 Math.LOG10E Math.LOG2E Math.PI Math.SQRT1_2 Math.SQRT2
  Number.EPSILON Number.MAX_SAFE_INTEGER Number.MAX_VALUE Number.MIN_SAFE_INTEGER Number.MIN_VALUE
  Number.NEGATIVE_INFINITY Number.POSITIVE_INFINITY Number.NaN
`);

/** Names behind which every object has something that it shares with others. */
export const sharedNames = words(`
  constructor prototype __proto__ __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ caller callee arguments
  call apply bind propertyIsEnumerable toLocaleString stack
`);

/**
 * Whether the language is still what it was made: true when every function that can be reached by the names above is its own.
 * Bound functions and proxies call themselves `function () { [native code] }`, without a name.
 */
export const isLanguageIntact = `(() => {
  const { getOwnPropertyDescriptor, getPrototypeOf } = Object;
  const text = Function.prototype.toString;
  const isNative = (value) => typeof value !== 'function' || /^(?!function \\(\\)).*\\{ \\[native code\\] \\}$/.test(text.call(value));
  const holders = [Object, Array, String, Number, Boolean, BigInt, Symbol, Function, Map, Set, RegExp, Date, Error].map((each) => each.prototype);
  holders.push(Math, JSON, Object, Array, String, Number, getPrototypeOf(Int8Array.prototype), getPrototypeOf(getPrototypeOf([].values())),
    getPrototypeOf([].values()), getPrototypeOf(''[Symbol.iterator]()), getPrototypeOf(new Map().values()), getPrototypeOf(new Set().values()));
  for (const holder of holders)
    for (const key of Reflect.ownKeys(holder)) {
      if (holder === Function.prototype && (key === 'caller' || key === 'arguments')) continue;
      const { value, get, set } = getOwnPropertyDescriptor(holder, key);
      if (!isNative(value) || !isNative(get) || !isNative(set)) return false;
    }
  const names = ['Array', 'Map', 'Set', 'RegExp', 'Date', 'Number', 'String', 'Boolean', 'BigInt', 'Symbol', 'Object', 'parseInt', 'parseFloat', 'isNaN', 'isFinite', 'structuredClone', 'Error', 'TypeError', 'RangeError'];
  for (const name of names) {
    const { value, get } = getOwnPropertyDescriptor(globalThis, name) ?? {};
    if (get !== undefined || !isNative(value)) return false;
  }
  return true;
})()`;
