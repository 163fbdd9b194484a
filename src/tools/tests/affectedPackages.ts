import { advise, step } from '../../base/text/advice.ts';
import { ToolError } from '../../base/errors.ts';
import { counted } from '../../base/text/counted.ts';
import { usersOfChanges } from '../../engine/code/uses/usersOfChanges.ts';
import {
  affectedTests,
  changedFiles,
  changedPlaces,
  isTestFile,
  type ChangedTests,
} from '../../engine/workspace/tests/changedTests.ts';
import { selectTests, type SelectedPackage, type TestWish } from '../../engine/workspace/tests/selection.ts';
import type { ToolCall } from '../defineTool.ts';
import type { Engines } from '../engines.ts';
import { someOf } from './runShapes.ts';

/** The tests that what changed since a commit can affect. */
export async function affectedPackages(
  engines: Engines,
  wish: TestWish,
  since: string,
  call: ToolCall,
): Promise<{ packages: SelectedPackage[]; selectedText: string }> {
  const files = await changedFiles(call.project, since, call.signal);
  const narrowing = await narrowingBy(engines, since, call);
  const affected = await affectedTests(call.project, files, call.signal, narrowing);
  const { tests, changed, unreached, notCalling, byImports } = affected;
  if (notCalling.length > 0)
    call.note(
      `Not run, since they import what changed but call none of it: ${someOf(notCalling, 5).join(', ')}. files runs them all the same.`,
    );
  tellImports(byImports, call);
  if (tests.length === 0)
    throw new ToolError(
      'test_not_found',
      changed === 0
        ? `Nothing has changed since ${since}.`
        : `${counted(changed, 'file')} changed since ${since}, but no test file imports what changed. Nothing was run.`,
      { hint: advise`${step('runTests', {})} runs all tests.`, data: { unreached: unreached.slice(0, 20) } },
    );
  if (unreached.length > 0) call.note(`No test imports ${someOf(unreached, 5).join(', ')}, which changed.`);
  const packages = await selectTests(call.project, { ...wish, files: tests }, call.signal);
  return { packages, selectedText: `${counted(tests.length, 'test file')} that changes since ${since} can affect` };
}

/** Where callers could not be followed more tests run than need to, and whoever reads the answer is to know it. */
function tellImports(byImports: ChangedTests['byImports'], call: ToolCall): void {
  const late = byImports.filter(({ why }) => why === 'no index').map(({ file }) => file);
  const unsure = byImports.filter(({ why }) => why === 'unsure').map(({ file }) => file);
  if (late.length > 0)
    call.note(
      `By imports, not callers (the index did not answer in time): every test that imports ${someOf(late, 5).join(', ')}.`,
    );
  if (unsure.length > 0)
    call.note(
      `By imports, not callers (what changed is in no function, or in one whose callers cannot be told for sure): every test that imports ${someOf(unsure, 5).join(', ')}.`,
    );
}

/** The callers of what changed, as far as the index knows them within some seconds. */
async function narrowingBy(engines: Engines, since: string, call: ToolCall) {
  const { project } = call;
  const places = await changedPlaces(project, since, call.signal);
  const deadline = Date.now() + Math.min(maxIndexMs, call.patienceMs / 2);
  const workspace = engines.code.workspace(project);
  const usersOf = async (place: { path: string; lines: ReadonlySet<number> }) => {
    const patienceMs = deadline - Date.now();
    if (patienceMs <= 0) return 'no index';
    const signal = AbortSignal.any([call.signal, AbortSignal.timeout(patienceMs)]);
    const isEnd = (path: string) => isTestFile(path, project.root);
    // Whatever the index cannot tell, the imports do: rather too many tests than too few.
    return usersOfChanges(workspace, { ...place, isEnd }, { signal, patienceMs }).catch(() => 'no index' as const);
  };
  return { places, usersOf };
}

const maxIndexMs = 15_000;
