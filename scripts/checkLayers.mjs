// Fails when a file imports from a layer it may not know, be it a value or only a type, and when a folder holds too many files. The rules
// are those of ARCHITECTURE.md.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { languageNamesIn } from './languageNames.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** What each area may import besides itself and packages. The longest matching prefix decides. */
const mayImport = {
  'src/base': ['package.json'],
  'src/protocol': ['src/base'],
  'src/engine/provision': ['src/base', 'src/engine/workspace'],
  'src/engine/workspace': ['src/base'],
  'src/engine/install': ['src/base', 'src/engine/workspace'],
  'src/engine/debugger': ['src/base', 'src/protocol', 'src/engine/workspace', 'src/engine/provision'],
  'src/engine/agents': ['src/base', 'src/protocol', 'src/engine/workspace'],
  'src/engine/code': ['src/base', 'src/protocol', 'src/engine/workspace', 'src/engine/provision'],
  'src/tools': ['src/base', 'src/engine'],
  'src/server': ['src/base', 'src/engine', 'src/tools'],
  'src/dashboard': ['src/base', 'src/engine', 'src/tools', 'src/server'],
  'src/cli': ['src'],
  'dashboard-ui': ['src/dashboard/channel.ts'],
  'editors/vscode': ['src/base', 'src/protocol', 'src/cli/editors'],
};

/** Packages and modules that belong to one place. */
const reserved = [
  { pattern: /^@modelcontextprotocol\//, only: ['src/server/mcp'] },
  { pattern: /^@agentclientprotocol\//, only: ['src/protocol/acp'] },
  { pattern: /^(node:)?child_process$/, only: ['src/base/processes.ts', 'src/base/platform/said.ts'] },
  { pattern: /^@lydell\/node-pty/, only: ['src/base/pty.ts'] },
  {
    pattern: /^@xterm\//,
    only: ['src/engine/workspace/terminals', 'dashboard-ui/src/parts', 'dashboard-ui/src/views/terminals'],
  },
  { pattern: /^(ws|devtools-protocol)(\/|$)/, only: ['src/protocol/cdp', 'src/dashboard', 'src/server/ide'] },
  { pattern: /^@vscode\/debugprotocol/, only: ['src/protocol/dap', 'src/engine/debugger'] },
  {
    pattern: /^zod(\/|$)/,
    only: ['src/tools', 'src/server', 'src/dashboard', 'src/engine/workspace/settings'],
  },
];

/** Calls that belong to the top: everything below must be given what it needs. */
const forbiddenBelowCli = [
  {
    pattern: /\bprocess\.(cwd|exit)\s*\(/,
    says: 'process.cwd() and process.exit() belong to src/cli',
    // Where the working directory really lies is what it asks.
    except: 'src/base/platform/posix/anchoredFiles.ts',
  },
  { pattern: /\bconsole\.\w+\s*\(/, says: 'console belongs to src/cli; use the Logger' },
  { pattern: /\bprocess\.stdout\b/, says: 'stdout belongs to the stdio transport in src/cli' },
  {
    pattern: /['"`]\/(tmp|home|root|Users)\//,
    says: 'a path that one machine has; ask for it (os.tmpdir(), the project)',
  },
];

/** A folder is a room for one concept: more files than these are several. */
const maxFilesInFolder = 25;

/** Operations share the rooms beside them and never import one another. */
const operations = ['rename', 'extract', 'inline', 'move', 'delete'];
const operationFolders = ['src/engine/code/refactor/typescript', 'python/_sightline_refactor'];

/** Types that the page is compiled with: they import only one another. */
const pageTypes = [/^src\/dashboard\/\w*[cC]hannel\.ts$/, /^src\/(engine|server)\/agents\/(model|agentRequests)\.ts$/];

/** Lines that still name a language elsewhere. The list may only get shorter. */
const stillNamingLanguages = {
  'src/cli/compose.ts': 1,
  'src/cli/provisioning.ts': 1,
  'src/dashboard/pageFiles.ts': 1,
  'src/engine/provision/pins.ts': 2,
  'src/engine/workspace/coverage/model.ts': 1,
  'src/engine/workspace/coverage/readCoverage.ts': 1,
  'src/engine/workspace/coverage/sourceFinder.ts': 1,
  'src/engine/workspace/coverage/summary.ts': 1,
  'src/engine/workspace/libraryDocs/libraryDocs.ts': 2,
  'src/engine/workspace/libraryRoots.ts': 3,
  'src/engine/workspace/ownFolders.ts': 1,
  'src/engine/workspace/runConfigs/planCommand.ts': 3,
  'src/engine/workspace/structure.ts': 5,
  'src/engine/workspace/tests/changedTests.ts': 1,
  'src/tools/debugger/shapes/runnerOutput.ts': 1,
  'src/tools/runConfigurations.ts': 2,
  'src/tools/workspace/createRunConfiguration.ts': 2,
};

/** Engines answer data: `step('listBreakpoints')`. What tools and parameters are called is said where answers are written. */
const toolSchemas = join(root, 'tests/contract/snapshots/tools');
/** Files of engines that still hold names of tools: a rule for agents, a description of a setting, calls as data. It may only shrink. */
const stillNamingTools = {
  'src/engine/install/rule.ts': 6,
  'src/engine/workspace/settings/settings.ts': 1,
  'src/engine/workspace/testRunners/pythonSuite.ts': 1,
};

/** In what systems differ stands behind one interface, and nowhere else. */
const platformPlace = 'src/base/platform/';
const platformNames = /\/proc\b|\bprocess\.platform\b|\bplatform\(\)/;

/** Refactorings are refused for a reason of the list, whose words stand there and nowhere else. */
const refactorings = 'src/engine/code/refactor';
const refusalCodes = /'refactoring_(?:not_available|conflict)'/;

const problems = [];
for (const folder of ['src', 'dashboard-ui', 'editors']) sourceFiles(join(root, folder)).forEach(checkFile);
for (const folder of ['src', 'python', 'dashboard-ui', 'editors']) checkRooms(join(root, folder));
for (const folder of operationFolders) checkOperations(folder);
checkLanguageNames();
checkToolNames();
checkPlatformNames();
checkRefusals();
if (problems.length > 0) {
  console.error(problems.join('\n'));
  console.error(`${problems.length} layer violations`);
  process.exit(1);
}
console.log('layers: ok');

function checkFile(file) {
  const path = relative(root, file).split(sep).join('/');
  const text = readFileSync(file, 'utf8');
  const area = Object.keys(mayImport)
    .filter((prefix) => path.startsWith(`${prefix}/`))
    .sort((a, b) => b.length - a.length)[0];
  const isTest = /\.test\.tsx?$/.test(path);
  if (area === undefined) {
    problems.push(`${path}: lies in no layer`);
    return;
  }
  if (
    pageTypes.some((pattern) => pattern.test(path)) &&
    importsOf(text).some(({ specifier }) => !pageTypes.some((pattern) => pattern.test(fromRoot(file, specifier))))
  )
    problems.push(`${path}: the page takes it as it is; it imports nothing else`);
  for (const { specifier, line, isType } of importsOf(text)) {
    if (area === 'dashboard-ui' && specifier.includes('src/dashboard/') && !isType)
      problems.push(`${path}:${line}: the page imports the channel as types only (import type)`);
    if (specifier.startsWith('.')) {
      const target = relative(root, resolve(dirname(file), specifier))
        .split(sep)
        .join('/');
      const allowed = [area, ...mayImport[area]].some((prefix) => target === prefix || target.startsWith(`${prefix}/`));
      if (!allowed && !(isTest && target.startsWith('tests/')))
        problems.push(`${path}:${line}: ${area} may not import ${target}`);
    } else if (!isTest) {
      for (const rule of reserved) {
        if (
          rule.pattern.test(specifier) &&
          !rule.only.some((place) => path === place || path.startsWith(`${place}/`))
        ) {
          problems.push(`${path}:${line}: only ${rule.only.join(', ')} may import ${specifier}`);
        }
      }
    }
  }
  if (['src/cli', 'dashboard-ui', 'editors/vscode'].includes(area) || isTest) return;
  for (const [index, line] of text.split('\n').entries()) {
    if (/^\s*(\/\/|\*|\/\*)/.test(line)) continue;
    for (const rule of forbiddenBelowCli)
      if (rule.pattern.test(line) && rule.except !== path) problems.push(`${path}:${index + 1}: ${rule.says}`);
  }
}

/** What the rooms of a refactorer take from its operations: an operation may only use its own room, a shared room none. */
function checkOperations(folder) {
  const importPattern = new RegExp(`(?:\\bfrom\\s+['"]?\\.\\.(?:/|(?=\\w)))(${operations.join('|')})[/.]`);
  for (const room of readdirSync(join(root, folder), { withFileTypes: true })) {
    if (!room.isDirectory()) continue;
    for (const path of readdirSync(join(root, folder, room.name), { recursive: true }).map(String)) {
      if (!/\.(ts|py)$/.test(path)) continue;
      const lines = readFileSync(join(root, folder, room.name, path), 'utf8').split('\n');
      for (const [index, line] of lines.entries()) {
        const other = importPattern.exec(line)?.[1];
        if (other !== undefined && other !== room.name)
          problems.push(
            `${folder}/${room.name}/${path}:${index + 1}: ${room.name} may not import the operation ${other}`,
          );
      }
    }
  }
}

function checkLanguageNames() {
  const left = { ...stillNamingLanguages };
  for (const file of sourceFiles(join(root, 'src'))) {
    const path = relative(root, file).split(sep).join('/');
    const found = languageNamesIn(path, readFileSync(file, 'utf8'));
    const allowed = left[path] ?? 0;
    delete left[path];
    if (found.length > allowed)
      problems.push(`${path}:${found.join(',')}: names a language or the ending of its files; see src/base/languages`);
    else if (found.length < allowed)
      problems.push(`scripts/checkLayers.mjs: ${path} names languages ${found.length} times, no longer ${allowed}`);
  }
  for (const path of Object.keys(left)) problems.push(`scripts/checkLayers.mjs: ${path} is gone`);
}

function checkToolNames() {
  const schemas = readdirSync(toolSchemas).filter((name) => name.includes('_'));
  const tools = new RegExp(`\\b(${schemas.map((name) => name.replace(/\.\w+$/, '')).join('|')})\\b`);
  const parameters = new Set(
    readdirSync(toolSchemas).flatMap((name) =>
      [...readFileSync(join(toolSchemas, name), 'utf8').matchAll(/"([a-z]+(?:_[a-z]+)+)"/g)].map(([, word]) => word),
    ),
  );
  const left = { ...stillNamingTools };
  for (const file of sourceFiles(join(root, 'src/engine'))) {
    const path = relative(root, file).split(sep).join('/');
    if (/\.test\.tsx?$/.test(path)) continue;
    const found = readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) => {
        if (/^\s*(\/\/|\*|\/\*)|^import /.test(line)) return [];
        const words = /\bhint\b|\badvise`/.test(line) ? line.match(/\b[a-z]+(?:_[a-z]+)+\b/g) : null;
        return tools.test(line) || words?.some((word) => parameters.has(word)) ? [index + 1] : [];
      });
    const allowed = left[path] ?? 0;
    delete left[path];
    if (found.length > allowed)
      problems.push(`${path}:${found.join(',')}: names a tool or a parameter; say step('...') or parameter('...')`);
    else if (found.length < allowed)
      problems.push(`scripts/checkLayers.mjs: ${path} names tools ${found.length} times, no longer ${allowed}`);
  }
  for (const path of Object.keys(left)) problems.push(`scripts/checkLayers.mjs: ${path} is gone`);
}

function checkPlatformNames() {
  for (const file of sourceFiles(join(root, 'src'))) {
    const path = relative(root, file).split(sep).join('/');
    if (path.startsWith(platformPlace)) continue;
    for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries())
      if (platformNames.test(line))
        problems.push(`${path}:${index + 1}: asks the system by itself; ask platform of ${platformPlace}here.ts`);
  }
}

function checkRefusals() {
  for (const file of sourceFiles(join(root, refactorings))) {
    const path = relative(root, file).split(sep).join('/');
    if (/\.test\.tsx?$/.test(path) || path === `${refactorings}/refusals/refuse.ts`) continue;
    for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries())
      if (refusalCodes.test(line))
        problems.push(
          `${path}:${index + 1}: say refuse('...'); the reasons and their words stand in ${refactorings}/refusals`,
        );
  }
}

function fromRoot(file, specifier) {
  return relative(root, resolve(dirname(file), specifier))
    .split(sep)
    .join('/');
}

function checkRooms(folder) {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return;
  }
  const sources = entries.filter(
    (entry) => entry.isFile() && /\.(tsx?|py)$/.test(entry.name) && !/\.test\.|^test_/.test(entry.name),
  );
  if (sources.length > maxFilesInFolder)
    problems.push(`${relative(root, folder)}: ${sources.length} source files; at most ${maxFilesInFolder} in one room`);
  for (const entry of entries)
    if (entry.isDirectory() && !/^(node_modules|generated|__pycache__)$/.test(entry.name))
      checkRooms(join(folder, entry.name));
}

function importsOf(text) {
  const found = [];
  const pattern =
    /(?:^|\n)\s*(?:import|export)\s[^;'"]*?from\s*['"]([^'"]+)['"]|(?:^|\n)\s*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;
  for (const match of text.matchAll(pattern)) {
    found.push({
      isType: /^\s*(?:import|export)\s+type\s/.test(match[0].replace(/^\n/, '')),
      specifier: match[1] ?? match[2] ?? match[3],
      line: text.slice(0, match.index + match[0].length).split('\n').length,
    });
  }
  return found;
}

function sourceFiles(folder) {
  let entries;
  try {
    entries = readdirSync(folder);
  } catch {
    return [];
  }
  return entries.flatMap((entry) => {
    const path = join(folder, entry);
    if (statSync(path).isDirectory()) return entry === 'node_modules' || entry === 'generated' ? [] : sourceFiles(path);
    return /\.tsx?$/.test(entry) ? [path] : [];
  });
}
