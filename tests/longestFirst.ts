import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take minutes, the longest first: one that starts last would run alone while the other worker has nothing to do. The end of
 * a whole run names the longest, so that this list can be kept true.
 */
const long = [
  'tests/refactor/pythonDeclarations.test.ts',
  'tests/refactor/typescriptDeclarations.test.ts',
  'tests/refactor/typescriptCode.test.ts',
  'tests/refactor/pythonCode.test.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = long.indexOf(relative(this.ctx.config.root, moduleId));
      return at < 0 ? long.length : at;
    };
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}
