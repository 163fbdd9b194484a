import { join } from 'node:path';
import { expect } from 'vitest';
import type { Dialogue } from './dialogue.ts';
import { lineOf, type MatrixLanguage } from './languages.ts';

interface VariableData {
  name: string;
  value: string;
  type: string;
  hasChildren: boolean;
  id?: string;
}

/** One session through all 26 tools. What is expected is the same for every language, down to the shapes. */
export async function walkThroughDebugger(ide: Dialogue, language: MatrixLanguage, root: string): Promise<void> {
  const { source, quoted, typeOf } = language;
  const at = (mark: string) => lineOf(language.files[source] ?? '', mark);
  const file = join(root, source);

  const bp = await ide.data('set_breakpoint', { file_path: source, line: at('sum'), condition: language.notEqual });
  expect(bp).toMatchObject({
    breakpointId: expect.stringMatching(/^bp_\d+$/),
    status: 'set',
    verified: false,
    message: expect.stringContaining(`:${at('sum')}`),
    file,
    line: at('sum'),
    lineContent: expect.stringContaining('n += item.qty'),
  });
  const breakpointId = bp['breakpointId'];
  expect(await ide.data('list_breakpoints', { file_path: source })).toMatchObject({
    count: 1,
    breakpoints: [
      { id: breakpointId, type: 'line', file, line: at('sum'), enabled: true, condition: language.notEqual },
    ],
  });

  const { configurations } = await ide.data('list_run_configurations');
  expect(configurations).toContainEqual(expect.objectContaining({ name: `${language.name} app`, canDebug: true }));
  const executed = await ide.data('execute_run_configuration', { name: `${language.name} app` });
  expect(executed).toMatchObject({
    status: 'started',
    mode: 'debug',
    configurationName: `${language.name} app`,
    state: 'paused',
    stop: { reason: 'breakpoint', breakpointId, location: { file, line: at('sum'), methodName: 'count' } },
  });
  expect(await ide.data('stop_debug_session', { session_id: executed['sessionId'] })).toMatchObject({
    status: 'stopped',
    sessionId: executed['sessionId'],
    state: 'stopped',
  });

  const started = await ide.data('start_debug_session', { program: language.program });
  const sessionId = started['sessionId'];
  expect(started).toMatchObject({
    sessionId: expect.stringMatching(/^session_/),
    state: 'paused',
    stop: {
      reason: 'breakpoint',
      breakpointId,
      location: { file, line: at('sum'), methodName: 'count' },
      source: expect.arrayContaining([expect.stringMatching(new RegExp(`^>>> +${at('sum')} \\| .*n \\+= item.qty`))]),
      stack: [`count ${source}:${at('sum')}`, `main ${source}:${at('count')}`, `<module> ${source}:${at('main')}`],
    },
  });
  expect(await ide.data('list_debug_sessions')).toMatchObject({
    sessions: expect.arrayContaining([
      expect.objectContaining({
        id: sessionId,
        state: 'paused',
        isCurrent: true,
        language: language.language,
        processId: expect.any(Number),
      }),
    ]),
  });
  expect(await ide.data('list_breakpoints', { file_path: source })).toMatchObject({
    breakpoints: [{ id: breakpointId, verified: true, line: at('sum'), hitCount: 2 }],
  });

  expect(await ide.data('get_debug_session_status', { session_id: sessionId })).toMatchObject({
    sessionId,
    state: 'paused',
    pausedReason: 'breakpoint',
    currentLocation: { file, line: at('sum'), methodName: 'count' },
    breakpointHit: { breakpointId, type: 'line', file, line: at('sum') },
    stackSummary: [
      { index: 0, methodName: 'count', line: at('sum'), isCurrent: true },
      { index: 1, methodName: 'main', line: at('count'), isCurrent: false },
      { index: 2, methodName: language.module, line: at('main') },
    ],
    totalStackDepth: expect.any(Number),
    sourceContext: { file, currentLine: at('sum'), breakpointsInView: [at('sum')] },
    currentThread: { state: 'paused', isCurrent: true },
    threadCount: 1,
    watches: [],
  });
  expect(await ide.data('get_stack_trace', { max_frames: 2 })).toMatchObject({
    sessionId,
    frames: [
      { index: 0, file, line: at('sum'), methodName: 'count', isCurrent: true, isLibrary: false },
      { index: 1, file, line: at('count'), methodName: 'main', isCurrent: false, isLibrary: false },
    ],
    totalFrames: expect.any(Number),
  });
  expect(await ide.data('list_threads')).toMatchObject({ count: 1, threads: [{ state: 'paused', isCurrent: true }] });

  const { variables } = (await ide.data('get_variables')) as { variables: VariableData[] };
  expect(byName(variables)).toMatchObject({
    n: { value: '2', type: typeOf.integer, hasChildren: false },
    items: { type: typeOf.list, hasChildren: true, id: expect.any(String) },
    item: { type: 'Item', hasChildren: true },
  });
  const outer = (await ide.data('get_variables', { frame_index: 1 })) as { variables: VariableData[] };
  expect(byName(outer.variables)).toMatchObject({ order: { hasChildren: true } });

  const items = byName(variables)['items'];
  const byId = await ide.data('expand_variable', { id: items?.id, start: 1, count: 1 });
  expect(byId).toMatchObject({ total: 3, start: 1, variables: [{ name: '1', type: 'Item', hasChildren: true }] });
  expect(await ide.data('expand_variable', { path: 'items[2]' })).toMatchObject({
    type: 'Item',
    total: 2,
    variables: [
      { name: 'name', value: quoted('oil') },
      { name: 'qty', value: '4', type: typeOf.integer },
    ],
  });

  expect((await ide.data('evaluate_expression', { expression: language.mapQuantities }))['result']).toMatchObject({
    value: '[2, 1, 4]',
    hasChildren: true,
  });
  expect((await ide.data('evaluate_expression', { expression: language.several.expression }))['result']).toMatchObject({
    value: language.several.value,
  });
  const inCaller = await ide.data('evaluate_expression', { expression: 'order.owner', frame_index: 1 });
  expect(inCaller).toMatchObject({ frameIndex: 1, result: { value: quoted('Ann'), type: typeOf.text } });
  const failed = await ide.data('evaluate_expression', { expression: language.missing.expression });
  expect(failed['result']).toMatchObject({ type: 'error', error: expect.stringMatching(language.missing.error) });

  const watch = await ide.data('add_watch', { expression: 'n * 10' });
  expect(watch).toMatchObject({ watchId: 'w1', value: '20' });
  expect(
    await ide.data('set_variable', { variable_path: 'order.items[2].qty', value: '20 + 20', frame_index: 1 }),
  ).toEqual({
    status: 'set',
    variable: 'order.items[2].qty',
    oldValue: '4',
    newValue: '40',
    type: typeOf.integer,
    message: "Variable 'order.items[2].qty' set to 40",
  });

  expect(await ide.data('step_over')).toMatchObject({
    status: 'stepped',
    action: 'step_over',
    sessionId,
    stop: {
      reason: 'step',
      variables: expect.arrayContaining([
        expect.objectContaining({ name: 'n', value: '3', changed: true, previous: '2' }),
      ]),
      watches: [{ expression: 'n * 10', value: '30' }],
    },
  });
  expect(await ide.data('remove_watch', { watch_id: 'w1' })).toMatchObject({ status: 'removed' });
  expect(await ide.data('step_out')).toMatchObject({
    action: 'step_out',
    stop: { location: { methodName: 'main', line: at(language.outStopsAt === 'call' ? 'count' : 'hello') } },
  });
  if (language.outStopsAt === 'call') await ide.data('step_over');
  expect(await ide.data('step_into')).toMatchObject({
    action: 'step_into',
    stop: { location: { methodName: 'greet', line: at('greet') } },
  });
  expect(await ide.data('select_stack_frame', { frame_index: 1 })).toMatchObject({
    status: 'selected',
    frameIndex: 1,
    location: { methodName: 'main', line: at('hello') },
  });
  const selected = (await ide.data('get_variables', { filter: 'total' })) as { variables: VariableData[] };
  expect(selected).toMatchObject({ frameIndex: 1, variables: [{ name: 'total', value: '43' }] });
  expect(await ide.data('get_source_context', { context_lines: 1 })).toMatchObject({
    file,
    startLine: at('hello') - 1,
    endLine: at('hello') + 1,
    currentLine: at('hello'),
  });

  const caught = await ide.data('set_exception_breakpoint', { exception_class: language.exception, caught: true });
  expect(caught).toMatchObject({ status: 'set', exceptionClass: language.exception, caught: true, uncaught: true });
  expect(await ide.data('run_to_line', { file_path: source, line: at('print') })).toMatchObject({
    status: 'reached',
    sessionId,
    targetFile: file,
    targetLine: at('print'),
    stop: { location: { line: at('print'), methodName: 'main' } },
  });
  expect(await ide.data('resume_execution')).toMatchObject({
    sessionId,
    output: 'hello Ann 43\n',
    stop: {
      reason: 'exception',
      exception: { type: language.exception, message: 'too many: 43' },
      location: { line: at('throw'), methodName: 'risky' },
    },
  });
  expect(await ide.data('remove_breakpoint', { breakpoint_id: caught['breakpointId'] })).toMatchObject({
    status: 'removed',
    breakpointId: caught['breakpointId'],
  });
  const ended = await ide.data('resume_execution');
  expect(ended).toMatchObject({ sessionId, state: 'stopped', exitCode: 0, output: 'handled\n' });
  expect(ended['neverHit']).toBeUndefined();

  expect(await ide.startUntilOutput(language.loop, 'spinning')).toMatchObject({ state: 'running' });
  expect((await ide.call('get_variables')).error).toMatchObject({ name: 'not_paused', code: -32003 });
  expect(await ide.data('pause_execution')).toMatchObject({
    status: 'paused',
    stop: { reason: 'pause', location: { methodName: 'spin' } },
  });
  expect(await ide.data('stop_debug_session')).toMatchObject({ status: 'stopped', state: 'stopped' });
  await ide.data('remove_breakpoint', { breakpoint_id: breakpointId });
}

function byName(variables: readonly VariableData[]): Record<string, VariableData> {
  return Object.fromEntries(variables.map((variable) => [variable.name, variable]));
}
