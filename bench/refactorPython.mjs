// Random refactorings of real Python packages, seeded: after each, the package compiles, its tests and the type checker say what they said
// before, and undo restores every byte. `npm run bench -- refactorPython [SEED] [COUNT] [KINDS] [PACKAGES]`.
import { runTypescript } from './support/runTypescript.mjs';

await runTypescript('bench/refactor/pythonOperations.ts');
