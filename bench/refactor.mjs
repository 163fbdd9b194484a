// Random refactorings of Sightline's own sources, seeded. `npm run bench -- refactor [SEED] [COUNT] [KINDS]`.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const outfile = join(root, 'dist', 'bench', 'randomOperations.mjs');
await build({
  entryPoints: [join(root, 'bench', 'refactor', 'randomOperations.ts')],
  bundle: true,
  platform: 'node',
  format: 'esm',
  outfile,
  external: ['typescript-classic', '@vscode/ripgrep'],
  logLevel: 'error',
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
});
const { status } = spawnSync(process.execPath, [outfile, root, ...process.argv.slice(2)], { stdio: 'inherit' });
process.exit(status ?? 1);
