const primitives: Readonly<Record<string, string>> = {
  B: 'byte',
  C: 'char',
  D: 'double',
  F: 'float',
  I: 'int',
  J: 'long',
  S: 'short',
  Z: 'boolean',
  V: 'void',
};

const letters = new Map(Object.entries(primitives).map(([letter, name]) => [name, letter]));

/** `Ldemo/Outer$Inner;` as `demo.Outer$Inner`, `[I` as `int[]`. */
export function nameOfSignature(signature: string): string {
  if (signature.startsWith('[')) return `${nameOfSignature(signature.slice(1))}[]`;
  return primitives[signature] ?? signature.slice(1, -1).replaceAll('/', '.');
}

/** The other way round, for a name written in full. */
export function signatureOfName(name: string): string {
  if (name.endsWith('[]')) return `[${signatureOfName(name.slice(0, -2))}`;
  return letters.get(name) ?? `L${name.replaceAll('.', '/')};`;
}

/** As people say it: without the package, nested classes behind a dot. `demo.Outer$Inner` is `Outer.Inner`, an anonymous one `Outer$1`. */
export function shortName(name: string): string {
  const hidden = /\$\$Lambda/.exec(name);
  const plain = hidden === null ? name : `${name.slice(0, hidden.index)} lambda`;
  const last = plain.slice(plain.lastIndexOf('.') + 1);
  return last.replaceAll(/\$(?=[A-Za-z])/g, '.');
}

export function packageOf(name: string): string {
  return name.slice(0, Math.max(name.lastIndexOf('.'), 0));
}

/** The kinds of a method's parameters, and of what it returns. */
export function partsOfMethod(signature: string): { parameters: string[]; result: string } {
  const parameters: string[] = [];
  let at = 1;
  while (signature[at] !== ')' && at < signature.length) {
    const start = at;
    while (signature[at] === '[') at++;
    if (signature[at] === 'L') at = signature.indexOf(';', at);
    at++;
    parameters.push(signature.slice(start, at));
  }
  return { parameters, result: signature.slice(at + 1) };
}

/** `lambda$main$0` was written in `main`. */
export function shownMethod(method: string): string {
  const written = /^lambda\$(.+)\$\d+$/.exec(method)?.[1];
  return written === undefined ? method : `${written === 'new' ? '<init>' : written} (lambda)`;
}

/** Classes of the platform that nobody writes, by what people wrote to get them. */
const plainNames: readonly (readonly [RegExp, string])[] = [
  [/^java\.util\.(?:ImmutableCollections\$(?:List|SubList)\w*|Arrays\$ArrayList)$/, 'List'],
  [/^java\.util\.ImmutableCollections\$Set\w+$/, 'Set'],
  [/^java\.util\.ImmutableCollections\$Map\w+$/, 'Map'],
];

/** What a value is called: the last name of its class, without those around it. */
export function valueLabel(name: string): string {
  const known = plainNames.find(([pattern]) => pattern.test(name))?.[1];
  if (known !== undefined) return known;
  const short = shortName(name);
  return short.slice(short.lastIndexOf('.') + 1);
}
