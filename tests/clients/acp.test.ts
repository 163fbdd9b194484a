import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtProgram } from '../support/program.ts';
import { hostedClients } from './acp/hostedClient.ts';
import { performHosted, type Performance } from './acp/hostedStage.ts';
import { ClientHome } from './clientHome.ts';

/** Real clients as agents that Sightline hosts, one after the other in one home and one process. */
describe('over ACP', () => {
  let home: ClientHome;
  let program: string;

  beforeAll(async () => {
    program = await builtProgram();
    home = await ClientHome.create(program);
    await home.run('start');
  });

  afterAll(() => home?.dispose());

  describe.each(hostedClients)('$client.title', (hosted) => {
    const { client } = hosted;
    let seen: Performance;

    beforeAll(async () => {
      seen = await performHosted(hosted, home, program);
    });

    test('is found, started in the project, and says what it can', () => {
      expect(seen.ready).toMatchObject({ state: 'idle', agent: hosted.agent, project: home.project });
      const version = hosted.adapter === undefined ? client.packageSpec : hosted.adapter.packageSpec.split(' ')[0];
      expect(version).toContain(seen.ready.agentVersion);
      expect(seen.ready.options.map(({ id }) => id)).toContain('mode');
      expect(seen.view.commands.length).toBeGreaterThan(0);
    });

    test('lists our tools and calls one, and its model gets the answer', () => {
      expect(seen.view.server).toMatchObject({ byTool: { debug_probe: 2 } });
      expect(seen.view.server.listed).toBeGreaterThan(15);
      expect(seen.answer).toContain('fail.js:3');
    });

    test('asks for permission, with the verdict of our policy', () => {
      const effects = seen.asked.map(({ verdict }) => verdict?.effect);
      expect(effects).toContain(hosted.writesBy ?? 'edit');
      const allowed = seen.items.flatMap((item) => (item.type === 'tool' ? (item.permission ?? []) : []));
      expect(allowed).toContain('allowed by a person');
    });

    test('what it writes with its own hands is the change of the turn, and is taken back', () => {
      const name = `${hosted.agent}.md`;
      expect(seen.view.turns[0]).toMatchObject({
        stopReason: 'end_turn',
        changes: [{ files: [name], observed: true }],
      });
      expect([seen.written?.trim(), seen.reverted, seen.writtenAfterRevert]).toEqual([
        `by ${hosted.agent}`,
        [name],
        undefined,
      ]);
    });

    test('stops when it is cancelled, and what it called for ends', () => {
      expect(seen.view.turns[1]).toMatchObject({ stopReason: 'cancelled' });
      expect(seen.leftAfterCancel).toEqual([]);
    });

    test('leaves nothing, and talked to nobody but its model', () => {
      expect(seen.leftAfterClose).toEqual([]);
      expect(seen.others.filter((other) => client.strays?.test(other) !== true)).toEqual([]);
    });
  });
});
