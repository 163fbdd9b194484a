import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ToolError } from '../../../../base/errors.ts';
import { decodeText, encodeText } from '../../textEncoding.ts';
import { applyByteEdits } from './byteEdits.ts';
import type { TextEdit } from '../operations.ts';
import { applyTextEdits } from './textEdits.ts';

const character = fc.constantFrom('a', 'b', ' ', '\n', '\n', 'é', '語', '😀', '\r', '\t', '\u0301', '\ufeff');
const text = fc.array(character, { maxLength: 30 }).map((characters) => characters.join(''));
const position = fc.record({ line: fc.integer({ min: 0, max: 12 }), column: fc.integer({ min: 0, max: 12 }) });
const edit: fc.Arbitrary<TextEdit> = fc.record(
  { range: fc.record({ start: position, end: position }), newText: text, oldText: fc.constantFrom('', 'a', 'é') },
  { requiredKeys: ['range', 'newText'] },
);

describe('edits made on bytes', () => {
  it('give what the same edits give on the text, to the byte, or leave it to them', () => {
    let onBytes = 0;
    fc.assert(
      fc.property(text, fc.array(edit, { maxLength: 4 }), (content, edits) => {
        const bytes = Buffer.from(content, 'utf8');
        const fast = outcome(() => applyByteEdits(bytes, edits, 'f')?.bytes.toString('hex'));
        if (fast === undefined) return;
        onBytes++;
        const decoded = decodeText(bytes);
        const slow = outcome(() =>
          decoded === undefined
            ? undefined
            : encodeText(applyTextEdits(decoded.text, edits, 'f'), decoded.encoding, decoded.hasBom).toString('hex'),
        );
        expect(fast).toBe(slow);
      }),
      { numRuns: 3000 },
    );
    expect(onBytes).toBeGreaterThan(500);
  });
});

function outcome(work: () => string | undefined): string | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof ToolError) return `${error.code}: ${error.message}`;
    throw error;
  }
}
