import {
  faceNames,
  outputForms,
  toolsetNames,
  type FaceName,
  type OutputForm,
  type ToolsetName,
} from '../../tools/faces.ts';

/** The first line on a connection to the shared process: who calls, with which right, for what. */
export interface Hello {
  sightline: typeof helloVersion;
  token: string;
  /** `mcp`: JSON-RPC lines of one MCP client follow. `control`: requests of the command line. `editor`: what an editor shows. */
  kind: 'mcp' | 'control' | 'editor';
  version: string;
  face: FaceName;
  toolsets: readonly ToolsetName[];
  output?: OutputForm;
  cwd: string;
  /** A person chose `cwd` for this client, whatever it says of its folders. */
  isProjectGiven?: boolean;
  env: NodeJS.ProcessEnv;
  pid: number;
  /** The shim had a connection before, which was not ended by its client. */
  lost?: LostConnection;
}

/** The process at the other end of a connection that broke: killed, crashed, or still the same one. */
export interface LostConnection {
  pid: number;
}

/** The answer to it, one line. */
export type Welcome = { welcome: { version: string; build: string; pid: number } } | { refused: string };

export const helloVersion = 1;

export function parseHello(line: string): Hello | undefined {
  const value = parseObject(line);
  if (value === undefined || value['sightline'] !== helloVersion) return undefined;
  const { token, kind, version, face, toolsets, output, cwd, isProjectGiven, env, pid, lost } = value;
  if (typeof token !== 'string' || typeof version !== 'string' || typeof cwd !== 'string') return undefined;
  if (kind !== 'mcp' && kind !== 'control' && kind !== 'editor') return undefined;
  const knownFace = faceNames.find((name) => name === face);
  if (knownFace === undefined || !Array.isArray(toolsets) || typeof pid !== 'number') return undefined;
  const environment = parseEnvironment(env);
  if (environment === undefined) return undefined;
  return {
    sightline: helloVersion,
    token,
    kind,
    version,
    face: knownFace,
    toolsets: toolsetNames.filter((name) => toolsets.includes(name)),
    output: outputForms.find((form) => form === output),
    cwd,
    isProjectGiven: isProjectGiven === true,
    env: environment,
    pid,
    ...lostOf(lost),
  };
}

export function parseWelcome(line: string): Welcome | undefined {
  const value = parseObject(line);
  if (typeof value?.['refused'] === 'string') return { refused: value['refused'] };
  const welcome = value?.['welcome'];
  if (typeof welcome !== 'object' || welcome === null) return undefined;
  const { version, build, pid } = welcome as Partial<Record<string, unknown>>;
  if (typeof version !== 'string' || typeof build !== 'string' || typeof pid !== 'number') return undefined;
  return { welcome: { version, build, pid } };
}

function lostOf(value: unknown): { lost?: LostConnection } {
  const pid = typeof value === 'object' && value !== null && 'pid' in value ? value.pid : undefined;
  return typeof pid === 'number' ? { lost: { pid } } : {};
}

function parseEnvironment(value: unknown): NodeJS.ProcessEnv | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const entries = Object.entries(value);
  return entries.every(([, item]) => typeof item === 'string') ? Object.fromEntries(entries) : undefined;
}

function parseObject(line: string): Partial<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
