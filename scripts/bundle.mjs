// `npm run bundle` makes dist/sightline-<system>.mcpb, which Claude Desktop and others install by a double click: the packed program with
// the packages that it needs on this system. It is checked and packed by the format's own tool.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const mcpb = '@anthropic-ai/mcpb@2.1.2';

export function manifest() {
  const { version, description, license, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return {
    manifest_version: '0.3',
    name: 'sightline',
    display_name: 'Sightline',
    version,
    description,
    author: { name: 'Sightline contributors' },
    license,
    server: {
      type: 'node',
      entry_point: 'dist/sightline.js',
      mcp_config: {
        command: 'node',
        args: ['${__dirname}/dist/sightline.js', 'stdio', '--project', '${user_config.project}'],
      },
    },
    tools_generated: true,
    user_config: {
      project: {
        type: 'directory',
        title: 'Project',
        description: 'The folder that Sightline works in. It is trusted: its programs and tests may be run.',
        required: true,
      },
    },
    compatibility: { platforms: [process.platform], runtimes: { node: engines.node } },
  };
}

/** Makes a bundle of a folder with the program and its packages. */
export function prepare(folder) {
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest(), null, 2));
  // The tool leaves declarations out; TypeScript knows nothing of the language without its own.
  writeFileSync(join(folder, '.mcpbignore'), '!*.d.ts\n');
}

function bundle() {
  const stage = mkdtempSync(join(tmpdir(), 'sightline-bundle-'));
  const run = (command, args, cwd) => execFileSync(command, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    run('npm', ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', stage], root);
    const [packed] = readdirSync(stage);
    run('tar', ['-xzf', packed], stage);
    const folder = join(stage, 'package');
    run('npm', ['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], folder);
    prepare(folder);
    const target = join(root, 'dist', `sightline-${process.platform}-${process.arch}.mcpb`);
    for (const args of [
      ['validate', 'manifest.json'],
      ['pack', '.', target],
    ])
      run('npx', ['--yes', '--loglevel=error', mcpb, ...args], folder);
    console.log(`${target} is ready.`);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) bundle();
