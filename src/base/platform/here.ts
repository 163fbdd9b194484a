import { darwin } from './darwin.ts';
import { linux } from './linux.ts';
import type { Platform } from './platform.ts';
import { portable } from './portable.ts';
import { win32 } from './win32.ts';

/** Tests run Linux by what every system has. It is no setting: nobody gains by it. */
export const portableVariable = 'SIGHTLINE_TEST_PORTABLE';

/** The system this process runs on. Systems of which we know nothing are taken for what is nearest to them. */
export const platform: Platform =
  process.platform === 'win32'
    ? win32
    : process.platform === 'linux'
      ? process.env[portableVariable] === '1'
        ? portable
        : linux
      : darwin;

/** How packages name what is made for this machine: `linux-x64`. */
export const machine = `${process.platform}-${process.arch}`;
