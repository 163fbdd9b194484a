// Everything that is checked without running the product. Each check runs even if an earlier one failed, so one run tells all.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pythonTool } from './pythonTools.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const bin = (name) => join(root, 'node_modules', '.bin', name);

/** @type {{ name: string, command: string, args: string[] }[]} */
const checks = [
  // By path: the classic compiler, which refactorings need, brings a `tsc` of its own.
  {
    name: 'types',
    command: process.execPath,
    args: ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.json'],
  },
  {
    name: 'types of the page',
    command: process.execPath,
    args: ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'dashboard-ui/tsconfig.json'],
  },
  {
    name: 'types of the extension',
    command: process.execPath,
    args: ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'editors/vscode/tsconfig.json'],
  },
  {
    name: 'types of its page',
    command: process.execPath,
    args: ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'editors/vscode/page/tsconfig.json'],
  },
  { name: 'lint', command: bin('oxlint'), args: ['--type-aware', '--deny-warnings'] },
  { name: 'format', command: bin('oxfmt'), args: ['--check', '.'] },
  { name: 'python: format', command: pythonTool('ruff'), args: ['format', '--check', '--quiet', '--diff', 'python'] },
  { name: 'python: lint', command: pythonTool('ruff'), args: ['check', '--quiet', 'python'] },
  { name: 'python: types', command: pythonTool('ty'), args: ['check', '--quiet', '--output-format', 'concise'] },
  { name: 'layers', command: process.execPath, args: ['scripts/checkLayers.mjs'] },
  { name: 'unused exports', command: process.execPath, args: ['scripts/counts.mjs', '--check'] },
  { name: 'lock', command: process.execPath, args: ['scripts/lock.mjs', '--check'] },
  { name: 'pins', command: process.execPath, args: ['scripts/pinEngines.mjs', '--check'] },
  { name: 'promises', command: process.execPath, args: ['scripts/checkPromises.mjs'] },
];
if (existsSync(join(root, 'scripts/generateDocs.mjs')))
  checks.push({ name: 'docs', command: process.execPath, args: ['scripts/generateDocs.mjs', '--check'] });

const failed = [];
for (const { name, command, args } of checks) {
  const startedAt = Date.now();
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  console.log(`${name}: ${status === 0 ? 'ok' : 'FAILED'} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`);
  if (status !== 0) failed.push(name);
}
if (failed.length > 0) {
  console.error(`failed: ${failed.join(', ')}`);
  process.exit(1);
}
