// `npm run bench -- NAME [--json FILE]` runs bench/NAME.mjs; without a name it lists them. Each prints what it measured beside its target
// and ends with exit code 1 when a target was missed.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const names = readdirSync(here)
  .filter((name) => name.endsWith('.mjs') && name !== 'run.mjs')
  .map((name) => name.slice(0, -'.mjs'.length));
const [name, ...rest] = process.argv.slice(2);
if (name === undefined || !names.includes(name)) {
  console.error(`npm run bench -- NAME, where NAME is one of: ${names.join(', ')}`);
  process.exit(2);
}
const prepared = spawnSync(process.execPath, [join(here, '..', 'scripts', 'bootstrap.mjs'), 'prepare'], {
  stdio: 'inherit',
});
if (prepared.status !== 0) process.exit(prepared.status ?? 1);
const { status } = spawnSync(process.execPath, [join(here, `${name}.mjs`), ...rest], { stdio: 'inherit' });
process.exit(status ?? 1);
