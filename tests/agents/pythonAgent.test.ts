import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pythonEnvironment, pythonProtocol } from '../harness/foreignTool.ts';
import { ensureEngine } from '../support/engines.ts';
import { Desk, type Talk } from './desk.ts';

/** An independent reading of the protocol: what the host sends is checked by the models of the Python SDK. */
describe('an agent on the Python SDK', () => {
  let desk: Desk;
  let talk: Talk;

  beforeAll(async () => {
    const python = await pythonEnvironment((await ensureEngine('python')).path, 'acp', pythonProtocol);
    const script = join(import.meta.dirname, 'fixtures', 'scripted_agent.py');
    desk = await Desk.open({ python: { command: join(python, 'bin', 'python'), args: [script] } });
    talk = await desk.start('python', { permissions: 'policy' });
    await talk.ready();
  });

  afterAll(() => desk?.dispose());

  test('is greeted, given our server and asked for its options', async () => {
    expect(talk.view).toMatchObject({ state: 'idle', agentVersion: 'sightline' });
    await desk.request('setOption', { id: talk.thread.id, option: 'mode', value: 'fast' });
    await talk.turn('content');
    expect(talk.said('agent')).toEqual(['Given: sightline; mode fast.']);
    expect(talk.said('thought')).toEqual(['Let me see.']);
    expect(
      talk
        .items('plan')
        .at(-1)
        ?.entries.map(({ status }) => status),
    ).toEqual(['completed', 'pending']);
  });

  test('edits once the policy allows it; the turn knows the change', async () => {
    const { turns } = await talk.turn('edit new.txt');
    expect(talk.items('tool').at(-1)).toMatchObject({ status: 'completed', permission: 'allowed by policy.edit' });
    expect(turns.at(-1)?.changes).toMatchObject([{ files: ['new.txt'], observed: true }]);
    expect(readFileSync(join(desk.running.root, 'new.txt'), 'utf8')).toBe('text of python\n');
  });

  test('stops when it is cancelled, and a failure of its own ends only the turn', async () => {
    const waiting = talk.turn('wait');
    await talk.until(() => talk.items('tool').some(({ title }) => title === 'A long tool'));
    await desk.request('cancel', { id: talk.thread.id });
    expect((await waiting).turns.at(-1)).toMatchObject({ stopReason: 'cancelled' });
    expect((await talk.turn('fail')).turns.at(-1)).toMatchObject({ stopReason: 'failed' });
    expect(talk.view.state).toBe('idle');
  });

  test('lists its sessions, is resumed by a restart, and is closed', async () => {
    const { sessions } = await desk.request('sessions', { id: talk.thread.id });
    expect(sessions).toEqual([{ sessionId: talk.view.sessionId, cwd: desk.running.root }]);
    const { sessionId } = talk.view;
    await desk.request('restart', { id: talk.thread.id });
    await talk.turn('edit again.txt');
    expect(talk.view).toMatchObject({ state: 'idle', sessionId });
    await desk.request('close', { id: talk.thread.id, forget: true });
    expect(talk.view.state).toBe('closed');
  });
});
