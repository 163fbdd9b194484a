import { join } from 'node:path';
import type { AgentClient, ClientOf } from './agentClient.ts';
import { claudeCode } from './clients/claudeCode.ts';
import { claudeDesktop } from './clients/claudeDesktop.ts';
import { codex } from './clients/codex.ts';
import { copilot } from './clients/copilot.ts';
import { cursor } from './clients/cursor.ts';
import { gemini } from './clients/gemini.ts';
import { opencode } from './clients/opencode.ts';
import { qwen } from './clients/qwen.ts';
import { vscode } from './clients/vscode.ts';
import { windsurf } from './clients/windsurf.ts';

const clients: readonly ClientOf[] = [
  claudeCode,
  claudeDesktop,
  cursor,
  vscode,
  windsurf,
  gemini,
  codex,
  opencode,
  qwen,
  copilot,
];

/** Every agent, with the file where it keeps its servers for the whole user. */
export function agentClients(home: string, env: NodeJS.ProcessEnv, platform: NodeJS.Platform): AgentClient[] {
  const programs =
    platform === 'darwin'
      ? join(home, 'Library', 'Application Support')
      : platform === 'win32'
        ? (env['APPDATA'] ?? join(home, 'AppData', 'Roaming'))
        : (env['XDG_CONFIG_HOME'] ?? join(home, '.config'));
  return clients.map((client) => client({ home, env, programs }));
}
