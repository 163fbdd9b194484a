// For every identifier of three real packages of each language: are our references those of the compiler's own API (TypeScript), of jedi
// (Python)? And is any answer wrong while cold? `npm run bench -- oracle [typescript|types|python] [PACKAGE...]`
import { runTypescript } from './support/runTypescript.mjs';

const wanted = process.argv.slice(2).filter((name) => ['typescript', 'types', 'python'].includes(name));
if (wanted.length === 0 || wanted.includes('typescript')) await runTypescript('bench/code/oracle.ts');
let failed = process.exitCode === 1;
if (wanted.length === 0 || wanted.includes('typescript') || wanted.includes('types'))
  await runTypescript('bench/code/oracleTypes.ts');
failed ||= process.exitCode === 1;

if (wanted.length === 0 || wanted.includes('python')) await runTypescript('bench/code/oraclePython.ts');
if (failed) process.exitCode = 1;
