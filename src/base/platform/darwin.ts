import { join } from 'node:path';
import { endMarkedByPs } from './helperScripts.ts';
import type { Platform } from './platform.ts';
import { anchoredFiles } from './posix/anchoredFiles.ts';
import { posixChildren, posixCustoms } from './posix/posix.ts';
import { psTable, type PsOptions } from './posix/psTable.ts';

export const psOfDarwin: PsOptions = { every: '-axww', everyWithEnvironment: '-axEww', withEnvironment: '-Eww' };

export const darwin: Platform = {
  system: 'darwin',
  processes: psTable(psOfDarwin),
  children: {
    ...posixChildren,
    guard: (variable, beginning) => endMarkedByPs(psOfDarwin.everyWithEnvironment, variable, beginning),
  },
  files: anchoredFiles,
  customs: {
    ...posixCustoms,
    cacheFolder: (home) => join(home, 'Library', 'Caches'),
    opener: () => 'open',
    sttyOption: '-f',
  },
};
