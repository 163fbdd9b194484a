// The tests that docs/safety.md names must be there, and each promise must name one.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const rows = readFileSync(join(root, 'docs/safety.md'), 'utf8').matchAll(/^\| ([A-Z]\d+) \|.*\|(.*)\|$/gm);
const promises = [...rows].map(([, name, shown]) => ({
  name,
  files: [...shown.matchAll(/`([^`]+)`/g)].map(([, file]) => file),
}));
const problems = promises.flatMap(({ name, files }) =>
  files.length === 0
    ? [`${name} names no test`]
    : files.filter((file) => !existsSync(join(root, file))).map((file) => `${name}: ${file} is not there`),
);
if (promises.length < 25) problems.push(`only ${promises.length} promises were found`);
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exitCode = 1;
}
