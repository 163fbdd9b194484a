import { expect, it } from 'vitest';
import { Deferred } from '../../../../../base/deferred.ts';
import type { CdpSession } from '../../../../../protocol/cdp/cdpSession.ts';
import type { BreakpointBinding } from '../../../model.ts';
import { BreakpointBinder } from './breakpointBinder.ts';
import { Script } from '../scripts/scripts.ts';

const file = '/p/app.js';
const location = { scriptId: '7', lineNumber: 1, columnNumber: 0 };

/** A binder with one script of two lines, a breakpoint on the last, and a V8 that answers its source when `sources` says. */
async function binderOf(sources: () => Promise<string>) {
  const bindings: BreakpointBinding[] = [];
  const parsed = { scriptId: '7', url: `file://${file}`, startLine: 0, startColumn: 0, endLine: 1, endColumn: 9 };
  const script = new Script({ ...parsed, executionContextId: 1, hash: '', buildId: '' }, (path) => path);
  const binder = new BreakpointBinder({
    // Only what binding asks of V8.
    session: { send: () => Promise.resolve({ breakpointId: 'v8', locations: [] }) } as unknown as CdpSession,
    scripts: new Map([[script.id, script]]),
    toRemotePath: (path) => path,
    toLocalPath: (path) => path,
    wishForLoads: () => Promise.resolve(),
    pauseBefore: () => Promise.resolve(),
    sourceOf: sources,
    namesOf: () => Promise.resolve(undefined),
    onBinding: (binding) => bindings.push(binding),
  });
  await binder.setFile(file, [{ id: 'bp', file, line: 2, suspendPolicy: 'all' }]);
  bindings.length = 0;
  return { binder, bindings };
}

it('a breakpoint is told to be bound before it is told to have stopped the program', async () => {
  const slow = new Deferred<string>();
  const answers = [slow.promise];
  const { binder, bindings } = await binderOf(() => answers.shift() ?? Promise.resolve('a();\nb();\n'));
  const resolved = binder.resolved({ breakpointId: 'v8', location });
  const hits = binder.hits(['v8'], location);
  setImmediate(() => slow.resolve('a();\nb();\n'));
  expect(await hits).toEqual(['bp']);
  expect(bindings).toMatchObject([{ breakpointId: 'bp', verified: true, location: { file, line: 2 } }]);
  await resolved;
});

it('a breakpoint that has stopped the program is bound by that fact', async () => {
  const { binder, bindings } = await binderOf(() => Promise.resolve('a();\nb();\n'));
  expect(await binder.hits(['v8'], location)).toEqual(['bp']);
  expect(bindings).toMatchObject([{ breakpointId: 'bp', verified: true, location: { file, line: 2 } }]);
});
