import { displayPath } from '../../../base/paths.ts';
import type { RunDifference } from '../../../engine/debugger/ask/compare.ts';
import type { RecordedCall } from '../../../engine/debugger/ask/recording.ts';
import { outcome as outcomeText, signature } from '../callText.ts';

const kindTexts: Record<RunDifference['kind'], string> = {
  arguments: 'first call with other arguments',
  path: 'first place where other functions are called',
  result: 'same arguments, same calls inside, another result',
  end: 'one threw, the other did not',
};

/** Where two runs, or two calls, part: what differs, and both sides of it. */
export function differenceLines({ kind, a, b, inA, inB }: RunDifference, root: string): string[] {
  const line = (name: string, call: RecordedCall | undefined, holder: RecordedCall | undefined) => {
    if (call === undefined)
      return `  ${name}: no further call${holder === undefined ? '' : ` in ${signature(holder, 60)} ${outcomeText(holder, 60)}`}`;
    const from =
      call.parent === undefined
        ? ''
        : `, called at ${displayPath(root, call.parent.fn.file)}:${call.from ?? 0} by ${call.parent.fn.name}`;
    return `  ${name}: ${signature(call, 120)} ${outcomeText(call, 120)}${from}`;
  };
  const known = a ?? b;
  const place = known === undefined ? '' : `  [${displayPath(root, known.fn.file)}:${known.fn.line}]`;
  return [`${kindTexts[kind]}:${place}`, line('a', a, inA), line('b', b, inB)];
}
