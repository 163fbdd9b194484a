import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { compareVersions, expand } from './programs.ts';
import type { FindContext } from './model.ts';

interface InstalledJdk {
  home: string;
  java: string;
  version: string;
}

const places = ['/usr/lib/jvm/*', '/Library/Java/JavaVirtualMachines/*/Contents/Home', '/opt/java/*', '/opt/jdk*'];

/** Every Java of the machine, the newest first. Each says in a file which version it is, so none has to be started. */
export async function installedJdks({ env, locate }: Pick<FindContext, 'env' | 'locate'>): Promise<InstalledJdk[]> {
  const named = env['JAVA_HOME'];
  const usual = await locate('java');
  const homes = [
    ...(named === undefined ? [] : [named]),
    ...(usual.found ? [homeOf(usual.path)] : []),
    ...(await Promise.all([...places, join(env['HOME'] ?? '/', '.sdkman/candidates/java/*')].map(expand))).flat(),
  ];
  const found = new Map<string, InstalledJdk>();
  for (const place of homes) {
    const home = realHome(place);
    const version = home === undefined ? undefined : versionIn(home);
    if (home !== undefined && version !== undefined)
      found.set(home, { home, java: join(home, 'bin', 'java'), version });
  }
  return [...found.values()].sort((a, b) => compareVersions(b.version, a.version));
}

function homeOf(java: string): string {
  return dirname(dirname(realpathSync(java)));
}

function realHome(place: string): string | undefined {
  return existsSync(join(place, 'bin', 'java')) ? realpathSync(place) : undefined;
}

function versionIn(home: string): string | undefined {
  try {
    return /^JAVA_VERSION="(\d+(?:\.\d+)*)/m.exec(readFileSync(join(home, 'release'), 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}
