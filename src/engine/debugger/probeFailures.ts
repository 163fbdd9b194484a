import { basename } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { ExitInfo } from './model.ts';
import type { ProbeHit } from './probe.ts';

/** How a followed program came to its end, as far as it tells what was a failure. */
interface ProgramEnd {
  /** Undefined when it was ended before its own end. */
  exit: ExitInfo | undefined;
  output: string;
  isTest: boolean;
}

/** Of what was thrown and may have been handled, that which made the program fail; each failure once, in the order of throwing. */
export function failuresAmong(open: readonly ProbeHit[], end: ProgramEnd): ProbeHit[] {
  if (end.exit?.code === 0) return [];
  const printed = new Printed(end.output);
  const told = open.filter((hit) => printed.tells(hit));
  const last = open.at(-1);
  // A plain program may fail without a word about why; a test runner always names what failed.
  const failed = told.length > 0 || end.isTest || end.exit === undefined || last === undefined ? told : [last];
  return onePerFailure(failed, end.output);
}

/** Of the failures that a runner lists, those that are not the one which was stopped at. */
export function otherFailures(listed: readonly string[], hits: readonly ProbeHit[]): string[] {
  const failure = hits.findLast(({ report }) => report.stop?.reason === 'exception');
  if (failure === undefined) return [];
  const message = bare(messageOf(failure));
  const isSeen = (line: string): boolean => {
    const said = bare((line.split(' - ')[1] ?? '').replace(/^[\w.]+: /, '')).slice(0, 40);
    return said !== '' && message.startsWith(said);
  };
  const seen = Math.max(listed.findIndex(isSeen), 0);
  return listed.filter((_, index) => index !== seen);
}

/** What a program printed, as evidence of which exceptions it took for failures. */
class Printed {
  readonly #output: string;
  readonly #bare: string;

  constructor(output: string) {
    this.#output = output;
    this.#bare = bare(output);
  }

  /** Both what was thrown and where. Of a group some runners print the members only; what is no error has no stack to print. */
  tells(hit: ProbeHit): boolean {
    const { related = [], isPlainValue = false } = hit.report.stop?.exception ?? {};
    const members = related.filter(({ relation }) => relation === 'member').map(({ message }) => message);
    const isNamed = [messageOf(hit), ...members].some((each) => this.#names(each));
    return isNamed && (isPlainValue || printedFrames(hit, this.#output) > 0);
  }

  #names(message: string): boolean {
    const whole = bare(message).slice(0, comparedChars);
    return this.#bare.includes(whole) || this.#bare.includes(bare(message.split('\n')[0] ?? '') || whole);
  }
}

const comparedChars = 400;

/** The message as it was made: what an answer shows of it is shortened. */
function messageOf({ report }: ProbeHit): string {
  const { message = '', stackText } = report.stop?.exception ?? {};
  const [made = ''] = stackText?.split(/^\s+at /m) ?? [];
  return stripVTControlCharacters(made === '' ? message : made.replace(/^[\w$.]+(?: \[\w+\])?: /, '')).trim();
}

/** Reporters indent, colour and quote, each in its way. */
function bare(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

/** The same thing thrown at the same place again: the one whose callers were printed, else the last. */
function onePerFailure(hits: readonly ProbeHit[], output: string): ProbeHit[] {
  const chosen = new Map<string, ProbeHit>();
  for (const hit of hits) {
    const { location, exception } = hit.report.stop ?? {};
    const key = `${location?.file ?? ''}:${location?.line ?? 0} ${exception?.message ?? ''}`;
    const before = chosen.get(key);
    if (before === undefined || printedFrames(hit, output) >= printedFrames(before, output)) {
      chosen.delete(key);
      chosen.set(key, hit);
    }
  }
  return [...chosen.values()];
}

/** Of the frames that a hit shows, those whose places were printed. */
function printedFrames({ report }: ProbeHit, output: string): number {
  const { frames = [], exception } = report.stop ?? {};
  const places = [...frames, ...(exception?.thrownAt === undefined ? [] : [exception.thrownAt])];
  return places.filter(({ file, line }) => file !== undefined && isPrinted(file, line ?? 0, output)).length;
}

/** `file:3` or `file:3:1`, not `file:31`; tracebacks write `file", line 3`. */
function isPrinted(file: string, line: number, output: string): boolean {
  const name = basename(file);
  return [`${name}:${line}`, `${name}", line ${line}`].some((place) => {
    for (let at = output.indexOf(place); at >= 0; at = output.indexOf(place, at + 1))
      if (!/\d/.test(output[at + place.length] ?? '')) return true;
    return false;
  });
}
