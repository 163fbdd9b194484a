import { displayPath } from '../../base/paths.ts';
import { type Acts, insideAct } from '../../engine/debugger/ask/acts.ts';
import type { Explanation } from '../../engine/debugger/ask/explain.ts';
import type { OriginStep } from '../../engine/debugger/ask/origin.ts';
import type { RecordedCall } from '../../engine/debugger/ask/recording.ts';
import type { Suspect, SuspectReason } from '../../engine/debugger/ask/suspects.ts';
import type { FirstShown } from '../../engine/debugger/ask/worded.ts';
import { changedText, outcome, signature } from './callText.ts';
import { byText } from './historyText.ts';
import { Identities } from './identities.ts';
import { clipValue } from './valueText.ts';
import { writeText } from './writeText.ts';

const valueChars = 80;
const maxSuspects = 4;

/** The way back, a line for each step. */
export function originLines(explanation: Explanation, root: string): string[] {
  const { wrong, origin, earlier, state, failure, firstShown, losers, suppliers, changers, acts, sound, decisions } =
    explanation;
  const place = (file: string, line: number) => `${displayPath(root, file)}:${line}`;
  const lines: string[] = [];
  if (wrong !== undefined && origin.length > 0 && wrong.value.text.length <= valueChars) {
    const name = wrong.name === undefined ? '' : `${wrong.name} = `;
    const expected = wrong.expected === undefined ? '' : `, expected ${clipValue(wrong.expected.text, valueChars)}`;
    lines.push(
      `  ${place(failure.call.fn.file, failure.line ?? failure.call.fn.line)} has ${name}${clipValue(wrong.value.text, valueChars)}${expected}`,
    );
  }
  // The callers of the first say where all of it happened.
  const news = origin.filter(isNews);
  const isFirst = firstShown?.isFirst === true;
  for (const [index, step] of (isFirst ? news.slice(0, 2) : news).entries())
    lines.push(`  ← ${stepText(step, place, index === 0 ? 3 : 0)}`);
  const identities = new Identities(earlier);
  for (const row of earlier) lines.push(`      before: ${writeText(row, identities, root)}`);
  const last = origin.at(-1)?.call;
  if (last !== undefined && !isFirst && last.children.length > 0 && origin.at(-1)?.kind === 'made')
    lines.push(...inside(last));
  for (const chain of state)
    lines.push(`      from ${chain.map((step, index) => stepText(step, place, index === 0 ? 2 : 0)).join(' ← ')}`);
  if (firstShown !== undefined && firstShown.call !== last) {
    lines.push(`  \`${clipValue(firstShown.fragment, 60)}\` first stands in ${firstPlace(firstShown, place)}`);
    for (const step of firstShown.origin.slice(1)) lines.push(`  ← ${stepText(step, place, 0)}`);
  }
  for (const { call, name } of suppliers.slice(0, 3)) lines.push(`  its ${name} is what ${callLine(call, place)} gave`);
  for (const { call, name, as } of changers)
    lines.push(
      `  its ${name} was changed by ${signature(call, 50)} at ${place(call.fn.file, call.fn.line)}: ${changedText(call, as, valueChars)}`,
    );
  lines.push(...actLines(acts, place));
  for (const { call, fragment } of losers)
    lines.push(`  \`${clipValue(fragment, 40)}\` went into ${callLine(call, place)}, and not out`);
  for (const call of decisions) lines.push(`  decided on the way: ${callLine(call, place)}`);
  if (sound !== undefined) lines.push(`  ended without an exception: ${callLine(sound, place)}`, ...inside(sound));
  const thrown = explanation.thrower ?? failure.call;
  if (origin.length === 0 && thrown !== failure.root) lines.push(...stackLines(thrown, failure.root, place));
  return [...new Set(lines)];
}

function firstPlace({ call, into, origin }: FirstShown, place: (file: string, line: number) => string): string {
  if (into === undefined) return `the result of ${callLine(call, place)}`;
  const caller = call.parent === undefined ? '' : ` ← ${call.parent.fn.name}`;
  return `what ${signature(call, 50)} gives to ${into} at ${place(call.fn.file, origin[0]?.line ?? call.fn.line)}${caller}`;
}

/** A line that assigns a new object to a name is one step, not two. */
function isNews({ kind, line, call }: OriginStep, index: number, steps: readonly OriginStep[]): boolean {
  const before = steps[index - 1];
  return kind !== 'assigned' || before?.kind !== 'assigned' || before.line !== line || before.call !== call;
}

function stepText(
  { kind, call, name, line, file, value, write }: OriginStep,
  place: (file: string, line: number) => string,
  callers = 3,
): string {
  const into = name === undefined ? '' : ` into ${name}`;
  switch (kind) {
    case 'returned':
      return call === undefined
        ? ''
        : `returned${into} by ${clipValue(signature(call, 50), 160)} at ${place(file, line)}`;
    case 'made':
      return call === undefined
        ? ''
        : `made by ${signature(call, valueChars)} ${outcome(call, valueChars)} at ${place(file, line)}`;
    case 'passed':
      return `passed as ${name ?? 'an argument'} to ${call?.fn.name ?? ''} at ${place(file, line)}`;
    case 'assigned':
      return `${name === undefined || /^[{[(]/.test(name) ? 'the new object' : name} ${write?.kind === 'delete' ? 'deleted' : `= ${clipValue(value.text, 50)}`} at ${place(file, line)}${byText(call, callers).replace(/^ /, ' in ')}`;
  }
}

/** What was done before the value was looked at, and what that had done. */
function actLines({ calls, isSameObject }: Acts, place: (file: string, line: number) => string): string[] {
  return calls.flatMap((call, index) => {
    const { parent, from } = call;
    const at = parent === undefined || from === undefined ? '' : ` at ${place(parent.fn.file, from)}`;
    const said = `  ${isSameObject ? 'on the same object' : 'the test called'} before: ${signature(call, 50)} ${outcome(call, 40)}${at}`;
    return [
      said,
      ...(index === 0 ? insideAct(call).map((each) => `      ${signature(each, 40)} ${outcome(each, 40)}`) : []),
    ];
  });
}

/** What the call that made the value was told by those it called. */
function inside(call: RecordedCall): string[] {
  const shown = call.children.slice(-4);
  const more = call.children.length - shown.length;
  return [
    ...(more > 0 ? [`      (${more} calls before)`] : []),
    ...shown.map((child) => `      :${child.from ?? 0} ${signature(child, 40)} ${outcome(child, 40)}`),
  ];
}

function callLine(call: RecordedCall, place: (file: string, line: number) => string): string {
  return `${signature(call, 60)} ${outcome(call, 60)} at ${place(call.fn.file, call.end?.line ?? call.fn.line)}`;
}

/** From the call that threw up to the test, with what each was given. */
function stackLines(
  thrower: RecordedCall,
  root: RecordedCall,
  place: (file: string, line: number) => string,
): string[] {
  const lines: string[] = [];
  for (
    let call: RecordedCall | undefined = thrower;
    call !== undefined && call !== root && lines.length < 6;
    call = call.parent
  )
    lines.push(
      `  ${lines.length === 0 ? 'thrown' : 'called'} in ${signature(call, valueChars)} at ${place(call.fn.file, call.end?.line ?? call.fn.line)}`,
    );
  return lines;
}

const reasonTexts: Record<SuspectReason, string> = {
  'made it': 'made the wrong value',
  'read it': 'gave it from what it holds',
  'wrote in act': 'wrote there',
  'assigned it': 'assigned the wrong value',
  'returned it': 'handed it on',
  'passed it': 'passed it on',
  threw: 'threw',
  'on the way': 'called what threw',
  checked: 'its result was checked',
  'wrote before': 'wrote it before',
  'inside check': 'ran inside what was checked',
  state: 'gave what it was worked out from',
  'deleted it': 'deleted it',
  'only here': 'no passing test of the file runs it',
  'lost it': 'was given what is missing, and did not give it on',
  'caused it': 'threw what caused it',
  'had it made': 'called who made it',
  'called thrower': 'called what threw',
  uneven: 'answered otherwise than it mostly does',
  direct: 'called by the test',
  'changed it': 'changed what it works on',
  act: 'ran before the value was read',
  'earlier act': 'ran before the value was read',
  decided: 'decided on the way',
  'did not raise': 'was to raise',
  'in act': 'ran in what was called before the value was read',
  'had it done': 'called who assigned it',
  supplied: 'gave what the maker was given',
  'kept it': 'gave back what it was given',
  odd: 'gave NaN or the like from sound arguments',
};

/** Where the recording has nothing: the functions of the project through which the exception went. */
export function stackSuspects(
  frames: readonly { name: string; file?: string; line?: number; isLibrary: boolean }[],
  root: string,
): string[] {
  return frames
    .filter(({ file, isLibrary }) => file !== undefined && !isLibrary)
    .slice(0, 3)
    .map(
      ({ name, file = '', line = 0 }, index) =>
        `  ${index + 1}. ${name}  ${displayPath(root, file)}:${line}: the exception went through it`,
    );
}

/** `told` are the lines before: a call that stands there is only named. */
export function suspectLines({ suspects }: Explanation, root: string, told: readonly string[]): string[] {
  const strong = suspects.filter(({ score }) => score >= 2);
  // Who only ran is named when nobody else is.
  return (strong.length === 0 ? suspects : strong)
    .slice(0, maxSuspects)
    .map((suspect, index) => suspectText(suspect, index, root, told));
}

function suspectText({ fn, reasons, call }: Suspect, index: number, root: string, lines: readonly string[]): string {
  // Who handed it on called who made it.
  const isClear = (reason: SuspectReason) =>
    reason !== 'direct' && (reason !== 'had it made' || !reasons.includes('returned it'));
  const told = reasons.length > 1 ? reasons.filter(isClear) : reasons;
  const why = told.map((reason) => reasonTexts[reason]).join(', ');
  const isTold = lines.some((line) => line.includes(signature(call, 50).slice(0, 60)));
  const said = isTold
    ? fn.name
    : `${clipValue(signature(call, 50), 120)} ${call.end?.threw === undefined ? outcome(call, 50) : ''}`.trim();
  return `  ${index + 1}. ${said}  ${displayPath(root, fn.file)}:${fn.line}${why === '' ? '' : `: ${why}`}`;
}
