import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

interface LockedPackage {
  integrity?: string;
  link?: boolean;
}

type Locked = Record<string, LockedPackage>;

const read = (file: string): unknown => JSON.parse(readFileSync(join(import.meta.dirname, '../..', file), 'utf8'));
const withoutHash = (packages: Locked): string[] =>
  Object.entries(packages).flatMap(([name, { link, integrity }]) =>
    name === '' || link || integrity?.startsWith('sha512-') ? [] : [name],
  );

test('every locked package has a hash, those of other systems too', () => {
  const { packages } = read('package-lock.json') as { packages: Locked };
  expect(Object.keys(packages).length).toBeGreaterThan(100);
  expect(withoutHash(packages)).toEqual([]);
});

test('so has everything that installing an engine may fetch', () => {
  const { npm, pip, go } = read('pins/engines.json') as {
    npm: Record<string, Locked>;
    pip: Record<string, string[]>;
    go: Record<string, { zip: string; mod: string }>;
  };
  expect(Object.values(npm).flatMap(withoutHash)).toEqual([]);
  const requirement = /^[\w.-]+==[\w.]+( --hash=sha256:[0-9a-f]{64})+$/;
  for (const line of Object.values(pip).flat()) expect(line).toMatch(requirement);
  for (const sums of Object.values(go))
    expect(sums).toEqual({ zip: expect.stringMatching(/^h1:/), mod: expect.stringMatching(/^h1:/) });
  // The larger ones bring others with them, which is what a lock is for.
  expect(Math.max(...Object.values(npm).map((packages) => Object.keys(packages).length))).toBeGreaterThan(10);
});
