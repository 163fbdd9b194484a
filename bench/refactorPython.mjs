// Random refactorings of real Python packages, seeded. Only legal ones are tried (candidates.py says what that means); each of them either
// succeeds or counts against its kind's rate. After each, the package's tests and the type checker say what they said before, and undo
// restores every byte. `npm run bench -- refactorPython [SEED] [PERCENT] [KINDS] [PACKAGES] [--minutes N] [--resume]`: a run that stopped
// after N minutes goes on where it was.
import { runTypescript } from './support/runTypescript.mjs';

await runTypescript('bench/refactor/pythonOperations.ts');
