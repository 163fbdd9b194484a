import { errorMessage } from '../../base/errors.ts';
import { displayPath, isInside } from '../../base/paths.ts';
import { counted } from '../../base/text/counted.ts';
import { affectedTests } from '../../engine/workspace/tests/changedTests.ts';
import { selectTests, type TestWish } from '../../engine/workspace/tests/selection.ts';
import type { BatchRequest, TestBatch } from '../../engine/workspace/tests/testEngine.ts';
import type { TestWatch } from '../../engine/workspace/tests/testWatch.ts';
import type { ToolCall } from '../defineTool.ts';
import type { Engines } from '../engines.ts';
import { displayRun, someOf } from './runShapes.ts';

type Selected = Pick<BatchRequest, 'packages' | 'selectedText'>;

/** Starts a watch whose first run is `first`; each change then runs what it can affect of what `wish` means. */
export function startWatch(
  engines: Engines,
  call: ToolCall,
  wish: TestWish,
  first: Selected,
  start: (selected: Selected) => Promise<TestBatch>,
): Promise<TestWatch> {
  const { project } = call;
  return engines.tests.watch(project, call.client.id, {
    start: async (changed) => {
      if (changed === undefined) return start(first);
      // The call that began the watch is long over.
      const { signal } = new AbortController();
      const { tests } = await affectedTests(project, changed, signal);
      const meant = tests.filter((test) => wish.files?.some((place) => isInside(pathOf(place), test)) ?? true);
      if (meant.length === 0) return undefined;
      const packages = await selectTests(project, { ...wish, files: meant }, signal);
      const selectedText = `${counted(meant.length, 'test file')} that the change of ${shownFiles(changed, project.root)} can affect`;
      return start({ packages, selectedText });
    },
    summary: async (batch, changed) => {
      if (batch === undefined) return `no test that is watched needs ${shownFiles(changed, project.root)}`;
      if (batch.failure !== undefined) return `nothing was run: ${errorMessage(batch.failure)}`;
      const runs = await batch.looks();
      return runs
        .map((run) => displayRun(run, project.root))
        .map(({ runId, summary }) => `${runId} ${summary}`)
        .join('\n');
    },
  });
}

function shownFiles(files: readonly string[], root: string): string {
  return someOf(
    files.map((file) => displayPath(root, file)),
    3,
  ).join(', ');
}

/** `file::test` and `file:line` without what comes after the file. */
function pathOf(place: string): string {
  return /^(.+?)(?:::.*|:\d+)?$/s.exec(place)?.[1] ?? place;
}
