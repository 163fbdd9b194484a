import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { recorderVariable, type RecorderOrders } from '../../../../ask/model.ts';
import { Rewriting } from './rewriting.ts';
import { siteNumbers } from './sites.ts';

interface LoadResult {
  format?: string | null;
  source?: string | ArrayBuffer | NodeJS.TypedArray | null;
  shortCircuit?: boolean;
}

interface HookData {
  /** Which of several registrations this is; only the last one, which sees what all the others made of the code, rewrites. */
  index: number;
  newest: Int32Array;
}

let data: HookData | undefined;
let rewriting: Rewriting | undefined;
let files = 0;

/** Node runs these in a thread of their own: what the numbers in the code mean is left in a file for the thread that runs it. */
export function initialize(given: HookData): void {
  data = given;
  const orders = JSON.parse(readFileSync(process.env[recorderVariable] ?? '', 'utf8')) as RecorderOrders;
  const base = `${orders.folder}/sites-${process.pid}-${given.index}`;
  const leave = (text: unknown) => {
    const path = `${base}-${++files}.json`;
    writeFileSync(`${path}.new`, JSON.stringify(text), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  };
  rewriting = new Rewriting(orders, siteNumbers(100 + given.index), leave, (file, reason) =>
    leave({ problem: { file, reason } }),
  );
}

export async function load(
  url: string,
  context: unknown,
  nextLoad: (url: string, context: unknown) => Promise<LoadResult>,
): Promise<LoadResult> {
  const result = await nextLoad(url, context);
  if (data === undefined || rewriting === undefined || Atomics.load(data.newest, 0) !== data.index) return result;
  if (
    !/^module(-typescript)?$/.test(result.format ?? '') ||
    result.source === undefined ||
    result.source === null ||
    !url.startsWith('file:')
  )
    return result;
  const source =
    typeof result.source === 'string' ? result.source : Buffer.from(result.source as ArrayBuffer).toString('utf8');
  return { ...result, source: rewriting.rewrite(source, url, 'module') };
}
