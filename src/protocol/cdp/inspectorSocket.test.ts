import { describe, expect, it } from 'vitest';
import { childEnvironment, ManagedProcess } from '../../base/processes.ts';
import { CdpSession } from './cdpSession.ts';

describe('the connection to the inspector', () => {
  it('carries commands of every length in and behind frames begun for acknowledgements, without the delay of one', async () => {
    const child = await ManagedProcess.start({
      command: process.execPath,
      args: ['-e', "require('inspector').open(0, '127.0.0.1'); setInterval(() => {}, 1000)"],
      cwd: process.cwd(),
      env: childEnvironment(process.env, {}),
      name: 'debuggee',
    });
    try {
      const url = await new Promise<string>((resolve) => {
        child.stderr.on('data', (chunk: Buffer) => {
          const found = /ws:\S+/.exec(chunk.toString('utf8'));
          if (found !== null) resolve(found[0]);
        });
      });
      const session = await CdpSession.connect(url, 'Node');
      await session.send('Runtime.enable');
      await session.send('Debugger.enable', {});
      const times: number[] = [];
      for (let round = 0; round < 300; round++) {
        const began = performance.now();
        // Two at once: the second answer is the one that would wait for an acknowledgement.
        const sizes = [(round * 37) % 1300, 3];
        const answers = await Promise.all(
          sizes.map((size) =>
            session.send('Runtime.evaluate', { expression: `'${'é'.repeat(size)}'.length`, returnByValue: true }),
          ),
        );
        times.push(performance.now() - began);
        expect(answers.map((answer) => answer.result.value as unknown)).toEqual(sizes);
      }
      const middle = times.toSorted((a, b) => a - b)[150] ?? Number.POSITIVE_INFINITY;
      // Delayed acknowledgements take 40 ms each; even a busy machine is faster than that for most of them.
      expect(middle).toBeLessThan(35);
      session.close();
    } finally {
      await child.kill(0);
    }
  });
});
