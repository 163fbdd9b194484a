import { readFileSync } from 'node:fs';
import type { FaceName } from '../../tools/faces.ts';
import { isRecord } from '../../base/text/records.ts';

/**
 * Answers that depend on nothing but the build: recorded from the real server when Sightline is built, one file per face, so that
 * an agent sees its tools before any of that server is loaded. What was not recorded is left to the shared process.
 */
export interface PreparedAnswers {
  /** The 2025 revisions. The version the client asked for is filled in. */
  legacy: {
    versions: string[];
    initialize: Record<string, unknown>;
    toolsList: Record<string, unknown>;
    lists: PreparedLists;
  };
  /** The 2026-07-28 revision, which has no handshake. */
  modern: {
    versions: string[];
    discover: Record<string, unknown>;
    toolsList: Record<string, unknown>;
    lists: PreparedLists;
  };
}

/** What clients ask for besides their tools as soon as they are connected. It is the same for every project. */
export const preparedLists = ['prompts/list', 'resources/list', 'resources/templates/list'] as const;
export type PreparedLists = Record<string, Record<string, unknown>>;

export function answersFile(face: FaceName): string {
  return `answers/${face}.json`;
}

export function readPreparedAnswers(face: FaceName): PreparedAnswers {
  // Written by our own build next to the bundle that this is part of.
  return JSON.parse(readFileSync(new URL(`./${answersFile(face)}`, import.meta.url), 'utf8')) as PreparedAnswers;
}

export interface ClientMessage {
  id?: string | number;
  method?: string;
  params?: Record<string, unknown>;
}

const versionKey = 'io.modelcontextprotocol/protocolVersion';
const clientInfoKey = 'io.modelcontextprotocol/clientInfo';
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities';

/** The answer to a request that needs no process, or undefined when only the process can tell. */
export function preparedAnswer(
  answers: PreparedAnswers,
  message: ClientMessage,
  toolListIsPrepared: boolean,
): Record<string, unknown> | undefined {
  const { method, params = {} } = message;
  const claimed = claimedVersion(params);
  if (claimed !== undefined) {
    if (!answers.modern.versions.includes(claimed.version) || !claimed.isComplete) return undefined;
    if (method === 'server/discover') return answers.modern.discover;
    return preparedList(answers.modern, message, toolListIsPrepared);
  }
  if (method === 'initialize') return initialize(answers, params);
  if (method === 'ping') return {};
  return preparedList(answers.legacy, message, toolListIsPrepared);
}

function preparedList(
  { toolsList, lists }: { toolsList: Record<string, unknown>; lists: PreparedLists },
  { method = '', params = {} }: ClientMessage,
  toolListIsPrepared: boolean,
): Record<string, unknown> | undefined {
  if (params['cursor'] !== undefined) return undefined;
  if (method === 'tools/list') return toolListIsPrepared ? toolsList : undefined;
  return Object.hasOwn(lists, method) ? lists[method] : undefined;
}

function initialize(answers: PreparedAnswers, params: Record<string, unknown>): Record<string, unknown> | undefined {
  const { versions } = answers.legacy;
  const { protocolVersion: asked, clientInfo, capabilities } = params;
  if (typeof asked !== 'string' || !isRecord(clientInfo) || !isRecord(capabilities)) return undefined;
  if (typeof clientInfo['name'] !== 'string' || typeof clientInfo['version'] !== 'string') return undefined;
  return { ...answers.legacy.initialize, protocolVersion: versions.includes(asked) ? asked : versions[0] };
}

function claimedVersion(params: Record<string, unknown>): { version: string; isComplete: boolean } | undefined {
  const meta = params['_meta'];
  const version = isRecord(meta) ? meta[versionKey] : undefined;
  if (!isRecord(meta) || version === undefined) return undefined;
  return {
    version: typeof version === 'string' ? version : '',
    isComplete: isRecord(meta[clientInfoKey]) && isRecord(meta[capabilitiesKey]),
  };
}
