import { errorMessage } from '../../../base/errors.ts';
import type { Project } from '../project.ts';
import { addCoverage } from './coverageStore.ts';
import type { CoverageArtifact } from './model.ts';
import { readArtifacts } from './readCoverage.ts';
import { summarise, type Tally } from './summary.ts';

/** The measurement of one run, in short; or why there is none. */
export type RunCoverage = (Tally & { files: number }) | { problem: string };

/** Reads what a run left and keeps it for `get_coverage`, together with what other runs of the same batch measured. */
export async function keepCoverage(
  { project, batchId }: { project: Project; batchId: string },
  artifacts: readonly CoverageArtifact[],
  tests: readonly { file?: string }[],
): Promise<RunCoverage> {
  try {
    // Where tests stand beside the code they test, as in Rust, only those of the folder for tests are apart from it.
    const isMixed = artifacts.some(({ format }) => format === 'llvm-cov');
    const files = tests.flatMap(({ file }) => file ?? []);
    const testFiles = new Set(isMixed ? files.filter((file) => file.includes('/tests/')) : files);
    const coverage = await readArtifacts(project, { batchId, artifacts, testFiles });
    if (coverage === undefined) return { problem: artifacts[0]?.missing ?? 'the runner left no measurement' };
    await addCoverage(project, coverage);
    const summary = summarise(coverage, {});
    return { ...summary.total, files: summary.files.length };
  } catch (error) {
    return { problem: errorMessage(error) };
  }
}
