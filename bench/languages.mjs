// Each language's step with its whole report, its first stop and its references, beside the raw protocol of the same engine on the same
// program in the same run. `--language go` runs one; a file of languages/ measures one.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const home = realpathSync(mkdtempSync(join(tmpdir(), 'sightline-bench-')));
const context = {
  program: join(resolve(here, '..'), 'dist', 'sightline.js'),
  home,
  env: {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    SIGHTLINE_HOME: home,
    SIGHTLINE_CACHE: process.env.SIGHTLINE_CACHE,
  },
  runs: Number(option('--runs') ?? 10),
  steps: Number(option('--steps') ?? 100),
};
try {
  for (const file of readdirSync(join(here, 'languages')).sort()) {
    const language = file.replace(/\.mjs$/, '');
    if (option('--language') !== undefined && option('--language') !== language) continue;
    console.log(`--- ${language}`);
    const { measure } = await import(join(here, 'languages', file));
    await measure(context);
  }
} finally {
  spawnSync(process.execPath, [context.program, 'stop'], { cwd: home, env: context.env });
  rmSync(home, { recursive: true, force: true });
}

function option(name) {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
}
