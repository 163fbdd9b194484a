// Who is measured beside whom on which project. Everything is installed into the user's cache on first need; nothing is a dependency.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

const cache = process.env.SIGHTLINE_TEST_CACHE ?? join(homedir(), '.cache', 'sightline-test');

/** The server that Sightline itself drives. */
export function bundledServer() {
  const require = createRequire(import.meta.url);
  const manifest = require.resolve('typescript/package.json');
  const platform = createRequire(manifest).resolve(
    `@typescript/typescript-${process.platform}-${process.arch}/package.json`,
  );
  return [join(dirname(platform), 'lib', 'tsc'), '--lsp', '--stdio'];
}

/** Each with what it was installed as; one that cannot be installed is said so and left out. */
export function peers() {
  const all = { 'typescript-language-server': languageServerPeer, cclsp: cclspPeer };
  return Object.entries(all).flatMap(([name, find]) => {
    try {
      return [[name, find()]];
    } catch (error) {
      console.log(`${name} could not be installed and is left out: ${error.message.split('\n')[0]}`);
      return [];
    }
  });
}

function languageServerPeer() {
  const folder = join(cache, 'peers', 'typescript-language-server');
  const entry = join(folder, 'node_modules', 'typescript-language-server', 'lib', 'cli.mjs');
  if (!existsSync(entry)) install(folder, ['typescript-language-server@5', 'typescript@5.9']);
  return { kind: 'lsp', command: [process.execPath, entry, '--stdio'] };
}

/** An MCP server over language servers, with the one it proposes for TypeScript. */
function cclspPeer() {
  const folder = join(cache, 'peers', 'cclsp');
  const entry = join(folder, 'node_modules', 'cclsp', 'dist', 'index.js');
  if (!existsSync(entry)) install(folder, ['cclsp']);
  return {
    kind: 'mcp',
    command: [process.execPath, entry],
    env(work) {
      const { command: server } = languageServerPeer();
      const config = join(work, 'cclsp.json');
      writeFileSync(config, JSON.stringify({ servers: [{ extensions: ['ts'], command: server, rootDir: '.' }] }));
      return { CCLSP_CONFIG_PATH: config };
    },
    count: (text) => [...text.matchAll(/:\d+:\d+/g)].length,
  };
}

export function effectSources() {
  const folder = join(cache, 'packages', 'effect-4.1.0');
  if (existsSync(join(folder, 'complete'))) return folder;
  const download = join(folder, 'download');
  install(download, ['effect@4.1.0']);
  cpSync(join(download, 'node_modules', 'effect', 'src'), join(folder, 'src'), { recursive: true });
  rmSync(join(download, 'node_modules', 'effect'), { recursive: true });
  cpSync(join(download, 'node_modules'), join(folder, 'node_modules'), { recursive: true });
  rmSync(download, { recursive: true });
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'effect-sources', private: true, type: 'module' }),
  );
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        target: 'es2022',
        module: 'esnext',
        moduleResolution: 'bundler',
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
        skipLibCheck: true,
        allowImportingTsExtensions: true,
        lib: ['es2023', 'dom', 'dom.iterable'],
        types: [],
      },
      include: ['src'],
    }),
  );
  writeFileSync(join(folder, 'complete'), '');
  return folder;
}

function install(folder, packages) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...packages], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
