import { readFile, stat } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { ToolError } from '../../../../base/errors.ts';
import { randomId } from '../../../../base/ids.ts';
import { displayPath } from '../../../../base/paths.ts';
import type { Project } from '../../project.ts';
import type { ReportedFailure, TestEvent, TestRun } from '../model.ts';
import { RunLog } from '../runLog.ts';
import { readJunitXml, type JunitCase } from './junitXml.ts';

const maxBytes = 50_000_000;

/** A run that something else has made and told as JUnit XML, in the form of ours. */
export async function importRun(project: Project, file: string): Promise<TestRun> {
  const { size, mtime } = await stat(file);
  const shown = displayPath(project.root, file);
  if (size > maxBytes)
    throw new ToolError('file_too_large', `${shown} has ${size} bytes; at most ${maxBytes} are read.`);
  const report = readJunitXml(await readFile(file, 'utf8'), shown);
  const log = new RunLog(project.root, project.root);
  for (const [index, each] of report.cases.entries()) log.apply(eventOf(each, index, project.root));
  for (const { suite, message, text } of report.suiteErrors)
    log.apply({
      type: 'problem',
      problem: { kind: 'unhandled', message: `${suite}: ${message}`, ...(text === undefined ? {} : { stack: text }) },
    });
  if (report.announced !== undefined) log.apply({ type: 'expected', count: report.announced });
  log.apply({ type: 'over' });
  const id = randomId('run');
  return {
    id,
    batchId: id,
    runner: 'JUnit XML',
    folder: project.root,
    command: `imported from ${shown}`,
    startedAt: mtime.toISOString(),
    durationMs: report.cases.reduce((sum, { durationMs = 0 }) => sum + durationMs, 0),
    state: 'ended',
    counts: log.counts,
    results: log.results,
    notRun: log.notRun({ stopped: false, code: 0, signal: null }),
    problems: log.problems,
    running: [],
    loading: [],
  };
}

function eventOf(each: JunitCase, index: number, root: string): TestEvent {
  const { className, name, file, line, status, message, durationMs, retries } = each;
  const suite = className === undefined ? each.suites : [...each.suites.slice(1), className];
  const output = [each.stdout, each.stderr].filter((text) => text !== undefined).join('\n');
  return {
    type: 'ended',
    id: String(index),
    test: {
      suite,
      name,
      ...(file === undefined ? {} : { file: isAbsolute(file) ? file : resolve(root, file) }),
      ...(line === undefined ? {} : { line }),
    },
    status: status === 'error' ? 'failed' : status,
    ...(durationMs === undefined ? {} : { durationMs }),
    ...(status === 'failed' || status === 'error' ? { failures: [failureOf(each)] } : {}),
    ...(status === 'skipped' && message !== undefined ? { reason: message } : {}),
    ...(output === '' ? {} : { output: output.slice(-4000) }),
    ...(retries === undefined ? {} : { retries }),
  };
}

function failureOf({ type, message, text }: JunitCase): ReportedFailure {
  return {
    ...(type === undefined ? {} : { type }),
    message: message ?? text?.split('\n')[0] ?? 'failed',
    ...(text === undefined ? {} : { stack: text }),
  };
}
