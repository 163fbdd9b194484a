import { lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomToken } from '../../base/ids.ts';

/** A token that outlives a run, for agents whose configuration names an address. It is there only when a person asked for it. */
export function lastingToken(configDir: string): string | undefined {
  const file = lastingTokenPath(configDir);
  const stats = lstatSync(file, { throwIfNoEntry: false });
  // What others could have written or read opens nothing.
  if (stats?.isFile() !== true || (stats.mode & 0o077) !== 0) return undefined;
  const token = readFileSync(file, 'utf8').trim();
  return token.length >= 43 ? token : undefined;
}

/** The one that is there, or a new one. */
export function makeLastingToken(configDir: string): string {
  const known = lastingToken(configDir);
  if (known !== undefined) return known;
  const token = randomToken();
  mkdirSync(configDir, { recursive: true, mode: 0o700 });
  writeFileSync(lastingTokenPath(configDir), `${token}\n`, { mode: 0o600 });
  return token;
}

function lastingTokenPath(configDir: string): string {
  return join(configDir, 'http-token');
}
