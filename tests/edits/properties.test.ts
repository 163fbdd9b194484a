// Both outcomes are right here (refused or done, all old or all new) and each has its own demands.
/* oxlint-disable vitest/no-conditional-expect, vitest/valid-expect */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineIndex } from '../../src/base/positions.ts';
import type { FileOperation, TextEdit } from '../../src/engine/workspace/edits/operations.ts';
import { applyTextEdits } from '../../src/engine/workspace/edits/text/textEdits.ts';
import { diffLines, unifiedDiff } from '../../src/engine/workspace/edits/text/unifiedDiff.ts';
import { undoChanges } from '../../src/engine/workspace/localHistory/undo.ts';
import { workbench } from './workbench.ts';

const names = ['a', 'b', 'd/c', 'd/e', 'd/f/g', 'h/i'];
const text = fc.oneof(
  fc
    .array(fc.constantFrom('x', 'é', '😀', '\n', '\r\n', ' ', 'word'), { maxLength: 12 })
    .map((parts) => parts.join('')),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
);
const name = fc.constantFrom(...names);
const operation: fc.Arbitrary<FileOperation> = fc.oneof(
  fc.record({
    kind: fc.constant('write' as const),
    path: name,
    content: fc.oneof(text, fc.uint8Array({ maxLength: 20 })),
  }),
  fc.record({ kind: fc.constant('create' as const), path: name, content: text, overwrite: fc.boolean() }),
  fc.record({
    kind: fc.constant('rename' as const),
    from: fc.oneof(name, fc.constantFrom('d', 'h')),
    to: fc.oneof(name, fc.constantFrom('d', 'h', 'z/y')),
    overwrite: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('delete' as const), path: fc.oneof(name, fc.constant('d')), recursive: fc.boolean() }),
  fc.record({
    kind: fc.constant('edit' as const),
    path: name,
    edits: fc.array(
      fc
        .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 6 }), fc.integer({ min: 0, max: 4 }), text)
        .map(([line, column, length, newText]): TextEdit => ({
          range: { start: { line, column }, end: { line, column: column + length } },
          newText,
        })),
      { maxLength: 3 },
    ),
  }),
);

describe('properties of edits', () => {
  it('any script of changes is undone to the byte, step by step, and redone to the byte', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(operation, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 }),
        async (script) => {
          const bench = workbench();
          try {
            await bench.write({
              a: 'one\ntwo\n',
              'd/c': '\ufeffx\r\ny',
              'd/e': Buffer.from([0xe9, 10]),
              'h/i': Buffer.from([0, 1]),
            });
            const states = [await bench.tree()];
            const ids: string[] = [];
            for (const operations of script) {
              try {
                const applied = await bench.applier.apply(bench.project, operations, { tool: 'test' });
                if (applied.historyId === undefined) continue;
                ids.push(applied.historyId);
                states.push(await bench.tree());
              } catch (error) {
                expect(error).toHaveProperty('code');
                // A refusal has changed nothing.
                expect(await bench.tree()).toEqual(states.at(-1));
              }
            }
            const undos: string[] = [];
            for (let step = ids.length - 1; step >= 0; step--) {
              const { applied } = await undoChanges(
                bench.applier,
                bench.history,
                bench.project,
                { historyId: ids[step] },
                { tool: 'undo' },
              );
              undos.push(applied.historyId ?? '');
              expect(await bench.tree()).toEqual(states[step]);
            }
            for (const [step, id] of undos.reverse().entries()) {
              await undoChanges(bench.applier, bench.history, bench.project, { historyId: id }, { tool: 'undo' });
              expect(await bench.tree()).toEqual(states[step + 1]);
            }
          } finally {
            await bench.dispose();
          }
        },
      ),
      { numRuns: 120, seed: 5 },
    );
  });

  it('edits in any order give the same text, that of applying them from the end', () => {
    fc.assert(
      fc.property(text, fc.array(fc.tuple(fc.nat(30), fc.nat(5), text), { maxLength: 5 }), (base, raw) => {
        const index = new LineIndex(base);
        let free = 0;
        const disjoint = raw
          .map(([start, length, newText]) => ({
            start: Math.min(start, base.length),
            length,
            newText: newText.replace(/[\r\n]/g, ''),
          }))
          .sort((a, b) => a.start - b.start)
          .flatMap(({ start, length, newText }) => {
            const from = Math.max(start, free);
            const to = Math.min(from + length + 1, base.length);
            if (from >= to) return [];
            free = to + 1;
            return [{ from, to, newText }];
          })
          // A position cannot point between \r and \n.
          .filter(
            ({ from, to }) =>
              index.offsetAt(index.positionAt(from)) === from && index.offsetAt(index.positionAt(to)) === to,
          );
        const expected = disjoint.reduceRight(
          (now, one) => now.slice(0, one.from) + one.newText + now.slice(one.to),
          base,
        );
        const edits = disjoint.map((one) => ({
          range: { start: index.positionAt(one.from), end: index.positionAt(one.to) },
          newText: one.newText,
        }));
        expect(applyTextEdits(base, edits, 'f')).toBe(expected);
        expect(applyTextEdits(base, edits.toReversed(), 'f')).toBe(expected);
      }),
      { numRuns: 300 },
    );
  });

  it('a diff of lines leads from one text to the other', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 20 });
    fc.assert(
      fc.property(lines, lines, (a, b) => {
        const rebuilt: string[] = [];
        let at = 0;
        for (const change of diffLines(a, b)) {
          rebuilt.push(...a.slice(at, change.aStart), ...b.slice(change.bStart, change.bEnd));
          expect(rebuilt.length).toBe(change.bEnd);
          at = change.aEnd;
        }
        rebuilt.push(...a.slice(at));
        expect(rebuilt).toEqual(b);
      }),
      { numRuns: 500 },
    );
    expect(unifiedDiff('f', 'a\nb\nc\n', 'a\nx\nc')).toBe(
      '--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n a\n-b\n-c\n+x\n+c\n\\ No newline at end of file\n',
    );
  });
});
