import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

interface LockedPackage {
  version?: string;
  integrity?: string;
  optional?: boolean;
  os?: string[];
  link?: boolean;
}

test('every locked package has a hash, except for tools of other systems that the registry at hand does not know', () => {
  const { packages } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  const loose = Object.entries(packages).filter(([name, { link, integrity }]) => name !== '' && !link && !integrity);
  const installable = /-linux-(x64|arm64)/;
  expect(
    loose.filter(([name, { optional }]) => optional !== true || installable.test(name)).map(([name]) => name),
  ).toEqual([]);
});
