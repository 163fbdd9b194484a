import { displayPath } from '../../base/paths.ts';
import type { RecordedFailure } from '../../engine/debugger/ask/failure.ts';
import { clipValue } from './valueText.ts';

/** `failed: AssertionError: … at cart.test.js:6 in test("totals")` */
export function failureText({ call, thrown, line }: RecordedFailure, root: string): string {
  return `failed: ${clipValue(thrown.text, 200)} at ${displayPath(root, call.fn.file)}:${line ?? call.fn.line} in ${call.fn.name}`;
}
