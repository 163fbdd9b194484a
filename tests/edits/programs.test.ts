import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSightline, type RunningSightline, type TestClient } from '../harness/harness.ts';
import { treeOf } from './workbench.ts';

let ide: RunningSightline;
let agent: TestClient;
const generate =
  "const fs = require('fs');\nfs.writeFileSync('made.txt', 'made');\nfs.appendFileSync('kept.txt', 'more\\n');\nfs.rmSync('gone.bin');\nfs.writeFileSync('built/out.txt', 'ignored');\n";

beforeAll(async () => {
  ide = await startSightline({
    project: {
      'package.json': '{"name":"x","scripts":{"generate":"node generate.js","fail":"node generate.js && exit 3"}}',
      '.gitignore': 'built/\n',
      'generate.js': generate,
      'slow.js': "require('fs').writeFileSync('slow.txt', 'slow');\nsetTimeout(() => {}, 400);\n",
      'kept.txt': 'one\r\ntwo',
      'built/out.txt': 'old',
    },
  });
  writeFileSync(join(ide.root, 'gone.bin'), Buffer.from([0, 255, 13, 10, 200]));
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
  ])
    execFileSync('git', args, { cwd: ide.root });
  writeFileSync(join(ide.root, 'dirty.txt'), 'not in git');
  agent = await ide.connect({ face: 'workspace' });
});
afterAll(async () => {
  await agent.close();
  await ide.dispose();
});

const latest = async (): Promise<Record<string, unknown>> => {
  const { changes } = await agent.data('list_changes', { limit: 1 });
  return (changes as Record<string, unknown>[])[0] ?? {};
};

describe('what programs that were run did to the files', () => {
  it.each(['generate', 'fail'])('is taken back by the call that ran them (%s)', async (name) => {
    const before = await treeOf(ide.root);
    await agent.data('run_configuration', { name: `npm: ${name}`, wait_ms: 20_000 });
    expect(readFileSync(join(ide.root, 'kept.txt'), 'utf8')).toBe('one\r\ntwomore\n');
    const change = await latest();
    expect(change).toMatchObject({
      tool: 'run_configuration',
      observed: true,
      files: ['gone.bin', 'kept.txt', 'made.txt'],
    });
    await agent.data('undo', { call_id: change['callId'] });
    // What git ignores is neither recorded nor brought back.
    writeFileSync(join(ide.root, 'built/out.txt'), 'old');
    expect(await treeOf(ide.root)).toEqual(before);
  });

  it('is recorded for programs that were debugged', async () => {
    const before = await treeOf(ide.root);
    await agent.data('debug_probe', { program: 'generate.js' });
    expect(await latest()).toMatchObject({ observed: true, files: ['gone.bin', 'kept.txt', 'made.txt'] });
    await agent.data('undo', {});
    writeFileSync(join(ide.root, 'built/out.txt'), 'old');
    expect(await treeOf(ide.root)).toEqual(before);
  });

  it('is recorded once when two programs run at the same time', async () => {
    const before = await treeOf(ide.root);
    const since = new Date().toISOString();
    writeFileSync(
      join(ide.root, 'package.json'),
      '{"name":"x","scripts":{"generate":"node generate.js","slow":"node slow.js"}}',
    );
    await Promise.all(
      ['slow', 'generate'].map((name) => agent.data('run_configuration', { name: `npm: ${name}`, wait_ms: 20_000 })),
    );
    const { changes } = await agent.data('list_changes', { since });
    const files = (changes as { files: string[] }[]).flatMap((change) => change.files).sort();
    expect(files).toEqual(['gone.bin', 'kept.txt', 'made.txt', 'slow.txt']);
    await agent.data('undo', { since });
    writeFileSync(join(ide.root, 'built/out.txt'), 'old');
    writeFileSync(
      join(ide.root, 'package.json'),
      '{"name":"x","scripts":{"generate":"node generate.js","fail":"node generate.js && exit 3"}}',
    );
    expect(await treeOf(ide.root)).toEqual(before);
  });
});
