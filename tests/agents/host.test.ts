import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { removeDirectory, temporaryDirectory } from '../harness/temporary.ts';
import { processesOf } from '../support/program.ts';
import { Desk, scriptedAgent, type Talk } from './desk.ts';

/** One Sightline and one scripted agent for all that a good agent does; those that misbehave have threads of their own. */
describe('an agent over ACP', () => {
  let desk: Desk;
  let state: string;
  let talk: Talk;
  const agent = (options: Record<string, unknown> = {}) => ({
    command: process.execPath,
    args: [scriptedAgent],
    env: { SCRIPTED_AGENT: JSON.stringify({ state, ...options }), AGENT_OF: state },
  });
  const price = () => readFileSync(join(desk.running.root, 'price.ts'), 'utf8');

  beforeAll(async () => {
    state = await temporaryDirectory('agent');
    desk = await Desk.open({
      plain: agent(),
      remembering: agent({ can: ['load', 'list', 'close'] }),
      resuming: agent({ can: ['resume', 'load'] }),
      account: agent({ auth: 'agent' }),
      console: agent({ auth: 'terminal' }),
      tomorrow: agent({ version: 9 }),
      gone: { command: '/nonexistent/agent' },
    });
    talk = await desk.start('plain');
    await talk.ready();
  });

  afterAll(async () => {
    await desk.dispose();
    await removeDirectory(state);
  });

  test('is started in the project with our server, and says what it can', async () => {
    expect(talk.view).toMatchObject({ state: 'idle', agentVersion: '1.2.3', project: desk.running.root });
    expect(talk.view.options.map(({ id, value }) => [id, value])).toEqual([
      ['model', 'small'],
      ['web', false],
      ['mode', 'careful'],
    ]);
    const sent = talk.thread.messages(0).find(({ message }) => JSON.stringify(message).includes('session/new'));
    expect(sent?.message).toMatchObject({
      params: {
        cwd: desk.running.root,
        mcpServers: [
          {
            name: 'sightline',
            command: 'sightline',
            args: ['stdio'],
            env: expect.arrayContaining([{ name: 'SIGHTLINE_THREAD', value: talk.thread.id }]),
          },
        ],
      },
    });
  });

  test('content: chunks become messages', async () => {
    const { turns } = await talk.turn('content');
    expect(turns.at(-1)).toMatchObject({ stopReason: 'end_turn', changes: [] });
    expect(talk.said('user')).toEqual(['content']);
    expect(talk.said('thought')).toEqual(['Let me think. Done thinking.']);
    expect(talk.said('agent')).toEqual(['Hello, world.[docs](file:///docs)']);
  });

  test('tool_calls: created by whichever update comes first, changed by id', async () => {
    await talk.turn('tool_calls');
    const path = join(desk.running.root, 'price.ts');
    expect(talk.items('tool')).toMatchObject([
      {
        title: 'Reading price.ts',
        kind: 'read',
        status: 'completed',
        locations: [{ path, line: 2 }],
        content: [{ type: 'text', text: '42 lines' }],
      },
      { title: 'Editing', kind: 'edit', content: [{ type: 'diff', path, oldText: 'a', newText: 'b' }] },
    ]);
  });

  test('full: plan, usage, notices, compaction, commands, mode and title', async () => {
    const view = await talk.turn('full');
    expect(view).toMatchObject({
      title: 'A good title',
      usage: { used: 1200, size: 200000, cost: { amount: 0.5, currency: 'USD' } },
      commands: [{ name: 'review', description: 'Reviews', hint: 'what' }],
    });
    expect(view.options.find(({ id }) => id === 'mode')?.value).toBe('fast');
    expect(
      talk
        .items('plan')
        .at(-1)
        ?.entries.map(({ status }) => status),
    ).toEqual(['completed', 'pending']);
    expect(talk.items('notice').at(-1)).toMatchObject({ severity: 'warning', title: 'Nearly full' });
    expect(talk.items('compaction')).toMatchObject([{ status: 'completed', summary: 'All in all' }]);
  });

  test('options are chosen; what it does not have is refused', async () => {
    const id = talk.thread.id;
    await desk.request('setOption', { id, option: 'model', value: 'large' });
    await desk.request('setOption', { id, option: 'web', value: true });
    await desk.request('setOption', { id, option: 'mode', value: 'careful' });
    // The agent's answer names all its options; the mode is told beside them.
    expect(Object.fromEntries(talk.view.options.map((option) => [option.id, option.value]))).toMatchObject({
      model: 'large',
      web: true,
    });
    await expect(desk.request('setOption', { id, option: 'model', value: 'huge' })).rejects.toThrow('cannot be huge');
    await expect(desk.request('setOption', { id, option: 'taste', value: 'sweet' })).rejects.toThrow('no option taste');
  });

  test('callbacks: policy answers, the change of the turn is known and taken back', async () => {
    const before = price();
    const { turns } = await talk.turn('callbacks');
    expect(talk.said('agent')).toEqual(['o-allow_once']);
    expect(talk.items('tool').at(-1)).toMatchObject({ status: 'completed', permission: 'allowed by policy.edit' });
    expect(price()).toBe(`${before}// by the agent\n`);
    expect(turns.at(-1)?.changes).toMatchObject([{ files: ['price.ts'], observed: true, undone: false }]);
    const turn = turns.at(-1)?.number ?? 0;
    expect(await desk.request('revert', { id: talk.thread.id, turn })).toEqual({ files: ['price.ts'] });
    expect(price()).toBe(before);
    expect(talk.view.turns.at(-1)?.changes).toMatchObject([{ undone: true }]);
    await expect(desk.request('revert', { id: talk.thread.id, turn })).rejects.toThrow('Nothing of turn');
  });

  test('of two at work in one project each has the changes that its tool calls name', async () => {
    const before = price();
    const staying = await desk.start('plain');
    const stays = staying.turn('edit_and_stay stays.ts');
    await staying.until(() => staying.items('tool').length > 0);
    const { turns } = await talk.turn('callbacks');
    expect(turns.at(-1)?.changes).toMatchObject([{ files: ['price.ts'] }]);
    expect(turns.at(-1)?.problem).toBeUndefined();
    await desk.request('cancel', { id: staying.thread.id });
    expect((await stays).turns.at(-1)?.changes).toMatchObject([{ files: ['stays.ts'], observed: true }]);
    await desk.request('revert', { id: talk.thread.id, turn: turns.at(-1)?.number ?? 0 });
    expect(price()).toBe(before);
    await desk.request('close', { id: staying.thread.id, forget: true });
  });

  test('what the policy asks about waits among the approvals, with its verdict', async () => {
    const asking = talk.turn('callbacks .vscode/tasks.json');
    const question = await talk.question();
    expect(talk.view.state).toBe('needs_you');
    expect(question.verdict).toMatchObject({ effect: 'destructive', decision: 'ask' });
    const { approvals } = desk.running.sightline.backend;
    const ticket = approvals.list().find(({ id }) => id === question.ticketId);
    expect(ticket?.subject).toMatchObject({ effect: 'destructive', args: { asks: 'Edit .vscode/tasks.json' } });
    approvals.decide(question.ticketId ?? '', false, 'command line');
    await asking;
    expect(talk.said('agent')).toEqual(['o-reject_once']);
    expect(talk.items('tool').at(-1)?.permission).toBe('refused by a person');
    expect(approvals.list()).toEqual([]);
  });

  test('a person chooses among all options, and the ticket goes with that', async () => {
    await desk.request('setPermissions', { id: talk.thread.id, mode: 'ask' });
    const asking = talk.turn('callbacks price.ts');
    const { id: questionId, options } = await talk.question();
    expect(options?.map(({ kind }) => kind)).toEqual(['allow_once', 'allow_always', 'reject_once']);
    const id = talk.thread.id;
    await expect(desk.request('answer', { id, questionId, optionId: 'made-up' })).rejects.toThrow('no option');
    expect(await desk.request('answer', { id, questionId, optionId: 'o-allow_always' })).toEqual({ wasOpen: true });
    expect(await desk.request('answer', { id, questionId, allow: false })).toEqual({ wasOpen: false });
    await asking;
    expect(talk.said('agent')).toEqual(['o-allow_always']);
    expect(desk.running.sightline.backend.approvals.list()).toEqual([]);
    await desk.request('setPermissions', { id, mode: 'policy' });
  });

  test('elicitations: a form is filled in or declined', async () => {
    for (const [answer, said] of [
      [{ content: { colour: 'blue' } }, 'accept {"colour":"blue"}'],
      [{ allow: false }, 'decline {}'],
    ] as const) {
      const asking = talk.turn('elicitations');
      const question = await talk.question();
      expect(question).toMatchObject({ kind: 'form', title: 'Which colour?', schema: { required: ['colour'] } });
      await desk.request('answer', { id: talk.thread.id, questionId: question.id, ...answer });
      await asking;
      expect(talk.said('agent')).toEqual([said]);
    }
  });

  test('cancel_status: the turn and its tools are cancelled', async () => {
    const asking = talk.turn('cancel_status');
    await talk.until(() =>
      talk.items('tool').some(({ title, status }) => title === 'A long tool' && status === 'in_progress'),
    );
    await desk.request('cancel', { id: talk.thread.id });
    expect((await asking).turns.at(-1)?.stopReason).toBe('cancelled');
    expect(talk.items('tool').at(-1)?.status).toBe('cancelled');
  });

  test('cancelling answers every permission that waits', async () => {
    await desk.request('setPermissions', { id: talk.thread.id, mode: 'ask' });
    const asking = talk.turn('permission_cancel');
    await talk.until(({ questions }) => questions.length === 2);
    await desk.request('cancel', { id: talk.thread.id });
    await asking;
    expect(talk.said('agent')).toEqual(['cancelled cancelled']);
    expect(desk.running.sightline.backend.approvals.list()).toEqual([]);
    await desk.request('setPermissions', { id: talk.thread.id, mode: 'policy' });
  });

  test('prompts wait their turn, beside another thread', async () => {
    const other = await desk.start('plain');
    await other.ready();
    const id = talk.thread.id;
    const before = talk.view.turns.length;
    const running = talk.turn('cancel_status');
    await talk.until(({ state }) => state === 'running');
    await desk.request('prompt', { id, text: 'content' });
    const { promptId } = await desk.request('prompt', { id, text: 'never' });
    await desk.request('unqueue', { id, promptId });
    expect(talk.view.queue.map(({ text }) => text)).toEqual(['content']);
    await other.turn('content');
    expect(other.said('agent')).toEqual(['Hello, world.[docs](file:///docs)']);
    expect(talk.view.state).toBe('running');
    await desk.request('cancel', { id });
    await running;
    await desk.request('prompt', { id, text: 'content' });
    await talk.until(({ turns, state }) => state === 'idle' && turns.length === before + 2);
    await desk.request('close', { id: other.thread.id });
  });

  test('late, unknown, split and foreign messages break nothing', async () => {
    await talk.turn('unknown');
    expect(talk.said('agent')).toEqual(['Still here.']);
    await talk.turn('split');
    expect(talk.said('agent')).toEqual(['In \u{1F9E9} pieces. Whole.']);
    expect(
      talk.thread
        .messages(0)
        .filter(({ direction }) => direction === 'noise')
        .map(({ message }) => message),
    ).toContain('Welcome to the agent!');
    await talk.turn('late');
    await talk.until(() => talk.said('agent').includes('I am late.'));
    expect(talk.view.state).toBe('idle');
    const { turns, problem } = await talk.turn('fail');
    expect(turns.at(-1)).toMatchObject({ stopReason: 'failed' });
    expect(problem).toBe('The model is gone: quota');
    expect((await talk.turn('what')).turns.at(-1)?.stopReason).toBe('refusal');
  });

  test('an agent that dies says why, and goes on after a restart', async () => {
    const dying = await desk.start('resuming');
    await dying.turn('content');
    const view = await dying.turn('exit');
    expect(view).toMatchObject({ state: 'dead', problem: expect.stringMatching(/exit code 7.*out of memory/s) });
    expect(view.turns.at(-1)).toMatchObject({ stopReason: 'failed' });
    await expect(desk.request('prompt', { id: dying.thread.id, text: 'content' })).rejects.toThrow('not running');
    const { sessionId } = dying.view;
    await desk.request('restart', { id: dying.thread.id });
    expect(dying.view).toMatchObject({ state: 'idle', sessionId });
    // Resumed, not replayed: what was said is still here, once.
    expect(dying.items('message').filter(({ text }) => text === 'content')).toHaveLength(1);
    expect((await dying.turn('content')).turns.at(-1)?.stopReason).toBe('end_turn');
    await desk.request('close', { id: dying.thread.id });
  });

  test('a thread of earlier is taken up again: replayed, listed, closed', async () => {
    const first = await desk.start('remembering');
    await first.turn('content');
    const { id, sessionId = '' } = first.view;
    expect(await desk.request('sessions', { id })).toMatchObject({ sessions: [{ sessionId, title: 'A session' }] });
    await desk.request('close', { id });
    expect(readFileSync(join(state, 'closed'), 'utf8')).toContain(sessionId);
    const { past, threads } = await desk.request('list', {});
    expect(past).toContainEqual(expect.objectContaining({ id, agent: 'remembering', title: 'content', state: 'dead' }));
    expect(threads.map((thread) => thread.id)).not.toContain(id);
    await desk.request('start', { threadId: id });
    const again = desk.talk(id);
    await again.until(({ state: now }) => now === 'idle');
    expect(again.said('agent', 0)).toEqual(['Hello, world.[docs](file:///docs)']);
    await desk.request('close', { id, forget: true });
    expect((await desk.request('list', {})).past.map((thread) => thread.id)).not.toContain(id);
  });

  test('one that cannot remember says so', async () => {
    const short = await desk.start('plain', { sessionId: 'from-long-ago' });
    await short.until(({ state: now }) => now === 'idle');
    expect(short.items('notice').at(-1)?.title).toContain('a new session');
    await desk.request('close', { id: short.thread.id });
  });

  test('signing in by the agent, and in a terminal', async () => {
    const account = await desk.start('account');
    await account.ready();
    expect(account.view).toMatchObject({ state: 'signed_out', signIn: [{ id: 'account', isTerminal: false }] });
    await desk.request('signIn', { id: account.thread.id, methodId: 'account' });
    expect(account.view.state).toBe('idle');
    const console = await desk.start('console');
    await console.ready();
    expect(console.view).toMatchObject({ state: 'signed_out', signIn: [{ id: 'console', isTerminal: true }] });
    await desk.request('signIn', { id: console.thread.id, methodId: 'console' });
    await console.until(({ state: now }) => now === 'idle');
    expect(console.view.terminalId).toBeUndefined();
  });

  test('what cannot be started is refused with the reason', async () => {
    const strange = await desk.start('tomorrow');
    await strange.ready();
    expect(strange.view).toMatchObject({ state: 'dead', problem: expect.stringContaining('version 9') });
    const gone = await desk.start('gone');
    await gone.ready();
    expect(gone.view).toMatchObject({ state: 'dead', problem: expect.stringContaining('could not be started') });
    await expect(desk.start('nobody')).rejects.toThrow('There is no agent nobody');
    await expect(desk.request('start', { agent: 'junie' })).rejects.toThrow('not on this machine');
  });

  test('a temporary thread ends with the connection that wanted it', async () => {
    const brief = await desk.start('plain', { isTemporary: true });
    await brief.ready();
    desk.hangUp();
    await brief.until(({ state: now }) => now === 'closed');
  });

  test('nothing is left running', async () => {
    await desk.dispose();
    // R2: whatever an agent started carries its variables.
    await expect.poll(() => processesOf(state, 'AGENT_OF')).toEqual([]);
  });
});
