import {
  Advice,
  argNames,
  argsText,
  partText,
  type AdvicePart,
  type Hint,
  type Step,
  wireName,
} from '../base/text/advice.ts';
import { builtinNames } from './clientQuirks.ts';
import type { CallingClient } from './defineTool.ts';
import { allTools, toolsOfFace } from './registry.ts';

/**
 * Steps are named in the words of the `debugger` face. Faces that list the plain-text tools instead have their own words for it, and
 * a model can only call what it was shown.
 */
const plainNames: Readonly<Record<string, string>> = {
  start_debug_session: 'debug_launch',
  get_debug_session_status: 'debug_continue',
  pause_execution: 'debug_stop',
  stop_debug_session: 'debug_stop',
  get_stack_trace: 'debug_stack',
  list_threads: 'debug_stack',
  get_variables: 'debug_variables',
  expand_variable: 'debug_variables',
  evaluate_expression: 'debug_evaluate',
  set_breakpoint: 'debug_breakpoint',
};

type Reader = Pick<CallingClient, 'face' | 'enabledToolsets'>;

/** A hint as this client can follow it: each tool by a name that it sees, or through `sightline_tools`; otherwise its sentence is left out. */
export function hintOn(client: Reader, hint: Hint): string | undefined {
  if (!(hint instanceof Advice)) return hint;
  const listed = new Set(toolsOfFace(client.face, client.enabledToolsets).map((tool) => tool.name));
  const sentences = sentencesOf(hint.parts).flatMap((parts) => {
    const said = parts.map((part) => (isStep(part) ? stepText(part, listed) : partText(part)));
    return said.includes(undefined) ? [] : [said.join('')];
  });
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

/** What stands between full stops; a sentence begins with a capital, not with a step. */
function sentencesOf(parts: readonly AdvicePart[]): AdvicePart[][] {
  const sentences: AdvicePart[][] = [[]];
  for (const part of parts) {
    if (typeof part !== 'string') {
      sentences.at(-1)?.push(part);
      continue;
    }
    const [first = '', ...rest] = part.split(/(?<=[.!?])\s+(?=[A-Z`"])/);
    sentences.at(-1)?.push(first);
    for (const text of rest) sentences.push([text]);
  }
  return sentences;
}

function isStep(part: AdvicePart): part is Step {
  return typeof part === 'object' && 'tool' in part;
}

function stepText({ tool, args }: Step, listed: ReadonlySet<string>): string | undefined {
  const name = wireName(tool);
  const rest = argsText(args);
  if (listed.has(name)) return builtinNames.has(name) ? `Sightline's ${name}${rest}` : `${name}${rest}`;
  const plain = plainNames[name];
  if (plain !== undefined && listed.has(plain)) return takes(plain, argNames(args)) ? `${plain}${rest}` : plain;
  if (!listed.has('sightline_tools')) return undefined;
  return `sightline_tools {"call": "${name}"${args === undefined ? '' : `, "arguments":${rest}`}}`;
}

/** Whether a tool has every parameter that is named. */
function takes(name: string, parameters: readonly string[]): boolean {
  const properties = allTools.find((tool) => tool.name === name)?.inputSchema.properties ?? {};
  return parameters.every((parameter) => parameter in properties);
}
