import type { AppDirs } from '../base/appDirs.ts';

/** What tools may call. Composed once in `cli/compose`. Each engine is plain data in, plain data out. */
export interface Engines {
  readonly dirs: AppDirs;
}
