// For every identifier of three real packages: are our references those of the compiler's own API? And is any answer wrong while cold?
import { runTypescript } from './support/runTypescript.mjs';

await runTypescript('bench/code/oracle.ts');
