import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installed } from '../../harness/foreignTool.ts';
import type { ScriptedCall } from '../model/wire.ts';
import { installClient, prepareHome, type RealClient } from '../realClient.ts';
import { claudeCode } from '../specs/claudeCode.ts';
import { codex } from '../specs/codex.ts';
import { copilot } from '../specs/copilot.ts';
import { gemini } from '../specs/gemini.ts';
import { opencode } from '../specs/opencode.ts';
import { qwen } from '../specs/qwen.ts';

/** A real client that Sightline hosts over ACP. */
export interface HostedClient {
  client: RealClient;
  /** As `sightline agent` calls it, and the program that it looks for on PATH. */
  agent: string;
  program: string;
  /** What speaks the protocol for a client that does not itself, and the variable that names it the client. */
  adapter?: { packageSpec: string; program: string; clientVariable: string };
  env?: Readonly<Record<string, string>>;
  /** What the person chooses of its options before the first prompt. */
  choices?: Readonly<Record<string, string>>;
  /** Settings beside those of the client, by path below the home. */
  files?(modelUrl: string): Readonly<Record<string, string>>;
  /** What our policy takes the asking for: `edit` unless it writes by a command. */
  writesBy?: 'execute';
  /** The call by which its model writes a file with the client's own hands. */
  write: (path: string, text: string) => ScriptedCall;
}

export const hostedClients: readonly HostedClient[] = [
  {
    client: claudeCode,
    agent: 'claude',
    program: 'claude-agent-acp',
    adapter: {
      // Without its own copy of the client, of 280 MB.
      packageSpec: '@agentclientprotocol/claude-agent-acp@0.99.1 --omit=optional',
      program: '@agentclientprotocol/claude-agent-acp/dist/index.js',
      clientVariable: 'CLAUDE_CODE_EXECUTABLE',
    },
    write: (path, text) => ({ tool: 'Write', args: { file_path: path, content: text } }),
  },
  {
    client: codex,
    agent: 'codex',
    // By default it lets a model of its own decide.
    choices: { mode: 'read-only' },
    writesBy: 'execute',
    program: 'codex-acp',
    adapter: {
      packageSpec: '@agentclientprotocol/codex-acp@2.6.0 --omit=optional',
      program: '@agentclientprotocol/codex-acp/dist/index.js',
      clientVariable: 'CODEX_PATH',
    },
    write: (path, text) => ({
      tool: 'exec_command',
      args: {
        cmd: `echo ${text.trim()} > ${path}`,
        sandbox_permissions: 'require_escalated',
        justification: 'to write',
      },
    }),
  },
  {
    client: gemini,
    agent: 'gemini',
    env: { GEMINI_MODEL: 'gemini-2.5-pro' },
    program: 'gemini',
    write: (path, text) => ({ tool: 'write_file', args: { file_path: path, content: text } }),
  },
  {
    client: qwen,
    agent: 'qwen',
    program: 'qwen',
    write: (path, text) => ({ tool: 'write_file', args: { file_path: path, content: text } }),
  },
  {
    client: opencode,
    agent: 'opencode',
    env: { OPENCODE_CONFIG_CONTENT: '{"permission":{"edit":"ask"}}' },
    choices: { model: 'scripted/scripted' },
    program: 'opencode',
    write: (path, text) => ({ tool: 'write', args: { filePath: path, content: text } }),
  },
  {
    client: copilot,
    agent: 'copilot',
    program: 'copilot',
    write: (path, text) => ({ tool: 'create', args: { path, file_text: text } }),
  },
];

/** The command that speaks the protocol, installed once for all runs, and the variables that it needs. */
async function commandOf({
  client,
  adapter,
}: HostedClient): Promise<{ command: string[]; env: Record<string, string> }> {
  const own = await installClient(client);
  if (adapter === undefined) return { command: own, env: {} };
  const command = await installClient({ ...client, ...adapter, isScript: true });
  return { command, env: { [adapter.clientVariable]: own.at(-1) ?? '' } };
}

/** Puts the client where Sightline finds it: a folder for PATH, with a program under its own name. */
export async function putOnPath(hosted: HostedClient, home: string, bin: string, modelUrl: string): Promise<void> {
  const { client, program } = hosted;
  const { command, env } = await commandOf(hosted);
  prepareHome(
    { ...client, files: () => ({ ...client.files?.(modelUrl), ...hosted.files?.(modelUrl) }) },
    home,
    modelUrl,
  );
  const way = { HTTP_PROXY: modelUrl, HTTPS_PROXY: modelUrl, NO_PROXY: '127.0.0.1,localhost' };
  const variables = Object.entries({ ...way, ...client.env(modelUrl), ...env, ...hosted.env });
  const lines = variables.map(([name, value]) => `export ${name}='${value}'`);
  mkdirSync(bin, { recursive: true });
  const words = command.map((word) => `'${word}'`).join(' ');
  writeFileSync(join(bin, program), `#!/bin/sh\n${lines.join('\n')}\nexec ${words} "$@"\n`, { mode: 0o755 });
}

/** The adapters of clients that do not speak the protocol themselves. */
export async function installAdapters(): Promise<void> {
  for (const { adapter } of hostedClients) if (adapter !== undefined) await installed(adapter.packageSpec);
}
