// What a step costs with everything a stop shows, and how long a launch takes, beside the naive raw protocol on the same program
// in the same run. `--language python` (or node) runs one half; `--runs N` changes the number of launches.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, '..');
const only = option('--language');
const runs = Number(option('--runs') ?? 30);
const home = realpathSync(mkdtempSync(join(tmpdir(), 'sightline-bench-')));
const context = {
  program: join(root, 'dist', 'sightline.js'),
  home,
  env: {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    SIGHTLINE_HOME: home,
    SIGHTLINE_CACHE: process.env.SIGHTLINE_CACHE,
  },
  runs,
  steps: 200,
};
try {
  for (const language of ['node', 'python']) {
    const file = join(here, 'debug', `${language}.mjs`);
    if ((only !== undefined && only !== language) || !existsSync(file)) continue;
    console.log(`--- ${language}`);
    const { measure } = await import(file);
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
