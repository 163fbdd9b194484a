import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Real packages that ship their TypeScript sources, fetched once from the npm registry and pinned. */
const pinned = { immer: '11.2.10', mobx: '7.1.3', rxjs: '7.8.2', effect: '4.1.0', zod: '4.6.7' } as const;
export type PackageName = keyof typeof pinned;

const cache = process.env['SIGHTLINE_TEST_CACHE'] ?? join(homedir(), '.cache', 'sightline-test');

/** A project made of the package's sources: `src` and a tsconfig. The folder is shared by all runs; copy it to change it. */
export function packageSources(name: PackageName): string {
  const version = pinned[name];
  const root = join(cache, 'packages', `${name}-${version}`);
  if (existsSync(join(root, 'complete'))) return root;
  rmSync(root, { recursive: true, force: true });
  const download = join(root, 'download');
  mkdirSync(download, { recursive: true });
  writeFileSync(join(download, 'package.json'), '{"private":true}');
  execFileSync(
    'npm',
    ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', `${name}@${version}`],
    {
      cwd: download,
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  cpSync(join(download, 'node_modules', name, 'src'), join(root, 'src'), { recursive: true });
  rmSync(join(download, 'node_modules', name), { recursive: true });
  cpSync(join(download, 'node_modules'), join(root, 'node_modules'), { recursive: true });
  rmSync(download, { recursive: true });
  writeFileSync(join(root, 'package.json'), JSON.stringify({ name: `${name}-sources`, private: true, type: 'module' }));
  writeFileSync(join(root, 'tsconfig.json'), JSON.stringify(tsconfig(name)));
  writeFileSync(join(root, 'complete'), '');
  return root;
}

function tsconfig(name: string): unknown {
  return {
    compilerOptions: {
      target: 'es2022',
      module: 'esnext',
      moduleResolution: 'bundler',
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      lib: ['es2023', 'dom', 'dom.iterable'],
      types: [],
      paths: { [name]: ['./src/index.ts'], [`${name}/*`]: ['./src/*'] },
    },
    include: ['src'],
  };
}
