import { expect, test } from 'vitest';
import { isSecretName, Redactor } from './redact.ts';

const redactor = new Redactor();

test.each(['apiKey', 'DB_PASSWORD', 'x-auth-token', 'clientSecret', 'aws_secret_access_key', 'token', 'Authorization'])(
  '%s names a secret',
  (name) => expect(isSecretName(name)).toBe(true),
);

test.each([
  'author',
  'keyboard',
  'primaryKey',
  'session_id',
  'tokens',
  'tokenize',
  'file_path',
  'passed',
  'foreignKey',
])('%s does not', (name) => expect(isSecretName(name)).toBe(false));

test('values under secret names go, counts and shapes stay', () => {
  expect(
    redactor.value({
      env: { API_KEY: 'abc', PORT: '80' },
      password: ['a'],
      token: 5,
      list: [{ secret: { deep: 'x' } }],
    }),
  ).toEqual({
    env: { API_KEY: '[redacted]', PORT: '80' },
    password: '[redacted]',
    token: 5,
    list: [{ secret: '[redacted]' }],
  });
});

test('a variable whose name says that it is secret loses its value', () => {
  expect(redactor.value({ variables: [{ name: 'apiToken', value: '"k3j4"', type: 'string' }] })).toEqual({
    variables: [{ name: 'apiToken', value: '[redacted]', type: 'string' }],
  });
});

test.each([
  ['ghp_abcdefghijklmnopqrstuvwxyz0123456789', '[redacted]'],
  ['curl -H "Authorization: Bearer abcdefghijklmnop"', 'curl -H "Authorization: [redacted] [redacted]"'],
  ['https://me:hunter2@example.org/x', 'https://me:[redacted]@example.org/x'],
  ['PASSWORD=hunter2 npm start', 'PASSWORD=[redacted] npm start'],
  ['{"api_key": "abc def", "port": 5}', '{"api_key": "[redacted]", "port": 5}'],
  ["secret = 'x y'", "secret = '[redacted]'"],
  ['function f(token: string, n: number)', 'function f(token: string, n: number)'],
  ['-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----', '[redacted]'],
])('%j', (text, expected) => {
  expect(redactor.text(text)).toBe(expected);
});

test("the process's own secrets never show, whatever they are called", () => {
  const own = new Redactor();
  own.add('s3cr3t-of-ours');
  expect(own.value({ note: 'it is s3cr3t-of-ours.' })).toEqual({ note: 'it is [redacted].' });
});

test('long hostile text takes no time', () => {
  const started = performance.now();
  redactor.text('a'.repeat(200_000));
  redactor.text('password'.repeat(20_000));
  redactor.text(`${'a='.repeat(50_000)}"`);
  redactor.text('://'.repeat(50_000));
  expect(performance.now() - started).toBeLessThan(2000);
});
