import { ToolError } from '../../base/errors.ts';
import { counted } from '../../base/text/counted.ts';
import { usersOfChanges } from '../../engine/code/uses/usersOfChanges.ts';
import { affectedTests, changedFiles, changedPlaces, isTestFile } from '../../engine/workspace/tests/changedTests.ts';
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
  const { tests, changed, unreached, notCalling } = await affectedTests(call.project, files, call.signal, narrowing);
  if (notCalling.length > 0)
    call.note(
      `Not run, since they import what changed but call none of it: ${someOf(notCalling, 5).join(', ')}. files runs them all the same.`,
    );
  if (tests.length === 0)
    throw new ToolError(
      'test_not_found',
      changed === 0
        ? `Nothing has changed since ${since}.`
        : `${counted(changed, 'file')} changed since ${since}, but no test file imports what changed. Nothing was run.`,
      { hint: 'run_tests {} runs all tests.', data: { unreached: unreached.slice(0, 20) } },
    );
  if (unreached.length > 0) call.note(`No test imports ${someOf(unreached, 5).join(', ')}, which changed.`);
  const packages = await selectTests(call.project, { ...wish, files: tests }, call.signal);
  return { packages, selectedText: `${counted(tests.length, 'test file')} that changes since ${since} can affect` };
}

/** The callers of what changed, as far as the index knows them within some seconds. */
async function narrowingBy(engines: Engines, since: string, call: ToolCall) {
  const { project } = call;
  const places = await changedPlaces(project, since, call.signal);
  const deadline = Date.now() + Math.min(maxIndexMs, call.patienceMs / 2);
  const workspace = engines.code.workspace(project);
  const usersOf = async (place: { path: string; lines: ReadonlySet<number> }) => {
    const patienceMs = deadline - Date.now();
    if (patienceMs <= 0) return undefined;
    const signal = AbortSignal.any([call.signal, AbortSignal.timeout(patienceMs)]);
    const isEnd = (path: string) => isTestFile(path, project.root);
    // Whatever the index cannot tell, the imports do: rather too many tests than too few.
    return usersOfChanges(workspace, { ...place, isEnd }, { signal, patienceMs }).catch(() => undefined);
  };
  return { places, usersOf };
}

const maxIndexMs = 15_000;
