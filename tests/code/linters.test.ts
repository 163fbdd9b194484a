import { symlink, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { startSightline, type RunningSightline } from '../harness/harness.ts';
import { ensureEngine, testCacheDir } from '../support/engines.ts';

const repository = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
let ide: RunningSightline | undefined;
afterEach(() => ide?.dispose());

async function withOxlint(trusted: boolean): Promise<RunningSightline> {
  const started = await startSightline({
    trusted,
    project: {
      'package.json': '{"type":"module"}',
      '.oxlintrc.json': '{"rules":{"eslint/no-debugger":"error"}}',
      'a.js': 'export const a = 1;\ndebugger;\n',
    },
  });
  await mkdir(join(started.root, 'node_modules', '.bin'), { recursive: true });
  await symlink(
    join(repository, 'node_modules', '.bin', 'oxlint'),
    join(started.root, 'node_modules', '.bin', 'oxlint'),
  );
  return started;
}

describe('linters that a project uses', () => {
  it('oxlint problems stand beside those of the language server', async () => {
    ide = await withOxlint(true);
    const agent = await ide.connect({ face: 'index' });
    const data = await agent.data('ide_analyze_code', { file: 'a.js' });
    expect(data['engines']).toEqual(['typescript-go 7.0.2', 'oxlint']);
    expect(data['problems']).toMatchObject([
      { file: 'a.js', line: 2, severity: 'error', source: 'oxlint', code: 'eslint(no-debugger)' },
    ]);
    await writeFile(join(ide.root, 'a.js'), 'export const a = 1;\n');
    const after = await agent.data('ide_analyze_code', { since: data['checkpoint'] });
    expect(after).toMatchObject({ totalCount: 0, vanished: [{ source: 'oxlint' }] });
  });

  it('nothing of the project runs when it is not trusted', async () => {
    ide = await withOxlint(false);
    const agent = await ide.connect({ face: 'index' });
    expect(await agent.data('ide_analyze_code', { file: 'a.js' })).toMatchObject({
      engines: ['typescript-go 7.0.2'],
      totalCount: 0,
    });
  });

  it('Ruff problems stand beside those of the Python server', async () => {
    await ensureEngine('ty');
    await ensureEngine('ruff');
    ide = await startSightline({
      env: { SIGHTLINE_CACHE: testCacheDir },
      project: { 'pyproject.toml': '[tool.ruff]\nline-length = 100\n', 'a.py': 'import os\n\nvalue = 1\n' },
    });
    const agent = await ide.connect({ face: 'index' });
    const data = await agent.data('ide_analyze_code', {});
    expect(data['engines']).toEqual(['ty 0.0.100', 'Ruff']);
    expect(data['problems']).toMatchObject([
      { file: 'a.py', line: 1, column: 8, severity: 'warning', source: 'Ruff', code: 'F401' },
    ]);
  }, 180_000);
});
