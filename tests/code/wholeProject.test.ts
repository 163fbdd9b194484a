import { expect, it } from 'vitest';
import { fixer } from './fakeServer/fixer.ts';
import { toyProject } from './fakeServer/toyProject.ts';

it('problems of the whole project: opening files disturbs no other, and one that cannot be analysed takes nothing from the rest', async () => {
  const names = Array.from({ length: 60 }, (_, index) => `f${index}.fix`);
  const files = Object.fromEntries(names.map((name) => [name, 'one bad\n']));
  const project = await toyProject({ 'fix.json': '{}', ...files, 'odd.fix': 'unspeakable\n' }, [fixer]);
  try {
    await project.workspace.sync();
    const report = await project.workspace.problems.report({ files: [] }, {});
    expect(report).toMatchObject({ analysed: 60, wanted: 61, index: { state: 'partial' } });
    expect(report.problems).toHaveLength(60);
    expect(report.index).toMatchObject({
      detail: '60 of 61 files analysed (1 file refused, first odd.fix: no words for this)',
    });
  } finally {
    await project.dispose();
  }
});
