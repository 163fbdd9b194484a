import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageSources } from '../code/packages.ts';
import { cache } from '../code/pythonPackages.ts';

export type Language = 'commonjs' | 'typescript' | 'python';

export interface TruthProject {
  name: string;
  language: Language;
  /** Shared by all runs; copy it to change it. */
  fetch(): string;
}

/** What is looked at: as it is published, with its tests where they are. */
export const projects: readonly TruthProject[] = [
  { name: 'express', language: 'commonjs', fetch: () => npmPackage('express', '4.21.2') },
  { name: 'fastify', language: 'commonjs', fetch: () => npmPackage('fastify', '5.2.0') },
  { name: 'winston', language: 'commonjs', fetch: () => npmPackage('winston', '3.17.0') },
  { name: 'immer', language: 'typescript', fetch: () => packageSources('immer') },
  { name: 'mobx', language: 'typescript', fetch: () => packageSources('mobx') },
  { name: 'rxjs', language: 'typescript', fetch: () => packageSources('rxjs') },
  { name: 'marshmallow', language: 'python', fetch: () => pythonSource('marshmallow', '3.23.0') },
  { name: 'httpx', language: 'python', fetch: () => pythonSource('httpx', '0.27.2') },
  { name: 'tornado', language: 'python', fetch: () => pythonSource('tornado', '6.4.2') },
];

function npmPackage(name: string, version: string): string {
  return once(`${name}-${version}-truth`, (folder) => {
    const download = `${folder}.download`;
    mkdirSync(download, { recursive: true });
    writeFileSync(join(download, 'package.json'), '{"private":true}');
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    execFileSync('npm', ['install', ...quiet, `${name}@${version}`], { cwd: download, stdio: 'ignore' });
    const installed = join(download, 'node_modules', name);
    cpSync(installed, folder, { recursive: true });
    rmSync(installed, { recursive: true });
    cpSync(join(download, 'node_modules'), join(folder, 'node_modules'), { recursive: true });
    rmSync(download, { recursive: true });
  });
}

function pythonSource(name: string, version: string): string {
  return once(`${name}-${version}-truth`, (folder) => {
    mkdirSync(folder, { recursive: true });
    const quiet = ['--quiet', '--disable-pip-version-check', '--no-deps', '--no-binary', ':all:', '--dest', folder];
    execFileSync('python3', ['-m', 'pip', 'download', ...quiet, `${name}==${version}`], { stdio: 'inherit' });
    const [archive = ''] = readdirSync(folder).filter((file) => file.endsWith('.tar.gz'));
    execFileSync('tar', ['xzf', archive, '--strip-components=1'], { cwd: folder });
    rmSync(join(folder, archive));
  });
}

function once(name: string, fill: (folder: string) => void): string {
  const folder = join(cache, 'packages', name);
  if (existsSync(folder)) return folder;
  const fresh = `${folder}.${process.pid}`;
  rmSync(fresh, { recursive: true, force: true });
  fill(fresh);
  renameSync(fresh, folder);
  return folder;
}
