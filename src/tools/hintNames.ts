import { builtinNames } from './clientQuirks.ts';
import type { CallingClient } from './defineTool.ts';
import { allTools, toolsOfFace } from './registry.ts';

/**
 * Engines name the next call in the words of the `debugger` face. Faces that list the plain-text tools instead have their own
 * words for it, and a model can only call what it was shown.
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

/** A tool's name, with the arguments that may follow it. */
const mention = /\b([a-z]+(?:_[a-z]+)+)\b(\s*\{[^{}]*\})?/g;

/** A hint as this client can follow it: each tool by a name that it sees, or through `sightline_tools`; otherwise it is left out. */
export function hintOn(client: Pick<CallingClient, 'face' | 'enabledToolsets'>, hint: string): string | undefined {
  const listed = new Set(toolsOfFace(client.face, client.enabledToolsets).map((tool) => tool.name));
  const sentences = hint.split(/(?<=[.!?])\s+(?=[A-Z`"])/).flatMap((sentence) => {
    let canFollow = true;
    const said = sentence.replaceAll(mention, (whole, name: string, args: string | undefined) => {
      const seen = nameFor(name, args, listed);
      canFollow &&= seen !== undefined;
      return seen ?? whole;
    });
    return canFollow ? [said] : [];
  });
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

function nameFor(name: string, args: string | undefined, listed: ReadonlySet<string>): string | undefined {
  const rest = args ?? '';
  if (!toolNames().has(name)) return `${name}${rest}`;
  if (listed.has(name)) return builtinNames.has(name) ? `Sightline's ${name}${rest}` : `${name}${rest}`;
  const plain = plainNames[name];
  if (plain !== undefined && listed.has(plain)) return takes(plain, rest) ? `${plain}${rest}` : plain;
  if (!listed.has('sightline_tools')) return undefined;
  return `sightline_tools {"call": "${name}"${args === undefined ? '' : `, "arguments": ${args.trim()}`}}`;
}

/** Whether a tool has every parameter that is named. */
function takes(name: string, args: string): boolean {
  const properties = allTools.find((tool) => tool.name === name)?.inputSchema.properties ?? {};
  return (args.match(/[a-z_]+(?=["\s]*[:,}])/g) ?? []).every((parameter) => parameter in properties);
}

let knownNames: ReadonlySet<string> | undefined;

function toolNames(): ReadonlySet<string> {
  return (knownNames ??= new Set(allTools.map((tool) => tool.name)));
}
