import { join } from 'node:path';
import { endParentAfter } from '../helperScripts.ts';
import type { Children, Customs } from '../platform.ts';

/** What Linux and macOS have in common. */
export const posixChildren: Omit<Children, 'guard'> = {
  leadGroups: true,
  leaveByShell: true,
  signalTree(pid, signal) {
    try {
      process.kill(-pid, signal);
    } catch {
      // Already gone.
    }
  },
  endUsAfter: (seconds) => ({ script: endParentAfter, argument: String(seconds) }),
};

export const posixCustoms: Omit<Customs, 'sttyOption'> = {
  environment: (env) => env,
  searchPath: ['/usr/local/bin', '/usr/bin', '/bin'],
  programNames: (name) => [name],
  programIn: (folder, name) => join(folder, 'bin', name),
  shell: (line) => ['/bin/sh', '-c', line],
  quote: (word) => (/^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`),
  hasPosixShell: true,
  cacheFolder: (home, env) => env['XDG_CACHE_HOME'] ?? join(home, '.cache'),
  // Without a screen nobody would see it.
  opener: (env) => (env['DISPLAY'] === undefined && env['WAYLAND_DISPLAY'] === undefined ? undefined : 'xdg-open'),
  pipe: () => undefined,
  hasModes: true,
};
