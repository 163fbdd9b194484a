import { statSync } from 'node:fs';
import { relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isTypescriptFile } from '../../../base/languages/byPath.ts';
import { assetPath } from '../../../base/assets.ts';
import { isInside } from '../../../base/paths.ts';
import { globFilter } from '../../../base/text/glob.ts';
import { listFiles } from '../fileListing.ts';
import type { RunRequest, TestSelection } from '../tests/model.ts';
import { nodeCoverage } from './coverageOptions.ts';
import type { ScriptRun, TestRunner } from './model.ts';
import { escaped, nameParts, scriptTestNames } from './names.ts';
import { findPackageFile, imports, isOwnFile, isScriptTest, packageRoot, readText } from './packages.ts';
import { type OptionRules, scriptCall, sortedArguments } from './scriptCall.ts';

const command = /(?:^|[\s/])(?:node|tsx)(?=\s[^&|;]*--test\b)/;

/** Node's own runner: the file is the program. */
export const nodeTest: TestRunner = {
  id: 'node:test',
  detect: (file) => {
    if (imports(file.text, '(?:node:)?test'))
      return { reason: 'it imports node:test', strength: 7, folder: packageRoot(file) };
    const caller = file.folders.find(({ scripts }) => Object.values(scripts).some((line) => command.test(line)));
    return caller === undefined ? undefined : { reason: 'a script runs it', strength: 2, folder: caller.path };
  },
  command: (file, { folder }, name) => {
    const known = scriptTestNames(file.text);
    const parts = name === undefined ? [] : nameParts(name, known);
    return {
      args: [],
      runtimeArgs: levelPatterns(parts, file.text).flatMap((pattern) => ['--test-name-pattern', pattern]),
      cwd: folder,
    };
  },
  isOver: (output) => /^(?:#|\u2139) fail \d+$/m.test(output),
  ranNothing: (output) =>
    ['pass', 'fail', 'cancelled', 'todo'].every((kind) => new RegExp(`^(?:#|\\u2139) ${kind} 0$`, 'm').test(output)),
};

/** A pattern is compared with each name by itself. A test in a test needs both; a suite that matched would bring all it has. */
function levelPatterns(parts: readonly string[], text: string): string[] {
  const titles = new Set(scriptTestNames(text).flatMap((each) => each.split(' > ')));
  const isSuite = (title: string) =>
    new RegExp(`\\b(?:describe|suite)(?:\\.\\w+)*\\(\\s*['"\`]${escaped(title)}['"\`]`).test(text);
  return parts
    .filter((part, index) => index === parts.length - 1 || !isSuite(part))
    .map((part) => (titles.has(part) ? `^${escaped(part)}$` : escaped(part)));
}

const rules: OptionRules = {
  unwanted: /^--(?:test$|test-reporter|experimental-test-coverage|test-coverage|watch|inspect|test-isolation)/,
  withValue:
    /^(?:-r|-C|--(?:import|require|loader|experimental-loader|conditions|test-name-pattern|test-skip-pattern|test-timeout|test-shard|test-concurrency|test-reporter|test-reporter-destination|env-file|stack-trace-limit))$/,
};

export const nodeTestRun: ScriptRun = {
  command,
  plan: async (request, manifest) => {
    const { folder } = request.package;
    const { selection, eventsFile, locate } = request;
    const call = scriptCall(manifest, command);
    const coverageOptions = nodeCoverage(request);
    const { options, names } = sortedArguments(call?.args ?? [], rules);
    const files = await filesOf(request, names);
    const patterns = patternsOf(selection);
    const loader = call?.runner === 'tsx' || (call === undefined && files.some(isTypeScript)) ? tsxLoader(folder) : [];
    return {
      command: [
        await locate('node'),
        ...loader,
        ...options,
        '--test',
        `--test-reporter=${assetPath('reporters/nodeTest.mjs')}`,
        '--test-reporter-destination=stdout',
        ...patterns.map((pattern) => `--test-name-pattern=${pattern}`),
        ...files,
      ],
      cwd: folder,
      env: {
        ...call?.env,
        ...coverageOptions.env,
        SIGHTLINE_TEST_EVENTS: eventsFile,
        ...(patterns.length === 0 ? {} : { SIGHTLINE_TEST_FILTERED: '1' }),
      },
      ...coverageOptions.plan,
    };
  },
};

/** Files as Node takes them: versions before 21 know no globs, later ones no folders. */
async function filesOf(
  { project, package: { folder }, selection }: RunRequest,
  names: readonly string[],
): Promise<string[]> {
  const wanted = selection.files ?? names;
  const isGlob = (name: string) => /[*?{[]/.test(name);
  const folders = (selection.files ?? []).filter(isFolder);
  if (!wanted.some(isGlob) && folders.length === 0) return [...wanted];
  const listed = (await listFiles(project, { folder })).files
    .filter(isOwnFile)
    .map((path) => `${project.root}/${path}`);
  const matches = wanted.filter(isGlob).map((glob) => globFilter([glob.startsWith('./') ? glob : `./${glob}`]));
  const found = listed.filter(
    (path) =>
      matches.some((match) => match(relative(folder, path))) ||
      (isScriptTest(path, project.root) && folders.some((each) => isInside(each, path))),
  );
  return [...wanted.filter((name) => !isGlob(name) && !folders.includes(name)), ...found];
}

function patternsOf({ files = [], tests, name, pattern }: TestSelection): string[] {
  if (tests !== undefined)
    return [
      ...new Set(tests.flatMap((test) => levelPatterns([...test.suite, test.name], readText(test.file ?? '') ?? ''))),
    ];
  if (name === undefined) return pattern === undefined ? [] : [pattern];
  const text = files.map((file) => readText(file) ?? '').join('\n');
  return levelPatterns(nameParts(name, scriptTestNames(text)), text);
}

function tsxLoader(folder: string): string[] {
  const loader = findPackageFile(folder, 'tsx', 'dist/loader.mjs');
  return loader === undefined ? [] : ['--import', pathToFileURL(loader).href];
}

function isTypeScript(file: string): boolean {
  return isTypescriptFile(file);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
