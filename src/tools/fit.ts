import { clip } from '../base/text/textBudget.ts';

/**
 * Makes an answer fit its budget in stages: shorter strings, then shorter lists, then less depth; only then is text cut. Every
 * stage is a smaller value of the same shape, so one pure renderer serves all of them, and what was left out is counted.
 */
export interface Fitted<T> {
  value: T;
  text: string;
  /** What was left out, in words; empty when everything is there. */
  omitted: string[];
}

interface Stage {
  maxString: number;
  maxItems: number;
  maxDepth: number;
}

const stages: readonly Stage[] = [
  { maxString: 2000, maxItems: 200, maxDepth: 12 },
  { maxString: 500, maxItems: 100, maxDepth: 8 },
  { maxString: 200, maxItems: 50, maxDepth: 6 },
  { maxString: 120, maxItems: 25, maxDepth: 5 },
  { maxString: 80, maxItems: 12, maxDepth: 5 },
  { maxString: 60, maxItems: 6, maxDepth: 4 },
  { maxString: 40, maxItems: 3, maxDepth: 4 },
];

export function fit<T>(data: T, maxChars: number, render: (value: T) => string): Fitted<T> {
  let last: Fitted<T> = { value: data, text: render(data), omitted: [] };
  if (last.text.length <= maxChars) return last;
  for (const stage of [...roomyStages(maxChars), ...stages]) {
    const omitted = new Map<string, string>();
    // The shape is kept: only strings and lists get shorter.
    const value = shrink(data, stage, '', 0, omitted) as T;
    const text = render(value);
    last = { value, text, omitted: [...omitted.values()] };
    if (text.length <= maxChars) return last;
  }
  return { ...last, text: clip(last.text, maxChars), omitted: [...last.omitted, 'the end of the answer'] };
}

/** One long text, such as a diff, gets nearly all the room there is before anything else is made smaller. */
function roomyStages(maxChars: number): Stage[] {
  const limits = [0.9, 0.75, 0.5].map((share) => Math.floor(maxChars * share));
  return limits.filter((limit) => limit > 2000).map((maxString) => ({ maxString, maxItems: 200, maxDepth: 12 }));
}

function shrink(value: unknown, stage: Stage, path: string, depth: number, omitted: Map<string, string>): unknown {
  if (typeof value === 'string') {
    if (value.length <= stage.maxString) return value;
    omitted.set(`${path}:text`, `${path || 'text'}: ${value.length - stage.maxString} of ${value.length} characters`);
    return clip(value, stage.maxString);
  }
  if (Array.isArray(value)) {
    const kept = depth > stage.maxDepth ? 0 : Math.min(value.length, stage.maxItems);
    if (kept < value.length) omitted.set(path, `${path}: ${value.length - kept} of ${value.length}`);
    return value.slice(0, kept).map((item) => shrink(item, stage, `${path}[]`, depth + 1, omitted));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      shrink(item, stage, path === '' ? key : `${path}.${key}`, depth + 1, omitted),
    ]),
  );
}
