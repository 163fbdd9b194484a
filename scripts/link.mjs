// Puts `sightline` on the PATH: a link in a folder of the person's own. `npm run link` does it, `npm start` offers it once.
import { accessSync, constants, existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const program = join(root, 'dist', 'sightline.js');

/** The command that PATH finds, if any. npm puts folders of its own in front, which a shell does not have. */
function found() {
  return searched()
    .map((folder) => join(folder, 'sightline'))
    .find((path) => existsSync(path));
}

function searched() {
  return (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
}

/** A folder of the person's that PATH names and that can be written, or the usual one. */
function folder() {
  const home = process.env.HOME ?? homedir();
  const own = searched().filter((path) => path.startsWith(`${home}/`) && isWritable(path));
  const usual = join(home, '.local', 'bin');
  return own.includes(usual) ? usual : (own[0] ?? usual);
}

export function link() {
  const present = found();
  if (present !== undefined && realpathSync(present) === realpathSync(program)) {
    console.log(`sightline is on the PATH already: ${present}`);
    return 0;
  }
  const place = folder();
  const path = join(place, 'sightline');
  if (existsSync(path)) {
    console.error(`${path} is another program; it was left alone.`);
    return 1;
  }
  mkdirSync(place, { recursive: true });
  symlinkSync(program, path);
  const isOnPath = searched().includes(place);
  console.log(`${path} leads to this clone.${isOnPath ? '' : ` Add ${place} to your PATH to use it.`}`);
  return 0;
}

/** Asks once, at a terminal; the answer is remembered. */
export async function offerLink() {
  if (process.platform === 'win32' || !process.stdin.isTTY || !process.stdout.isTTY || found() !== undefined) return;
  const state = process.env.SIGHTLINE_HOME ?? join(process.env.HOME ?? homedir(), '.local', 'state', 'sightline');
  const asked = join(state, 'link-offered');
  if (existsSync(asked)) return;
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await lines.question(`Put the command sightline on your PATH (a link in ${folder()})? [y/N] `);
  lines.close();
  mkdirSync(state, { recursive: true, mode: 0o700 });
  writeFileSync(asked, `${answer}\n`);
  if (/^y(es)?$/i.test(answer.trim())) link();
  else console.log('It is not. npm run link does it later.');
}

function isWritable(path) {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!existsSync(program)) {
    console.error('Build it first: npm start, or npm run build.');
    process.exit(1);
  }
  process.exitCode = link();
}
