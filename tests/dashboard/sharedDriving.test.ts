import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { reviewOf } from '../../src/engine/workspace/localHistory/review.ts';
import { revertHunk } from '../../src/engine/workspace/localHistory/revertHunk.ts';
import type { Project } from '../../src/engine/workspace/project.ts';
import { type RunningSightline, startSightline } from '../harness/harness.ts';

const app = `function total(items) {
  let sum = 0;
  for (const item of items) {
    sum += item.price * item.qty;
  }
  console.log('sum', sum);
  return sum;
}
const cart = [{ price: 2, qty: 3 }, { price: 5, qty: 1 }];
total(cart);
console.log('done');
`;

describe('a person and an agent in one project', () => {
  let ide: RunningSightline;
  afterEach(() => ide.dispose());

  const projectOf = (): Project => {
    const [project] = ide.sightline.projects.list();
    if (project === undefined) throw new Error('No project is open.');
    return project;
  };

  /** As the dashboard calls. */
  const connectPerson = () => {
    const { backend } = ide.sightline;
    const client = backend.connect({ name: 'dashboard', transport: 'dashboard', face: 'debugger', cwd: ide.root });
    return (tool: string, args: Record<string, unknown> = {}) => backend.callTool({ tool, args, client });
  };

  /** A program is not held up for long so that a stop is remembered: on a busy machine the next step would come first. */
  const remembered = async (sessionId: unknown, number: number): Promise<void> => {
    const { filmstrip } = ide.sightline.engines.debugger.session(projectOf(), String(sessionId));
    await expect.poll(() => filmstrip.stops.at(-1)?.number).toBe(number);
  };

  it('remembers each stop as it was, and tells the agent once what a person did', async () => {
    ide = await startSightline({ project: { 'app.js': app } });
    const agent = await ide.connect({ face: 'debugger' });
    const reader = await ide.connect({ face: 'debugger', output: 'text' });
    const person = connectPerson();
    await agent.data('set_breakpoint', { file_path: 'app.js', line: 4 });
    const started = await agent.data('start_debug_session', { program: 'app.js' });
    await reader.text('get_debug_session_status');
    await remembered(started['sessionId'], 1);

    await person('step_over');
    await remembered(started['sessionId'], 2);
    await person('step_over');
    await remembered(started['sessionId'], 3);
    await person('set_variable', { variable_path: 'sum', value: '100' });
    const told = await agent.data('get_debug_session_status');
    expect(told['notes']).toEqual([
      'Note: Since your last call a person stepped over to app.js:4 (the last of 2 times); set `sum` to `100` (it was `6`).',
    ]);
    expect(await agent.data('get_debug_session_status')).not.toHaveProperty('notes');
    // The same in words, for another agent; each is told once.
    expect(await reader.text('get_debug_session_status')).toContain('Since your last call a person stepped over to');
    expect(await reader.text('get_debug_session_status')).not.toContain('Since your last call');

    await person('remove_breakpoint', { breakpoint_id: 'bp_1' });
    await person('run_to_line', { file_path: 'app.js', line: 11 });
    // A call that fails says it too, and what the program printed while the person drove is still told.
    const { error } = await agent.call('evaluate_expression', { expression: 'nothing', session_id: 'wrong' });
    expect(error?.message).toContain('a person removed the breakpoint app.js:4; ran towards line 11 to app.js:11');
    expect(await agent.data('get_debug_session_status')).toMatchObject({ output: 'sum 105\n' });
    await remembered(started['sessionId'], 4);

    const session = ide.sightline.engines.debugger.session(projectOf(), String(started['sessionId']));
    await agent.data('resume_execution');
    const { stops } = session.filmstrip;
    expect(stops.map(({ location, changed }) => [location?.line, changed.map(({ name }) => name)])).toEqual([
      [4, []],
      [3, expect.arrayContaining(['sum'])],
      [4, expect.arrayContaining(['item'])],
      [11, []],
    ]);
    expect({ ...stops[0], frames: stops[0]?.frames.slice(0, 2) }).toMatchObject({
      reason: 'breakpoint',
      source: { currentLine: 4 },
      frames: [
        {
          name: 'total',
          variables: expect.arrayContaining([
            expect.objectContaining({ name: 'sum', value: '0' }),
            expect.objectContaining({
              name: 'item',
              children: [{ name: 'price', value: '2' }, { name: 'qty' }].map((each) => expect.objectContaining(each)),
            }),
          ]),
        },
        { line: 10 },
      ],
    });
    expect(stops[1]?.changed).toContainEqual({ name: 'sum', value: '6', previous: '0' });
    expect(stops[3]?.outputAt).toBeGreaterThan(0);
  });

  it('keeps no more stops than the setting says', async () => {
    ide = await startSightline({ project: { 'app.js': app }, env: { SIGHTLINE_DEBUGGER_REMEMBERED_STOPS: '2' } });
    const agent = await ide.connect({ face: 'debugger' });
    await agent.data('set_breakpoint', { file_path: 'app.js', line: 4 });
    const started = await agent.data('start_debug_session', { program: 'app.js' });
    await remembered(started['sessionId'], 1);
    for (let number = 2; number <= 4; number++) {
      await agent.data('step_over');
      await remembered(started['sessionId'], number);
    }
    const { filmstrip } = ide.sightline.engines.debugger.session(projectOf(), String(started['sessionId']));
    expect(filmstrip.stops.map(({ number }) => number)).toEqual([3, 4]);
  });

  it('shows changes in hunks, takes one back, and hands comments over as one message', async () => {
    const lines = Array.from({ length: 30 }, (_, index) => `row ${String(index + 1).padStart(2, '0')}`);
    const text = `${lines.join('\r\n')}\r\n`;
    ide = await startSightline({ project: { 'a.txt': text } });
    const agent = await ide.connect({ face: 'workspace' });
    const person = connectPerson();
    const { edits, localHistory } = ide.sightline.engines;
    const file = join(ide.root, 'a.txt');
    const edited = [
      { old_text: 'row 03', new_text: 'ROW 03' },
      { old_text: 'row 25', new_text: 'ROW 25\nand more' },
    ];
    await agent.data('edit_file', { file_path: 'a.txt', edits: edited });
    await agent.data('write_file', { file_path: 'new.txt', content: 'fresh\n' });
    const project = projectOf();
    const review = await reviewOf(localHistory, project, {});
    expect(review.files).toMatchObject([
      { file: 'a.txt', status: 'changed', added: 3, removed: 2, hunks: [{ isThere: true }, { isThere: true }] },
      { file: 'new.txt', status: 'added', hunks: [{ isThere: true }] },
    ]);
    const [first, second] = review.files[0]?.hunks ?? [];
    expect(first?.lines.filter(({ mark }) => mark !== ' ')).toEqual([
      { mark: '-', text: 'row 03\r\n' },
      { mark: '+', text: 'ROW 03\r\n' },
    ]);

    // Somebody else has moved the lines since: the hunk is found where it stands now, and only it goes back.
    await writeFile(file, `first\r\n${await readFile(file, 'utf8')}`);
    const origin = { tool: 'revert_hunk', clientName: 'dashboard' };
    const reverted = await revertHunk(edits, localHistory, project, {}, second?.id ?? '', origin);
    expect(await readFile(file, 'utf8')).toBe(`first\r\n${text.replace('row 03', 'ROW 03')}`);
    const again = revertHunk(
      edits,
      localHistory,
      project,
      { historyId: String(review.files[0]?.historyIds[0]) },
      second?.id ?? '',
      origin,
    );
    await expect(again).rejects.toThrow('no longer has what this hunk made');
    // It is a change of its own, which can be taken back.
    const undone = await person('undo', { history_id: reverted.applied.historyId });
    expect(undone.error).toBeUndefined();
    expect(await readFile(file, 'utf8')).toContain('ROW 25\r\nand more\r\n');
    // A file that was made goes.
    const made = (await reviewOf(localHistory, project, {})).files.find((each) => each.file === 'new.txt')?.hunks[0];
    await revertHunk(edits, localHistory, project, {}, made?.id ?? '', origin);
    await expect(readFile(join(ide.root, 'new.txt'))).rejects.toThrow('ENOENT');

    const { reviews } = ide.sightline;
    reviews.comment(project, { file: 'a.txt', line: 3, code: 'ROW 03', text: 'Why capitals?' });
    reviews.comment(project, { file: 'a.txt', line: 25, code: 'ROW 25', text: 'One line is enough.' });
    expect((await agent.data('list_changes'))['notes']).toEqual([
      expect.stringContaining('a person took back revert of a hunk of a.txt'),
    ]);
    expect(reviews.send(project)).toBe(2);
    expect((await agent.data('list_changes'))['notes']).toEqual([
      'Note: A person reviewed the changes and has 2 comments:\na.txt:3 `ROW 03`: Why capitals?\na.txt:25 `ROW 25`: One line is enough.',
    ]);
    expect(await agent.data('list_changes')).not.toHaveProperty('notes');
  });

  it('compares with a commit', async () => {
    ide = await startSightline({ project: { 'a.txt': 'one\ntwo\n' } });
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: ide.root });
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'first');
    const agent = await ide.connect({ face: 'workspace' });
    await agent.data('edit_file', { file_path: 'a.txt', old_text: 'two', new_text: 'three' });
    await agent.data('edit_file', { file_path: 'a.txt', old_text: 'three', new_text: 'four' });
    const { localHistory } = ide.sightline.engines;
    const { files } = await reviewOf(localHistory, projectOf(), { commit: 'HEAD' });
    expect(files).toMatchObject([
      { file: 'a.txt', hunks: [{ lines: [{}, { mark: '-', text: 'two\n' }, { mark: '+', text: 'four\n' }] }] },
    ]);
    await expect(reviewOf(localHistory, projectOf(), { commit: '--all' })).rejects.toThrow('names no commit');
  });
});
