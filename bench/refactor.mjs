// `npm run bench -- refactor`: a rename in 147 files beside the bare server and bare writing, then Python.
// `npm run bench -- refactor --typescript [--packages rxjs,zod,effect] [--project FOLDER] [--count N] [--seed N] [--slow]`: previews of
// renames at random places of real packages.
// `npm run bench -- refactor --python [--packages flask,sphinx] [--kinds rename,extract,move,delete] [--count N] [--slow]`: only
// previews of Python refactorings at random places of real packages; with --slow each of them is shown.
// `npm run bench -- refactor --random [--seed N] [--count PERCENT] [--kinds rename,extract,inline,move,moveFile] [--from FILE]`: random
// refactorings of real packages; 100 percent are 300 renames, 60 extracts, 60 inlines, 30 moves and 30 file moves. With --from,
// outcomes are kept in a file, and a run goes on where the last one ended.
import { speed } from './refactor/speed.mjs';
import { runTypescript } from './support/runTypescript.mjs';

if (process.argv.includes('--random')) await runTypescript('bench/refactor/random.mjs');
else if (process.argv.includes('--typescript')) await runTypescript('bench/refactor/typescriptSpeed.ts');
else if (process.argv.includes('--python')) await runTypescript('bench/refactor/pythonSpeed.ts');
else {
  await speed();
  await runTypescript('bench/refactor/typescriptSpeed.ts');
  await runTypescript('bench/refactor/pythonSpeed.ts');
}
