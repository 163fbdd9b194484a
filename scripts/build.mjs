// Builds dist/: the program as bundles of plain JavaScript. Packages with native or data files of their own stay outside.
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sourceStamp } from './sourceStamp.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');

const external = ['@vscode/ripgrep', 'node-pty', 'typescript', 'esbuild'];

export async function build() {
  const { build: bundle } = await import('esbuild');
  const stamp = await sourceStamp(root);
  await rm(join(dist, '.stamp'), { force: true });
  await mkdir(dist, { recursive: true });
  await bundle({
    absWorkingDir: root,
    entryPoints: { sightline: 'src/cli/launcher.ts' },
    outdir: dist,
    bundle: true,
    platform: 'node',
    // Some packages' CommonJS entry is UMD, whose inner requires a bundler cannot see; their ES module entry is whole.
    mainFields: ['module', 'main'],
    format: 'esm',
    target: 'node20',
    external,
    sourcemap: 'linked',
    sourcesContent: false,
    legalComments: 'linked',
    logLevel: 'warning',
    // Bundled CommonJS packages expect to find `require`.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
  await chmod(join(dist, 'sightline.js'), 0o755);
  await writeFile(join(dist, '.stamp'), stamp);
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) await build();
