import { z } from 'zod';
import type { Hint } from '../base/text/advice.ts';
import type { TextBudget } from '../base/text/textBudget.ts';
import type { Project } from '../engine/workspace/project.ts';
import type { Engines } from './engines.ts';
import type { FaceName, OutputForm, ToolsetName } from './faces.ts';
import type { Precondition } from './preconditions.ts';
import { isRecord } from '../base/text/records.ts';

/** What a call may do to the world. Drives MCP annotations and the approval policy. */
const effects = ['read', 'edit', 'execute', 'destructive'] as const;
export type Effect = (typeof effects)[number];

/**
 * How a path parameter is resolved before the tool sees it; it arrives absolute, canonical and confined.
 * `file`, `directory`, `existing`: must exist in the project. `new`: may not exist yet. `readable`: also outside the project when it
 * is a library, and members of archives (`lib.jar!/a/B.java`). `searchable`: a file or folder, of the project or a library. `entry`: a
 * name in the project's tree that may be gone; a link is meant itself, not what it leads to. `test`: a file or folder, with `::name` or
 * `:line` after it, which stay.
 */
export type PathKind = 'file' | 'directory' | 'existing' | 'new' | 'readable' | 'searchable' | 'entry' | 'test';

/** What clients decide by whether to ask their person. Each must be true. */
export interface ToolAnnotations {
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  openWorldHint?: boolean;
}

/** One call, as the tool sees it. */
export interface ToolCall {
  readonly id: string;
  readonly client: CallingClient;
  /** The project of the call. Asking for it in a tool with `scope: 'none'` is a bug. */
  readonly project: Project;
  readonly signal: AbortSignal;
  readonly budget: TextBudget;
  /** What a person agrees to, by an answer or by the policy, of changes to what other programs execute later. */
  readonly agreedTo: string | undefined;
  /** Milliseconds the client will still wait, at most. Waiting tools cap their `wait_ms` by it. */
  readonly patienceMs: number;
  progress(message: string, fraction?: number): void;
  /** Something the reader should know besides the data; shown first. */
  note(text: string): void;
  /** Words that name tools of the `debugger` face, with the names that this client sees; undefined when it sees none of them. */
  hint(hint: Hint): string | undefined;
  /** Files this call changed, for the command history. */
  affects(...paths: string[]): void;
  /** Whether another call makes this one. */
  readonly isPart: boolean;
  /** Makes a call of another tool, with its own rules, questions and place in the history. What fails is an answer too. */
  part(tool: string, args: unknown, limits: PartLimits): Promise<PartAnswer>;
}

/** What a call leaves to one that it makes of its own room and time. */
export interface PartLimits {
  maxChars: number;
  patienceMs: number;
}

/** What a call that is a part of another answers. */
export interface PartAnswer {
  callId?: string;
  /** As the client is shown it, made to fit. */
  data?: Record<string, unknown>;
  /** The same before it was made to fit. */
  whole?: Record<string, unknown>;
  text: string;
  error?: { code: string; message: string; hint?: string; data?: Record<string, unknown> };
}

/** The part of a connected client that tools may know and change. */
export interface CallingClient {
  readonly id: string;
  readonly name: string;
  readonly face: FaceName;
  /** The form in which its answers are read. */
  readonly output: OutputForm;
  /** A person is at the other end, not an agent. */
  readonly isPerson: boolean;
  readonly enabledToolsets: ReadonlySet<ToolsetName>;
  /** Resolves to whether the client has asked for its new list of tools, which it is given a moment for. */
  enableToolsets(names: readonly ToolsetName[], signal: AbortSignal): Promise<boolean>;
}

interface ToolDeclaration<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> {
  name: string;
  title: string;
  /** The documentation: what the tool is for and what comes back, for a model that has never seen it. Generated docs quote it. */
  description: string;
  /** Faces that list it. Calling works on every face. */
  faces: readonly FaceName[];
  toolset: ToolsetName;
  effect: Effect;
  /** When the effect depends on the arguments (deleting a branch); `effect` is then the usual one. */
  effectOf?: (args: z.output<Input>, project: Project | undefined) => Effect;
  /**
   * What a person who used it did, as the agents that share the project are told: `stepped over to cart.js:14`. Empty when that is
   * nobody else's affair. Without this, tools that only look are not spoken of and others are named.
   */
  deed?: (args: z.output<Input>, data: z.output<Output>, root: string) => string;
  /** Only where the effect does not say it: a tool that stands for others. */
  annotations?: ToolAnnotations;
  /** Among the three or four that are worth being there from the start in clients that load tools when needed. */
  alwaysLoad?: true;
  /** The call of another tool that these arguments stand for. It is made in place of this one, under its own rules. */
  forward?: (args: z.output<Input>) => { tool: string; args: unknown } | undefined;
  /** `none` for tools that need no project. */
  scope?: 'project' | 'none';
  requires?: readonly Precondition[];
  /** Parameters that are paths: `file_path`, or `breakpoints[].file` inside lists. */
  paths?: Readonly<Record<string, PathKind>>;
  /** Parameters that are taken and documented, but seldom needed: lists of tools leave them out. */
  rare?: readonly string[];
  /** How long its answers may be, where that is more than usual: a caller who asks for a text wants that text. */
  maxChars?: number;
  input: Input;
  output: Output;
  run: (engines: Engines, args: z.output<Input>, call: ToolCall) => Promise<z.input<Output>>;
  /**
   * Pure: the compact text a model reads. Shortening is the runner's work: it renders smaller data until it fits. Paths below
   * `root`, the project's, are shown relative to it.
   */
  render?: (data: z.output<Output>, budget: TextBudget, root: string) => string;
}

/** A declared tool with its schemas converted once. `run` and `render` take what the declaration's own schemas have parsed. */
export interface Tool extends Omit<ToolDeclaration, 'run' | 'render' | 'effectOf' | 'forward' | 'deed'> {
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  run(engines: Engines, args: Record<string, unknown>, call: ToolCall): Promise<Record<string, unknown>>;
  render?(data: Record<string, unknown>, budget: TextBudget, root: string): string;
  deed?(args: Record<string, unknown>, data: Record<string, unknown>, root: string): string;
  effectOf?(args: Record<string, unknown>, project: Project | undefined): Effect;
  forward?(args: Record<string, unknown>): { tool: string; args: unknown } | undefined;
}

export interface JsonSchema {
  type?: string | string[];
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  additionalProperties?: boolean | JsonSchema;
  [keyword: string]: unknown;
}

export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  declaration: ToolDeclaration<Input, Output>,
): Tool {
  let inputSchema: JsonSchema | undefined;
  let outputSchema: JsonSchema | undefined;
  const erased: unknown = {
    ...declaration,
    // Converting costs; a process that never lists or calls a tool never pays for it.
    get inputSchema() {
      return (inputSchema ??= toJsonSchema(declaration.input, 'input'));
    },
    get outputSchema() {
      return (outputSchema ??= toJsonSchema(declaration.output, 'output'));
    },
  };
  // The runner parses with exactly these schemas before it calls `run` and `render`, so the erased types hold.
  return erased as Tool;
}

function toJsonSchema(schema: z.ZodObject, io: 'input' | 'output'): JsonSchema {
  const converted = z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' }) as JsonSchema;
  return tidy(converted);
}

/** Leaves out what costs tokens and tells nothing: dialect, closed-object marks, the bounds zod adds to every integer. */
function tidy(schema: JsonSchema): JsonSchema {
  const result: JsonSchema = {};
  for (const [keyword, value] of Object.entries(schema)) {
    // Keys of an object are always strings.
    if (keyword === 'propertyNames') continue;
    if (keyword === '$schema' || (keyword === 'additionalProperties' && value === false)) continue;
    if (
      (keyword === 'minimum' && value === Number.MIN_SAFE_INTEGER) ||
      (keyword === 'maximum' && value === Number.MAX_SAFE_INTEGER)
    )
      continue;
    result[keyword] = tidyValue(keyword, value);
  }
  return result;
}

function tidyValue(keyword: string, value: unknown): unknown {
  if (keyword === 'properties' && isRecord(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, schema]) => [name, isRecord(schema) ? tidy(schema) : schema]),
    );
  }
  if (keyword === 'default' || keyword === 'enum' || keyword === 'required') return value;
  if (Array.isArray(value)) return value.map((item) => (isRecord(item) ? tidy(item) : item));
  return isRecord(value) ? tidy(value) : value;
}
