import { z } from 'zod';
import { ToolError } from '../../base/errors.ts';
import { displayPath } from '../../base/paths.ts';
import { counted } from '../../base/text/counted.ts';
import { writtenTests } from '../../engine/workspace/tests/listTests.ts';
import type { TestRef } from '../../engine/workspace/tests/model.ts';
import { selectTests } from '../../engine/workspace/tests/selection.ts';
import { defineTool, type ToolCall } from '../defineTool.ts';
import type { Engines } from '../engines.ts';
import { testName } from './runShapes.ts';

export const listTests = defineTool({
  name: 'list_tests',
  title: 'List tests',
  description:
    'Lists tests by file with their lines, and which runner runs each package. As written in the files; collect: true asks the runner itself (executes project code), which also knows parametrised tests.',
  faces: ['workspace'],
  toolset: 'tests',
  effect: 'read',
  effectOf: ({ collect }) => (collect === true ? 'execute' : 'read'),
  paths: { files: 'existing' },
  input: z.object({
    files: z.array(z.string()).optional(),
    name: z.string().optional().describe('part of a name'),
    collect: z.boolean().optional(),
    offset: z.int().min(0).optional(),
  }),
  output: z.object({
    packages: z.array(z.object({ folder: z.string(), runner: z.string(), files: z.int(), tests: z.int() })),
    total: z.int(),
    files: z.array(
      z.object({ file: z.string(), tests: z.array(z.object({ name: z.string(), line: z.int().optional() })) }),
    ),
    /** Where the list goes on. */
    nextOffset: z.int().optional(),
    problems: z.array(z.string()).optional(),
  }),
  run: async (engines, args, call) => {
    const found = args.collect === true ? await collected(engines, args, call) : await written(args, call);
    const page = found.tests.slice(args.offset ?? 0, (args.offset ?? 0) + pageSize(call));
    const end = (args.offset ?? 0) + page.length;
    const root = call.project.root;
    const files = new Map<string, { name: string; line?: number }[]>();
    for (const test of page) {
      const file = displayPath(root, test.file ?? '');
      const one = { name: testName(test), ...(test.line === undefined ? {} : { line: test.line }) };
      files.set(file, [...(files.get(file) ?? []), one]);
    }
    return {
      packages: found.packages,
      total: found.tests.length,
      files: [...files].map(([file, tests]) => ({ file, tests })),
      ...(end < found.tests.length ? { nextOffset: end } : {}),
      ...(found.problems.length === 0 ? {} : { problems: found.problems.slice(0, 10) }),
    };
  },
  render: (data) =>
    [
      ...data.packages.map(
        ({ folder, runner, files, tests }) =>
          `${folder} (${runner}): ${counted(tests, 'test')} in ${counted(files, 'file')}`,
      ),
      ...data.files.flatMap(({ file, tests }) => [
        file,
        ...tests.map(({ name, line }) => `  ${line === undefined ? '' : `${line} `}${name}`),
      ]),
      ...(data.problems ?? []),
      ...(data.nextOffset === undefined ? [] : [`(goes on with offset ${data.nextOffset} of ${data.total})`]),
    ].join('\n'),
});

interface Found {
  packages: { folder: string; runner: string; files: number; tests: number }[];
  tests: readonly TestRef[];
  problems: string[];
}

interface Wish {
  files?: string[] | undefined;
  name?: string | undefined;
}

/** As many as fit: a name with its line takes about this many characters. */
function pageSize({ budget, client }: ToolCall): number {
  return Math.max(20, Math.floor(budget.maxChars / (client.output === 'text' ? 40 : 70)));
}

async function written({ files, name }: Wish, call: ToolCall): Promise<Found> {
  const list = await writtenTests({ project: call.project, within: files, name, signal: call.signal });
  return {
    packages: list.packages.map(({ package: { folder, runner }, ...counts }) => ({
      folder: displayPath(call.project.root, folder) || '.',
      runner,
      ...counts,
    })),
    tests: list.tests,
    problems: list.unread === 0 ? [] : [`${list.unread} more files were not read; name some with files.`],
  };
}

/** Packages whose runner cannot tell are read as they are written. */
async function collected(engines: Engines, wish: Wish, call: ToolCall): Promise<Found> {
  if (!call.project.trusted)
    throw new ToolError(
      'project_not_trusted',
      `${call.project.root} is not trusted, so nothing in it may be executed.`,
      {
        hint: 'Without collect the tests are read from the files.',
      },
    );
  const found: Found = { packages: [], tests: [], problems: [] };
  const all: TestRef[] = [];
  for (const selected of await selectTests(call.project, { files: wish.files }, call.signal)) {
    const told = await engines.tests.collect(
      call.project,
      call.client.id,
      selected,
      call.patienceMs - 3000,
      call.signal,
    );
    const { folder, runner } = selected.package;
    const list = told ?? {
      tests: (await writtenTests({ project: call.project, within: wish.files ?? [folder], signal: call.signal })).tests,
      problems: [],
    };
    const tests = list.tests.filter((test) => wish.name === undefined || testName(test).includes(wish.name));
    const files = new Set(tests.map(({ file }) => file)).size;
    all.push(...tests);
    found.packages.push({ folder: displayPath(call.project.root, folder) || '.', runner, files, tests: tests.length });
    if (told === undefined) found.problems.push(`${runner} does not tell its tests without running them: as written.`);
    found.problems.push(
      ...list.problems.map(
        ({ file, message }) => `${displayPath(call.project.root, file ?? '')}: ${message.split('\n')[0] ?? ''}`,
      ),
    );
  }
  return { ...found, tests: all };
}
