// Writes docs/generated from the declarations in the code. With --check it changes nothing and fails when a page is stale.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const target = join(root, 'docs', 'generated');

const scopeTexts = {
  person: 'the person only',
  tighten: 'a project may make it stricter',
  project: 'a project may set it',
};

const declarations = await loadDeclarations();
const pages = {
  'tools.md': toolsPage(declarations),
  'configuration.md': configurationPage(declarations),
  'errors.md': errorsPage(declarations),
  'refactorings.md': await refactoringsPage(declarations),
  'refusals.md': await refusalsPage(declarations),
  'languages.md': await languagesPage(),
};
process.exitCode = process.argv.includes('--check') ? await check() : await write();

/** The code is TypeScript, which this Node may not read by itself: bundle what is declared and import that. */
async function loadDeclarations() {
  const { build } = await import('esbuild');
  const outfile = join(root, 'node_modules', '.cache', `sightline-declarations-${process.pid}.mjs`);
  await build({
    absWorkingDir: root,
    stdin: {
      contents: [
        "export { allTools } from './src/tools/registry.ts';",
        "export { toolAliases } from './src/tools/aliases.ts';",
        "export { faces, faceNames, toolsets } from './src/tools/faces.ts';",
        "export { settingKeys, settingOf, environmentVariable } from './src/engine/workspace/settings/settings.ts';",
        "export { errorCodes } from './src/base/errors.ts';",
        "export { errorMeanings, errorCures } from './src/base/errorMeanings.ts';",
        "export { refactoringCapabilities, refactoringTitles } from './src/engine/code/refactor/capabilities.ts';",
        "export { refusalsByOperation } from './src/engine/code/refactor/refusals/refuse.ts';",
        "export { numericCode } from './src/server/mcp/numericCodes.ts';",
      ].join('\n'),
      resolveDir: root,
      loader: 'ts',
    },
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    outfile,
    logLevel: 'warning',
  });
  try {
    return await import(pathToFileURL(outfile).href);
  } finally {
    await rm(outfile, { force: true });
  }
}

async function refactoringsPage({ refactoringCapabilities, refactoringTitles }) {
  const lines = [
    '# Refactorings',
    '',
    'What can be done to which language, by which engine, and what each does not do. Whatever it does not do is refused with the reason.',
    'Files of other languages are moved and formatted; nothing in them is followed.',
    '',
  ];
  for (const { language, extensions, offers } of refactoringCapabilities) {
    lines.push(`## ${language}`, '', extensions.map((one) => `\`${one}\``).join(', '), '');
    lines.push('| refactoring | engine | limits |', '|---|---|---|');
    for (const [name, { engine, limits }] of Object.entries(offers))
      lines.push(`| ${refactoringTitles[name]} | ${engine} | ${limits.join('; ')} |`);
    lines.push('');
  }
  lines.push('## Examples', '', 'Each of these is also a test (`tests/refactor/examples`).', '');
  for (const [name, title] of Object.entries(refactoringTitles)) {
    lines.push(`### ${title[0].toUpperCase()}${title.slice(1)}`, '');
    for (const language of ['typescript', 'python']) lines.push(...(await exampleOf(language, name)));
  }
  return lines.join('\n');
}

/** What one call made of a small project, from the file that its test runs. */
async function exampleOf(language, name) {
  const text = await readFile(join(root, 'tests', 'refactor', 'examples', language, `${name}.txtar`), 'utf8');
  const [given, becomes] = text.split('-- becomes --\n');
  const [prose, tool, args, ...files] = given.split(/^-- (.*) --\n/m);
  const [refused, ...after] = becomes.split(/^-- (.*) --\n/m);
  const pairs = (parts) => parts.flatMap((part, at) => (at % 2 === 0 ? [[part, parts[at + 1]]] : []));
  const changed = new Set(pairs(after).map(([file]) => file));
  const isShown = ([file, content]) => content !== '' && (refused !== '' || changed.has(file) || !isKept(file, after));
  const shown = (parts) => parts.map(([file, content]) => `# ${file}\n${content.trimEnd()}`).join('\n\n');
  const fence = (content) => [
    '```' + language,
    language === 'python' ? content : content.replace(/^# /gm, '// '),
    '```',
    '',
  ];
  return [
    `${prose.trim()} \`${tool} ${args.trim()}\``,
    '',
    ...fence(shown(pairs(files).filter(isShown))),
    ...(refused === '' ? ['becomes', '', ...fence(shown(pairs(after)))] : [`> ${refused.trim()}`, '']),
  ];
}

/** A file that a move leaves where it is: none of those that stand somewhere else afterwards. */
function isKept(file, after) {
  return !after.some((path) => path !== file && path.endsWith(`/${file}`));
}

/** Every reason not to refactor, with the names that code gives them. */
async function refusalsPage({ refusalsByOperation }) {
  const lines = [
    '# Refusals',
    '',
    'Every reason for which a refactoring is refused, or wants `force`, in the words of the answer. There is no other: code names one of',
    'these. What stands in braces is filled in.',
    '',
  ];
  const table = (rows) => {
    lines.push('| name | words | what to do |', '|---|---|---|');
    for (const [name, words, hint = ''] of rows)
      lines.push(`| ${name} | ${[words, hint].map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`);
    lines.push('');
  };
  for (const [operation, list] of Object.entries(refusalsByOperation)) {
    lines.push(`## ${operation[0].toUpperCase()}${operation.slice(1)}`, '');
    table(
      Object.entries(list).map(([name, words]) =>
        typeof words === 'string' ? [name, words] : [name, words.says ?? words.why, String(words.hint ?? '')],
      ),
    );
  }
  lines.push('## Python', '');
  const source = await readFile(join(root, 'python', '_sightline_refactor', 'refusals.py'), 'utf8');
  for (const part of source.split(/^# /m).slice(1)) {
    lines.push(`### ${part.slice(0, part.indexOf('\n'))}`, '');
    table(
      [...part.matchAll(/^(\w+) = Reason\(([\s\S]*?)\)$/gm)].map(([, name, text]) => [
        name,
        [...text.matchAll(/(?<!, )(?<quote>["'])(?<words>.*?)\k<quote>(?=[,\n)]|$)/g)]
          .map(({ groups }) => groups.words)
          .join(''),
      ]),
    );
  }
  return lines.join('\n');
}

/** From what the scenario in tests/languages/scenario found in its last run, which every test run must agree with. */
async function languagesPage() {
  const folder = join(root, 'tests', 'languages', 'scenario', 'results');
  const titles = {
    javascript: 'JavaScript',
    typescript: 'TypeScript',
    python: 'Python',
    go: 'Go',
    c: 'C',
    cpp: 'C++',
    rust: 'Rust',
    java: 'Java',
  };
  const languages = Object.keys(titles);
  const reasons = [];
  const lines = [
    '# Languages',
    '',
    'Generated from the results of one scenario that is run for every language against its real engines (`tests/languages/scenario`).',
    'A number stands for a refusal, in the words that the tool answers with; they are listed below.',
    '',
  ];
  for (const [part, title] of [
    ['debugger', 'Debugger'],
    ['index', 'Code index'],
  ]) {
    const results = await Promise.all(
      languages.map(async (language) => {
        const text = await readFile(join(folder, `${language}.${part}.golden.json`), 'utf8');
        return JSON.parse(text);
      }),
    );
    const rows = [...new Set(results.flatMap((each) => Object.keys(each)))];
    lines.push(`## ${title}`, '', `| | ${languages.map((each) => titles[each]).join(' | ')} |`);
    lines.push(`|---|${languages.map(() => '---|').join('')}`);
    for (const row of rows) {
      const [tool, detail] = row.split(': ');
      const shown = `${tool.includes('_') ? `\`${tool}\`` : tool}${detail === undefined ? '' : `: ${detail}`}`;
      lines.push(`| ${shown} | ${results.map((each) => mark(each[row], reasons)).join(' | ')} |`);
    }
    lines.push('');
  }
  lines.push('## Refusals', '', ...reasons.map((reason, index) => `${index + 1}. ${reason}`), '');
  return lines.join('\n');
}

function mark(result, reasons) {
  if (result === 'yes') return 'yes';
  const reason = result ?? 'not part of the scenario';
  if (!reasons.includes(reason)) reasons.push(reason);
  return `no (${reasons.indexOf(reason) + 1})`;
}

function toolsPage({ allTools, toolAliases, toolsets, faces, faceNames }) {
  const lines = [
    '# Tools',
    '',
    'Generated from the declarations in `src/tools`. Every tool can be called on every face; a face decides what is listed.',
    'Every tool that works on a project also takes `project_path`, and every tool `max_chars` (default 6000).',
    '',
    '## Faces',
    '',
    '| face | Streamable HTTP | HTTP+SSE | answers |',
    '|---|---|---|---|',
    ...faceNames.map(
      (name) => `| \`${name}\` | \`${faces[name].path}\` | \`${faces[name].ssePath}\` | ${faces[name].output} |`,
    ),
    '',
  ];
  for (const [toolset, about] of Object.entries(toolsets)) {
    const tools = allTools.filter((tool) => tool.toolset === toolset).sort((a, b) => (a.name < b.name ? -1 : 1));
    if (tools.length === 0) continue;
    lines.push(`## Toolset \`${toolset}\`: ${about}`, '');
    for (const tool of tools) lines.push(...toolSection(tool, toolAliases));
  }
  return lines.join('\n');
}

function toolSection(tool, toolAliases) {
  const aliases = Object.entries(toolAliases)
    .filter(([, name]) => name === tool.name)
    .map(([alias]) => `\`${alias}\``);
  const facts = [
    `effect: ${tool.effect}${tool.effectOf === undefined ? '' : ' (depends on the arguments)'}`,
    `faces: ${tool.faces.length === 0 ? 'none (on demand)' : tool.faces.join(', ')}`,
    ...(tool.requires === undefined || tool.requires.length === 0 ? [] : [`requires: ${tool.requires.join(', ')}`]),
    ...(aliases.length === 0 ? [] : [`also called: ${aliases.join(', ')}`]),
  ];
  const parameters = Object.entries(tool.inputSchema.properties ?? {});
  const required = new Set(tool.inputSchema.required ?? []);
  return [
    `### \`${tool.name}\``,
    '',
    tool.description,
    '',
    `${facts.join(' · ')}`,
    '',
    ...(parameters.length === 0
      ? ['No parameters.']
      : [
          '| parameter | type | |',
          '|---|---|---|',
          ...parameters.map(([name, schema]) => {
            const notes = [
              required.has(name) ? 'required' : '',
              schema.default === undefined ? '' : `default ${JSON.stringify(schema.default)}`,
              cell(schema.description ?? ''),
            ];
            return `| \`${name}\` | ${cell(typeText(schema))} | ${notes.filter((note) => note !== '').join('; ')} |`;
          }),
        ]),
    '',
    'Answer:',
    '',
    '```',
    ...shapeLines(tool.outputSchema, ''),
    '```',
    '',
  ];
}

function typeText(schema) {
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' \\| ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeText).join(' \\| ');
  if (schema.type === 'array') return `list of ${typeText(schema.items ?? {})}`;
  if (schema.type === 'object' && schema.properties !== undefined) {
    const required = new Set(schema.required ?? []);
    return `{${Object.entries(schema.properties)
      .map(([name, inner]) => `${name}${required.has(name) ? '' : '?'}: ${typeText(inner)}`)
      .join(', ')}}`;
  }
  return [schema.type ?? 'any'].flat().join(' \\| ');
}

/** The shape of an answer, one field a line, as deep as it goes. */
function shapeLines(schema, indent, seen = 0) {
  if (seen > 8) return [`${indent}…`];
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const mark = required.has(name) ? '' : '?';
    const about = inner.description === undefined ? '' : `  // ${inner.description}`;
    const item = inner.type === 'array' ? (inner.items ?? {}) : inner;
    const list = inner.type === 'array' ? '[]' : '';
    if (item.type === 'object' && item.properties !== undefined)
      return [`${indent}${name}${mark}${list}:${about}`, ...shapeLines(item, `${indent}  `, seen + 1)];
    return [`${indent}${name}${mark}${list}: ${typeText(item).replaceAll('\\|', '|')}${about}`];
  });
}

function configurationPage({ settingKeys, settingOf, environmentVariable }) {
  const lines = [
    '# Configuration',
    '',
    'Generated from `src/engine/workspace/settings/settings.ts`. Lowest first: built-in defaults, `~/.config/sightline/config.json`,',
    '`.sightline.json` in the project (never able to loosen the policy), environment variables, flags.',
    'Files are JSON with comments; settings are nested (`{"policy": {"edit": "ask"}}`) or dotted (`{"policy.edit": "ask"}`).',
    'A value that cannot be understood is reported with its line and column, and the stricter value counts.',
    '',
  ];
  for (const key of settingKeys) {
    const setting = settingOf(key);
    lines.push(
      `## \`${key}\``,
      '',
      setting.description,
      '',
      `- type: ${typeText(setting.jsonSchema()).replaceAll('\\|', '|')}`,
      `- default: \`${JSON.stringify(setting.default)}\``,
      `- set by: ${scopeTexts[setting.scope]}`,
      `- environment: \`${environmentVariable(key)}\``,
      '',
    );
  }
  return lines.join('\n');
}

function errorsPage({ errorCodes, errorMeanings, errorCures, numericCode }) {
  return [
    '# Errors',
    '',
    'Generated from `src/base/errors.ts`. A failed call is a result with `isError: true` and `{error: {code, name, message, hint, data}}`:',
    '`name` is one of those below, `message` says what happened and how things stand, `hint` the next call to try, nearer to the case than the third column.',
    'The number in `code` follows the face: the debugger and probe faces use one table, the index and workspace faces another.',
    '',
    '| name | meaning | what helps | code: debugger, probe, default | code: index, workspace |',
    '|---|---|---|---|---|',
    ...errorCodes.map(
      (code) =>
        `| \`${code}\` | ${cell(errorMeanings[code])} | ${cell(errorCures[code])} | ${numericCode('debugger', code)} | ${numericCode('index', code)} |`,
    ),
    '',
  ].join('\n');
}

function cell(text) {
  return text.replaceAll(/(?<!\\)\|/g, '\\|').replaceAll('\n', ' ');
}

async function write() {
  await mkdir(target, { recursive: true });
  for (const name of await readdir(target)) if (!(name in pages)) await rm(join(target, name));
  for (const [name, text] of Object.entries(pages)) await writeFile(join(target, name), text);
  console.log(`docs: ${Object.keys(pages).join(', ')} written`);
  return 0;
}

async function check() {
  const stale = [];
  for (const [name, text] of Object.entries(pages)) {
    const present = await readFile(join(target, name), 'utf8').catch(() => undefined);
    if (present !== text) stale.push(name);
  }
  if (stale.length > 0) console.error(`docs/generated is stale (${stale.join(', ')}): run npm run docs`);
  else console.log('docs: up to date');
  return stale.length === 0 ? 0 : 1;
}
