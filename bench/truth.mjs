// Is what the index says so? `npm run bench -- truth [--symbols N] [--changes N] [--only NAME,NAME] [--seed N] [--show]`: random symbols of three
// CommonJS, three TypeScript and three Python projects, fetched on first need. Told are the answers that claim to be complete and miss a
// use, and the rows that are no reference, by other engines and the words in the code; then safe deletes and moves after which the
// project does not check or load as before.
import { runTypescript } from './support/runTypescript.mjs';

await runTypescript('bench/truth/truth.ts');
