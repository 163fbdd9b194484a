/**
 * What a caller can do next, as data: `{tool, args}` between words. Which name a tool has for the one who asked, whether it can be
 * called at all, and how parameters are spelt is decided where answers are written.
 */
export interface Step {
  /** As code names it: `listBreakpoints`. */
  readonly tool: string;
  /** Arguments with their values, or only the names of those to think of. */
  readonly args?: Readonly<Record<string, unknown>> | readonly string[];
}

/** A parameter that words speak of. */
interface Parameter {
  readonly parameter: string;
  readonly value?: unknown;
}

export type AdvicePart = string | Step | Parameter;

/** Advice, or words that name no tool. */
export type Hint = string | Advice;

export class Advice {
  readonly parts: readonly AdvicePart[];

  constructor(parts: readonly AdvicePart[]) {
    this.parts = parts;
  }

  /** For logs and people: every step by its own name. */
  toString(): string {
    return this.parts.map((part) => partText(part)).join('');
  }

  toJSON(): string {
    return this.toString();
  }
}

/** `advise`${step('listBreakpoints')} shows the ids.`` */
export function advise(
  texts: TemplateStringsArray,
  ...values: readonly (AdvicePart | Advice | number | undefined)[]
): Advice {
  const parts = texts.flatMap((text, index): AdvicePart[] => {
    const value = values[index];
    if (value instanceof Advice) return [text, ...value.parts];
    if (value === undefined) return [text];
    return [text, typeof value === 'object' ? value : String(value)];
  });
  return new Advice(parts.filter((part) => part !== ''));
}

export function step(tool: string, args?: Step['args']): Step {
  return args === undefined ? { tool } : { tool, args };
}

export function parameter(name: string, value?: unknown): Parameter {
  return value === undefined ? { parameter: name } : { parameter: name, value };
}

export function partText(part: AdvicePart): string {
  if (typeof part === 'string') return part;
  if ('parameter' in part) {
    const name = wireName(part.parameter);
    return part.value === undefined ? name : `${name}: ${JSON.stringify(part.value)}`;
  }
  return `${wireName(part.tool)}${argsText(part.args)}`;
}

/** ` {"job_id": "job_1"}`, ` {wait_ms}`; nothing when there are none. */
export function argsText(args: Step['args']): string {
  if (args === undefined) return '';
  if (isNames(args)) return ` {${args.map(wireName).join(', ')}}`;
  const pairs = Object.entries(args).map(([name, value]) => `"${wireName(name)}": ${JSON.stringify(value)}`);
  return ` {${pairs.join(', ')}}`;
}

export function argNames(args: Step['args']): string[] {
  if (args === undefined) return [];
  return (isNames(args) ? [...args] : Object.keys(args)).map(wireName);
}

function isNames(args: NonNullable<Step['args']>): args is readonly string[] {
  return Array.isArray(args);
}

/** `listBreakpoints` as tools and parameters are spelt: `list_breakpoints`. */
export function wireName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
