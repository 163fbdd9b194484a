// Writes the matrix client × protocol into docs/clients.md from what the tests of real clients came to: runs them, or reads a report of
// vitest that is named (`--reporter=json`). `npm test` compares its own results with the page.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const page = join(root, 'docs', 'clients.md');
const [begin, end] = ['<!-- matrix: npm run matrix -->', '<!-- /matrix -->'];
const columns = { MCP: /^(.+) \((.+)\)$/, ACP: /^over ACP$/, IDE: /^as the IDE$/ };

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const given = process.argv[2];
  write(matrixOf(JSON.parse(given === undefined ? runTests() : readFileSync(given, 'utf8'))));
}

/** The matrix by a report of vitest, which may be of all tests. */
export function matrixOf({ testResults }) {
  const ofClients = testResults.filter(({ name }) => name.includes('/tests/clients/'));
  return table(rowsOf(ofClients.flatMap(({ assertionResults }) => assertionResults)));
}

/** The matrix that the page shows. */
export function matrixInDocs() {
  const { text, from, to } = place();
  return text.slice(from, to).trim();
}

function write(matrix) {
  const { text, from, to } = place();
  writeFileSync(page, `${text.slice(0, from)}\n${matrix}\n${text.slice(to)}`);
}

function place() {
  const text = readFileSync(page, 'utf8');
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from === -1 || to === -1) throw new Error(`${page} has no place for the matrix.`);
  return { text, from: from + begin.length, to };
}

function runTests() {
  const outputFile = join(root, 'node_modules', '.cache', 'clients.json');
  const args = ['run', 'tests/clients', '--reporter=json', `--outputFile=${outputFile}`];
  try {
    execFileSync(join(root, 'node_modules', '.bin', 'vitest'), args, { cwd: root, stdio: 'inherit' });
  } catch {
    // What failed stands in the matrix.
  }
  return readFileSync(outputFile, 'utf8');
}

/** By client: its version, and for each column the checks that passed and those that did not. */
function rowsOf(results) {
  const found = new Map();
  for (const { ancestorTitles, status } of results) {
    const column = Object.keys(columns).find((name) => columns[name].test(ancestorTitles[0]));
    if (column === undefined) continue;
    const [, title, spec] = columns.MCP.exec(ancestorTitles[0]) ?? [];
    const client = title ?? ancestorTitles[1].replaceAll("'", '');
    const row = found.get(client) ?? { version: '', cells: {} };
    if (spec !== undefined) row.version = spec.slice(spec.lastIndexOf('@') + 1);
    const cell = (row.cells[column] ??= { passed: 0, others: 0 });
    if (status === 'passed') cell.passed += 1;
    else cell.others += 1;
    found.set(client, row);
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1));
}

function table(all) {
  const cell = (checks) =>
    checks === undefined
      ? '–'
      : checks.others === 0
        ? `${checks.passed} checks`
        : `${checks.others} of ${checks.passed + checks.others} fail`;
  const lines = all.map(
    ([client, { version, cells }]) =>
      `| ${client} ${version} | ${Object.keys(columns)
        .map((name) => cell(cells[name]))
        .join(' | ')} |`,
  );
  return ['| client | MCP | ACP | IDE protocol |', '|---|---|---|---|', ...lines].join('\n');
}
