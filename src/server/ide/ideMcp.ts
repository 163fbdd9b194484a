import { errorMessage } from '../../base/errors.ts';
import type { AsyncDisposer } from '../../base/disposable.ts';
import { pathToUri } from '../../base/paths.ts';
import type { Problem } from './ideActions.ts';

/** As command lines show it. */
export const ideName = 'Sightline';

/** What a person chose to ask about. */
export interface Selection {
  path: string;
  /** 1-based. */
  fromLine: number;
  toLine: number;
  text: string;
}

/** One protocol in which Sightline is the IDE of a project. */
export interface IdeServer extends AsyncDisposer {
  /** How many command lines are connected. */
  readonly connections: number;
  /** The command line takes it into its next prompt. */
  select(selection: Selection, isMentioned: boolean): void;
}

export interface TextPart {
  type: 'text';
  text: string;
}

/** What an IDE offers: tools, and who answers them. */
export interface IdeSurface {
  protocolVersion: string;
  serverName: string;
  tools: readonly unknown[];
  /** Everything that a command line sends, before it is answered. */
  heard(message: Record<string, unknown>): void;
  call(name: string, args: Record<string, unknown>, signal: AbortSignal): Promise<TextPart[]>;
}

/** The little of MCP that command lines speak with their IDE. Undefined for what needs no answer. */
export async function answerMcp(message: unknown, surface: IdeSurface, signal: AbortSignal): Promise<unknown> {
  const { id, method, params } = record(message);
  surface.heard(record(message));
  if (id === undefined || typeof method !== 'string') return undefined;
  const { name, arguments: args } = record(params);
  switch (method) {
    case 'initialize':
      return result(id, {
        protocolVersion: surface.protocolVersion,
        capabilities: { tools: { listChanged: false } },
        serverInfo: { name: surface.serverName, version: '1.0.0' },
      });
    case 'ping':
      return result(id, {});
    case 'tools/list':
      return result(id, { tools: surface.tools });
    case 'prompts/list':
      return result(id, { prompts: [] });
    case 'resources/list':
      return result(id, { resources: [] });
    case 'tools/call':
      try {
        return result(id, { content: await surface.call(String(name), record(args), signal) });
      } catch (error) {
        return result(id, { isError: true, content: [{ type: 'text', text: errorMessage(error) }] });
      }
    default:
      return { jsonrpc: '2.0', id, error: { code: -32601, message: `There is no method ${method}.` } };
  }
}

/** Problems by file, with positions from 0, as editors have them. */
export function groupedProblems(problems: readonly Problem[], severity: (name: string) => string): unknown[] {
  const byFile = new Map<string, Problem[]>();
  for (const problem of problems) byFile.set(problem.path, [...(byFile.get(problem.path) ?? []), problem]);
  return [...byFile].map(([path, found]) => ({
    uri: pathToUri(path),
    filePath: path,
    diagnostics: found.map((each) => ({
      message: each.message,
      severity: severity(each.severity),
      range: {
        start: { line: each.line - 1, character: each.column - 1 },
        end: { line: (each.endLine ?? each.line) - 1, character: (each.endColumn ?? each.column) - 1 },
      },
      ...(each.source === undefined ? {} : { source: each.source }),
    })),
  }));
}

/** A selection as editors tell it. */
export function selectionParams({ path, fromLine, toLine, text }: Selection): Record<string, unknown> {
  const selection = {
    start: { line: fromLine - 1, character: 0 },
    // At the end of the last line: an end at its beginning leaves it out.
    end: { line: toLine - 1, character: text.length - (text.lastIndexOf('\n') + 1) },
    isEmpty: text === '',
  };
  return { text, filePath: path, fileUrl: pathToUri(path), selection };
}

export function words(value: unknown): TextPart[] {
  return [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }];
}

export function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

export function objectSchema(properties: Record<string, unknown>, required: readonly string[] = []): unknown {
  return { type: 'object', properties, required };
}

function result(id: unknown, value: unknown): unknown {
  return { jsonrpc: '2.0', id, result: value };
}
