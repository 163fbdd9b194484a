import { spawnSync } from 'node:child_process';

/**
 * What a small program of the system prints; undefined when it is not there. It takes some milliseconds in which nothing else happens: this is for what
 * must be known before the next step. Language and time zone are fixed, so that its words and times can be read.
 */
export function said(
  command: string,
  args: readonly string[],
  path = '/usr/bin:/bin:/usr/sbin:/sbin',
): string | undefined {
  const { stdout, error } = spawnSync(command, [...args], {
    env: { PATH: path, LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', 'pipe', 'ignore'],
    encoding: 'latin1',
    maxBuffer: 256 * 1024 * 1024,
    timeout: 10_000,
    windowsHide: true,
  });
  return error === undefined ? stdout : undefined;
}

export type Said = (command: string, args: readonly string[]) => string | undefined;
