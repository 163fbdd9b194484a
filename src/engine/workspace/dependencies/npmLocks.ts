import { parse as parseJsonc } from 'jsonc-parser';
import { recordOf, textOf } from './model.ts';
import { isRecord } from '../../../base/text/records.ts';

/** The lock files of npm's world, in the order in which they are believed. */
export const npmLockNames: readonly string[] = [
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
];

interface LockedPackage {
  name: string;
  version: string;
  dev?: boolean;
}

export interface NpmResolver {
  /** The version used for what `module` asks for. */
  resolve(name: string, declared: string, module: string): string | undefined;
  all(): LockedPackage[];
}

/** `lockFolder` is where the lock lies: module paths inside it are relative to that. */
export function npmResolver(fileName: string, text: string, lockFolder = '.'): NpmResolver | undefined {
  const inside = (module: string) =>
    lockFolder === '.' ? module : module === lockFolder ? '.' : module.slice(lockFolder.length + 1);
  const resolver = parserOf(fileName)?.(text);
  if (resolver === undefined) return undefined;
  return { ...resolver, resolve: (name, declared, module) => resolver.resolve(name, declared, inside(module)) };
}

function parserOf(fileName: string): ((text: string) => NpmResolver) | undefined {
  if (fileName === 'package-lock.json' || fileName === 'npm-shrinkwrap.json') return packageLock;
  if (fileName === 'pnpm-lock.yaml') return pnpmLock;
  if (fileName === 'yarn.lock') return yarnLock;
  if (fileName === 'bun.lock') return bunLock;
  return undefined;
}

function packageLock(text: string): NpmResolver {
  const content = recordOf(JSON.parse(text));
  const packages = recordOf(content['packages']);
  const old = recordOf(content['dependencies']);
  const versionAt = (path: string) => {
    const entry = recordOf(packages[path]);
    // A workspace is a link to the folder where it lies.
    const target = entry['link'] === true ? recordOf(packages[textOf(entry['resolved']) ?? '']) : entry;
    return textOf(target['version']);
  };
  return {
    resolve: (name, _declared, module) => {
      const own = module === '.' ? undefined : versionAt(`${module}/node_modules/${name}`);
      return own ?? versionAt(`node_modules/${name}`) ?? textOf(recordOf(old[name])['version']);
    },
    all: () => {
      const paths = Object.entries(packages).filter(([path]) => path.includes('node_modules/'));
      if (paths.length === 0) return oldPackages(old);
      return paths.flatMap(([path, entry]) => {
        const version = versionAt(path);
        const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
        return version === undefined ? [] : [{ name, version, dev: recordOf(entry)['dev'] === true }];
      });
    },
  };
}

function oldPackages(dependencies: Record<string, unknown>): LockedPackage[] {
  return Object.entries(dependencies).flatMap(([name, entry]) => {
    const { version, dev, dependencies: inner } = recordOf(entry);
    const own = typeof version === 'string' ? [{ name, version, dev: dev === true }] : [];
    return [...own, ...oldPackages(recordOf(inner))];
  });
}

/** Only what is needed of YAML: keys by indentation, in the three parts of the file that matter. */
function pnpmLock(text: string): NpmResolver {
  const importers = new Map<string, Map<string, string>>();
  const packages: LockedPackage[] = [];
  const path: string[] = [];
  for (const line of text.split('\n')) {
    const match = /^( *)('[^']*'|"[^"]*"|[^\s:#][^:]*(?::[^\s:][^:]*)*):(?:\s+(.*))?$/.exec(line);
    if (match === null) continue;
    const depth = Math.floor((match[1] ?? '').length / 2);
    const key = unquoted(match[2] ?? '');
    path.length = depth;
    path[depth] = key;
    const value = unquoted(match[3] ?? '');
    const [part, second = '', third = '', fourth = ''] = path;
    if (part === 'importers' && depth === 4 && key === 'version') {
      if (!/dependencies$/i.test(third)) continue;
      set(importers, second, fourth, bareVersion(value));
    } else if (part !== undefined && /^(dev|optional)?dependencies$/i.test(part)) {
      // Older files of a single project have no importers.
      if (depth === 1 && value !== '') set(importers, '.', second, bareVersion(value));
      if (depth === 2 && key === 'version') set(importers, '.', second, bareVersion(value));
    } else if (part === 'packages' && depth === 1) {
      const named = /^\/?(@?[^@]+)[@/]([^(_]+)/.exec(key);
      if (named?.[1] !== undefined && named[2] !== undefined) packages.push({ name: named[1], version: named[2] });
    }
  }
  return { resolve: (name, _declared, module) => importers.get(module)?.get(name), all: () => packages };
}

function set(importers: Map<string, Map<string, string>>, module: string, name: string, version: string): void {
  const known = importers.get(module) ?? new Map<string, string>();
  importers.set(module, known.set(name, version));
}

/** `1.2.3(react@18)` and `1.2.3_react@18` are 1.2.3 with particular peers. */
function bareVersion(text: string): string {
  return text.replace(/[(_].*$/, '');
}

function unquoted(text: string): string {
  return text.trim().replace(/^(['"])(.*)\1$/, '$2');
}

/** Yarn 1 and later: blocks headed by the requests they answer. */
function yarnLock(text: string): NpmResolver {
  const byRequest = new Map<string, string>();
  const packages: LockedPackage[] = [];
  let requests: { name: string; range: string }[] = [];
  for (const line of text.split('\n')) {
    if (/^["\w@]/.test(line) && line.trimEnd().endsWith(':')) {
      requests = line
        .trimEnd()
        .slice(0, -1)
        .split(',')
        .flatMap((request) => {
          const match = /^(@?[^@]+)@(.*)$/.exec(unquoted(request));
          return match?.[1] === undefined ? [] : [{ name: match[1], range: (match[2] ?? '').replace(/^npm:/, '') }];
        });
      continue;
    }
    const version = /^ {2}version:? "?([^"\s]+)"?/.exec(line)?.[1];
    if (version === undefined) continue;
    for (const { name, range } of requests) byRequest.set(`${name}@${range}`, version);
    const [first] = requests;
    if (first !== undefined) packages.push({ name: first.name, version });
  }
  return {
    resolve: (name, declared) => byRequest.get(`${name}@${declared.replace(/^npm:/, '')}`),
    all: () => packages,
  };
}

function bunLock(text: string): NpmResolver {
  const parsed: unknown = parseJsonc(text);
  const packages = recordOf(recordOf(parsed)['packages']);
  const versionOf = (entry: unknown) => {
    const [id] = Array.isArray(entry) ? entry : [];
    const at = typeof id === 'string' ? id.lastIndexOf('@') : -1;
    return typeof id === 'string' && at > 0 ? id.slice(at + 1) : undefined;
  };
  return {
    resolve: (name) => versionOf(packages[name]),
    all: () =>
      Object.entries(packages).flatMap(([name, entry]) => {
        const version = versionOf(entry);
        return version === undefined || isRecord(entry) ? [] : [{ name: name.split('/').slice(-2).join('/'), version }];
      }),
  };
}
