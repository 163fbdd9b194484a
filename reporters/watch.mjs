// Prints the files of a folder that change, one a line after `changed `, once nothing more has changed for a moment.
import { lstatSync, readdirSync, watch } from 'node:fs';
import { join, relative } from 'node:path';

const root = process.argv[2];
/** What tools make by themselves: no test is written there, and it would never be quiet. */
const ignored =
  /^(?:node_modules|bower_components|__pycache__|venv|target|build|dist|out|coverage|site-packages|\..+)$/;
const settleMs = 150;

const folders = new Map();
const stamps = new Map();
const touched = new Set();
let timer;

function stampOf(path) {
  try {
    const { mtimeMs, size, ino } = lstatSync(path);
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    return undefined;
  }
}

/** `isNew`: what lies in a folder that was made just now has changed. */
function add(folder, isNew) {
  if (folders.has(folder)) return;
  let entries;
  try {
    folders.set(
      folder,
      watch(folder, (_event, name) => name !== null && look(folder, name)).on('error', () => drop(folder)),
    );
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (error.code !== 'ENOSPC' && error.code !== 'EMFILE') return;
    process.stdout.write('The system has no watch handles left: changes would be missed.\n');
    process.exit(1);
  }
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!ignored.test(entry.name)) add(path, isNew);
    } else if (entry.isFile()) {
      if (isNew) changed(path);
      stamps.set(path, stampOf(path));
    }
  }
}

function drop(folder) {
  folders.get(folder)?.close();
  folders.delete(folder);
}

function look(folder, name) {
  const path = join(folder, name);
  let stats;
  try {
    stats = lstatSync(path);
  } catch {
    drop(path);
  }
  if (stats?.isDirectory()) {
    if (!ignored.test(name)) add(path, true);
    return;
  }
  // Reading a file and changing its rights are told, too.
  const stamp = stampOf(path);
  if (stamp === stamps.get(path)) return;
  stamps.set(path, stamp);
  changed(path);
}

function changed(path) {
  touched.add(path);
  clearTimeout(timer);
  timer = setTimeout(() => {
    for (const each of touched) process.stdout.write(`changed ${relative(root, each)}\n`);
    process.stdout.write('changed.\n');
    touched.clear();
  }, settleMs);
}

add(root, false);
process.stdout.write('watching\n');
