import { existsSync, realpathSync } from 'node:fs';
import { extname, join } from 'node:path';
import { ToolError, errorMessage } from '../../base/errors.ts';
import { contentHash } from '../../base/ids.ts';
import { isInside } from '../../base/paths.ts';
import { ManagedProcess, childEnvironment } from '../../base/processes.ts';
import { unifiedDiff } from '../workspace/edits/text/unifiedDiff.ts';
import { agentClients } from './clients.ts';
import { readConfig, removeConfig, writeConfig } from './configFile.ts';
import { missingPart, programPath, reachOf, wantedEntry } from './entry.ts';
import { shakeHands } from './handshake.ts';
import type {
  AgentClient,
  AgentState,
  InstallPlace,
  InstallPlan,
  InstallRequest,
  InstallResult,
  Scope,
} from './model.ts';
import { dropReceipt, readReceipt, writeReceipt, type Receipt } from './receipts.ts';
import { entryIn, hasSameOthers, isLonger, withEntry, withoutEntry, type ConfigFormat } from './text/configText.ts';
import { UnreadableConfig, jsonValue } from './text/jsonText.ts';

/** Every agent that Sightline can be put into, with its state. */
export function listAgents(place: InstallPlace, scope: Scope = 'user', http?: InstallRequest['http']): AgentState[] {
  return agentClients(place.home, place.env, place.platform).flatMap((client) => {
    const file = fileOf(client, scope, place);
    return file === undefined ? [] : [stateOf(client, scope, file, place, http)];
  });
}

/** What an installation or removal would change. Nothing is written. */
export function planInstall(request: InstallRequest, place: InstallPlace): InstallPlan {
  const client = clientOf(request.id, place);
  const file = fileOf(client, request.scope, place);
  if (file === undefined)
    throw new ToolError('unsupported', `${client.title} has no configuration for a single ${request.scope}.`);
  checkInside(file, request.scope, place);
  const format = formatOf(client, file);
  const before = readConfig(file);
  const after = understood(client, file, () =>
    request.action === 'install'
      ? withEntry(before ?? '', format, entryFor(client, request, place))
      : removed(before, format, file, place),
  );
  const own = request.action === 'install' ? ownCommand(client, request, before, format, place) : undefined;
  const shown = unifiedDiff(file.replace(/^\//, ''), before, after);
  return {
    ...request,
    title: client.title,
    file,
    before,
    after,
    diff: masked(shown, request.http),
    fingerprint: contentHash(JSON.stringify([request, file, before, after])),
    ...(own === undefined ? {} : { own }),
  };
}

/** Makes exactly the planned change, provided the file is as it was, and tries the new entry. */
export async function applyPlan(plan: InstallPlan, place: InstallPlace): Promise<InstallResult> {
  const now = planInstall(requestOf(plan), place);
  if (now.fingerprint !== plan.fingerprint)
    throw new ToolError(
      'file_changed',
      `${plan.file} was changed since the difference was shown; nothing was written.`,
    );
  const client = clientOf(plan.id, place);
  if (plan.action === 'remove') return applyRemoval(plan, place);
  const result: InstallResult = { file: plan.file, isChanged: plan.before !== plan.after };
  if (result.isChanged) Object.assign(result, await write(plan, client, place));
  const entry = entryIn(readConfig(plan.file) ?? '', formatOf(client, plan.file));
  const reach = entry === undefined ? undefined : reachOf(entry);
  result.handshake =
    reach === undefined
      ? { works: false, problem: 'the entry names neither a command nor an address' }
      : await shakeHands(reach, place.env);
  return result;
}

function applyRemoval({ file, before, after }: InstallPlan, place: InstallPlace): InstallResult {
  if (before === after) return { file, isChanged: false };
  if (after === null) removeConfig(file, readReceipt(place.receipts, file)?.folders ?? []);
  else writeConfig(file, after);
  dropReceipt(place.receipts, file);
  return { file, isChanged: true };
}

/** By the agent's own command where there is one; else, or when that comes to nothing, in the file. */
async function write(
  plan: InstallPlan,
  client: AgentClient,
  place: InstallPlace,
): Promise<Pick<InstallResult, 'backup' | 'ownCommandFailed'>> {
  const { file, before, after } = plan;
  const format = formatOf(client, file);
  const known = readReceipt(place.receipts, file);
  const isKnown = known !== undefined && before !== null && known.leftHash === contentHash(before);
  const original = isKnown ? known.original : before === null ? null : withoutEntry(before, format);
  const failure = plan.own === undefined ? undefined : await runOwn(plan.own, plan, format, place);
  const isDone = plan.own !== undefined && failure === undefined;
  const folders = isDone ? [] : writeConfig(file, after ?? '');
  const left = readConfig(file) ?? '';
  // What the agent's command wrote beside our entry is the agent's; giving back the original would lose it.
  const isOursAlone = !isDone || hasSameOthers(before ?? '', left, format);
  const receipt: Receipt = {
    original,
    leftHash: isOursAlone ? contentHash(left) : '',
    folders: isKnown ? known.folders : folders,
  };
  const backup = writeReceipt(place.receipts, file, receipt);
  return {
    ...(backup === undefined ? {} : { backup }),
    ...(failure === undefined ? {} : { ownCommandFailed: failure }),
  };
}

/** Why the agent's own command did not do it; undefined when the entry is there. */
async function runOwn(
  [program = '', ...args]: readonly string[],
  plan: InstallPlan,
  format: ConfigFormat,
  place: InstallPlace,
): Promise<string | undefined> {
  try {
    const child = await ManagedProcess.start({
      command: program,
      args,
      cwd: place.home,
      env: childEnvironment(place.env, { HOME: place.home }),
      name: program,
    });
    child.stdin.end();
    child.stdout.resume();
    const timer = setTimeout(() => void child.kill(), 30_000);
    const { code } = await child.exited;
    clearTimeout(timer);
    if (code !== 0) return `${program} ended with code ${code}: ${child.stderrTail.trim().slice(-200)}`;
  } catch (error) {
    return errorMessage(error);
  }
  const now = entryIn(readConfig(plan.file) ?? '', format);
  const wanted = entryIn(plan.after ?? '', format);
  const isThere =
    now !== undefined && wanted !== undefined && JSON.stringify(reachOf(now)) === JSON.stringify(reachOf(wanted));
  return isThere ? undefined : `${program} ended well, but the entry is not in ${plan.file}`;
}

function stateOf(
  client: AgentClient,
  scope: Scope,
  file: string,
  place: InstallPlace,
  http: InstallRequest['http'],
): AgentState {
  const isFound = client.signs.some((sign) => existsSync(sign));
  const state = { id: client.id, title: client.title, isFound, scope, file };
  try {
    const entry = entryIn(readConfig(file) ?? '', formatOf(client, file));
    if (entry === undefined) return { ...state, state: 'not installed' };
    const reach = reachOf(entry);
    if (reach === undefined)
      return { ...state, state: 'broken', why: 'the entry names neither a command nor an address' };
    const transport = reach.kind;
    if (reach.kind === 'http')
      return http === undefined || http.url === reach.server.url
        ? { ...state, state: 'installed', transport }
        : { ...state, state: 'outdated', transport, why: `it leads to ${reach.server.url}` };
    const wanted = reachOf(wantedEntry(client, place, undefined) ?? {});
    if (wanted?.kind === 'stdio' && isLonger(reach.words, wanted.words))
      return { ...state, state: 'installed', transport };
    const missing = missingPart(reach.words, place);
    return missing === undefined
      ? { ...state, state: 'outdated', transport, why: `it starts ${reach.words.join(' ')}` }
      : { ...state, state: 'broken', transport, why: missing };
  } catch (error) {
    return { ...state, state: 'broken', why: errorMessage(error) };
  }
}

/** The original where we know it and nobody has changed the file since; else the file as it stands, without our entry. */
function removed(before: string | null, format: ConfigFormat, file: string, place: InstallPlace): string | null {
  if (before === null || entryIn(before, format) === undefined) return before;
  const receipt = readReceipt(place.receipts, file);
  if (receipt?.leftHash === contentHash(before)) return receipt.original;
  const after = withoutEntry(before, format, receipt === undefined || hasParent(receipt.original, format));
  const isNothing = format.isToml ? after.trim() === '' : Object.keys(Object(jsonValue(after, []))).length === 0;
  return receipt?.original === null && isNothing ? null : after;
}

function hasParent(original: string | null, { isToml, path }: ConfigFormat): boolean {
  if (original === null || original.trim() === '') return false;
  return isToml || jsonValue(original, path.slice(0, -1)) !== undefined;
}

function ownCommand(
  client: AgentClient,
  request: InstallRequest,
  before: string | null,
  format: ConfigFormat,
  place: InstallPlace,
): string[] | undefined {
  // A token has no place among the arguments of a process.
  if (client.own === undefined || request.http !== undefined || request.scope !== 'user') return undefined;
  if (entryIn(before ?? '', format) !== undefined) return undefined;
  const program = programPath(client.own.program, place);
  return program === undefined ? undefined : [program, ...client.own.add(entryFor(client, request, place))];
}

function entryFor(client: AgentClient, request: InstallRequest, place: InstallPlace): Record<string, unknown> {
  const entry = wantedEntry(client, place, request.http);
  if (entry === undefined)
    throw new ToolError('unsupported', `${client.title} only starts servers itself; leave out --http.`);
  return entry;
}

export function clientOf(id: string, place: InstallPlace): AgentClient {
  const all = agentClients(place.home, place.env, place.platform);
  const client = all.find((candidate) => candidate.id === id);
  if (client === undefined)
    throw new ToolError(
      'invalid_arguments',
      `There is no agent "${id}"; there are ${all.map((each) => each.id).join(', ')}.`,
    );
  return client;
}

function fileOf(client: AgentClient, scope: Scope, place: InstallPlace): string | undefined {
  if (scope === 'user') return client.files.user;
  return client.files.project === undefined ? undefined : join(place.project, client.files.project);
}

/** A repository may hold a link in place of the file. */
function checkInside(file: string, scope: Scope, place: InstallPlace): void {
  if (scope === 'user' || !existsSync(file)) return;
  if (!isInside(realpathSync(place.project), realpathSync(file)))
    throw new ToolError(
      'path_outside_project',
      `${file} is a link that leads out of the project; nothing was changed.`,
    );
}

function formatOf(client: AgentClient, file: string): ConfigFormat {
  return { isToml: extname(file) === '.toml', path: client.path };
}

function understood<T>(client: AgentClient, file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof UnreadableConfig)) throw error;
    throw new ToolError('edit_conflict', `${client.title}: ${file} was left alone: ${error.message}.`);
  }
}

function masked(diff: string, http: InstallRequest['http']): string {
  return Object.values(http?.headers ?? {}).reduce((text, value) => text.replaceAll(value, '***'), diff);
}

function requestOf({ id, action, scope, http }: InstallPlan): InstallRequest {
  return { id, action, scope, ...(http === undefined ? {} : { http }) };
}
