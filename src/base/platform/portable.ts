import { endMarkedByPs } from './helperScripts.ts';
import { linux } from './linux.ts';
import type { Platform } from './platform.ts';
import { anchoredFiles } from './posix/anchoredFiles.ts';
import { psTable, type PsOptions } from './posix/psTable.ts';

const psOfLinux: PsOptions = { every: 'axww', everyWithEnvironment: 'axeww', withEnvironment: 'eww' };

/** Linux as macOS has to do it, for tests: whatever comes from the kernel's files comes from `ps` and from looking again. */
export const portable: Platform = {
  ...linux,
  processes: psTable(psOfLinux),
  children: {
    ...linux.children,
    guard: (variable, beginning) => endMarkedByPs(psOfLinux.everyWithEnvironment, variable, beginning),
  },
  files: { ...anchoredFiles, copiesAttributes: true },
};
