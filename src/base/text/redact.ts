import { tokenPatterns } from './secrets.ts';
import { headAndTail } from './textBudget.ts';

/**
 * Takes secrets out of what is kept or shown: values whose name says that they are secret, texts that look like the keys of
 * well-known services, and the secrets of this very process, which composition adds.
 */
const redactedMark = '[redacted]';

/** As `processes.ts` makes them. */
const runToken = /\brun-\d+-\d+-\d+_[\w-]{8,}/g;

const maxDepth = 12;
const maxRedactedChars = 16 * 1024;

export class Redactor {
  readonly #known = new Set<string>();

  /** A secret of ours that must never appear anywhere, whatever it is called there. */
  add(secret: string): void {
    if (secret.length >= 8) this.#known.add(secret);
  }

  /** Takes out what gives power over this process and nothing else: its own secrets, and the marks of what it has started. */
  withoutTokens(text: string): string {
    let result = text;
    for (const secret of this.#known) result = result.replaceAll(secret, redactedMark);
    return result.includes('run-') ? result.replaceAll(runToken, redactedMark) : result;
  }

  /** Of a text that is longer than anybody keeps, the beginning and the end: the patterns cost time, and this is done for every call. */
  text(text: string): string {
    let result = this.withoutTokens(headAndTail(text, maxRedactedChars));
    for (const [pattern, replacement] of keyPatterns) result = result.replace(pattern, replacement);
    return result.replace(
      assignment,
      (whole, name: string, middle: string, double?: string, single?: string, bare?: string) => {
        if (!isSecretName(name)) return whole;
        if (double !== undefined) return `${name}${middle}"${redactedMark}"`;
        if (single !== undefined) return `${name}${middle}'${redactedMark}'`;
        return bare === undefined || harmlessValue.test(bare) ? whole : `${name}${middle}${redactedMark}`;
      },
    );
  }

  /** A copy of plain data without its secrets. */
  value(value: unknown): unknown {
    return this.#value(value, 0);
  }

  #value(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.text(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= maxDepth) return '[too deep]';
    if (Array.isArray(value)) return value.map((item) => this.#value(item, depth + 1));
    const entries = Object.entries(value);
    // Variables arrive as {name, value}: there the name of the secret is itself a value.
    const named = entries.find(([key, item]) => key === 'name' && typeof item === 'string')?.[1];
    const isNamedSecret = typeof named === 'string' && isSecretName(named);
    return Object.fromEntries(
      entries.map(([key, item]) => {
        const secret = isSecretName(key) || (isNamedSecret && (key === 'value' || key === 'result'));
        return [key, secret ? withoutStrings(item) : this.#value(item, depth + 1)];
      }),
    );
  }
}

/** Whether a variable, parameter or header of this name usually holds a secret: `apiKey`, `DB_PASSWORD`, `x-auth-token`. */
export function isSecretName(name: string): boolean {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return words.some((word, index) => {
    if (secretWords.has(word)) return true;
    return (word === 'key' || word === 'keys') && secretKeyKinds.has(words[index - 1] ?? '');
  });
}

const secretWords = new Set([
  'password',
  'passwd',
  'passphrase',
  'pwd',
  'secret',
  'secrets',
  'token',
  'apikey',
  'apitoken',
  'credential',
  'credentials',
  'authorization',
  'cookie',
  'bearer',
]);
const secretKeyKinds = new Set(['api', 'access', 'private', 'secret', 'signing', 'encryption', 'auth', 'account']);

const assignment =
  /([A-Za-z_][\w.-]{0,80})("?'?\s{0,3}(?:[:=]|=>)\s{0,3})(?:"((?:[^"\\\n]|\\.)+)"|'((?:[^'\\\n]|\\.)+)'|([^\s,;"'(){}[\]<>]+))/g;
/** What stands after a secret's name without being one: types, calls, other names' beginnings. */
const harmlessValue =
  /^(string|number|boolean|str|int|bool|bytes|null|none|undefined|true|false|\d{1,4}|\[redacted\])$/i;

const keyPatterns: readonly (readonly [RegExp, string])[] = [
  ...tokenPatterns.map(({ pattern }) => [pattern, redactedMark] as const),
  [/\b(Bearer|Basic)\s+[A-Za-z0-9+/=._~-]{12,}/g, `$1 ${redactedMark}`],
  [/\b([a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@]{0,100}):[^\s@/]{1,200}@/gi, `$1:${redactedMark}@`],
];

/** Counts and flags may stay (`token: 5`); whatever could carry the secret's text goes. */
function withoutStrings(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null || value === undefined) return value;
  return redactedMark;
}
