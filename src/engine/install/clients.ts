import { join } from 'node:path';
import type { AgentClient, ClientOf } from './model.ts';
import { claudeCode } from './clients/claudeCode.ts';
import { claudeDesktop } from './clients/claudeDesktop.ts';
import { cline } from './clients/cline.ts';
import { codex } from './clients/codex.ts';
import { copilot } from './clients/copilot.ts';
import { cursor } from './clients/cursor.ts';
import { gemini } from './clients/gemini.ts';
import { junie } from './clients/junie.ts';
import { opencode } from './clients/opencode.ts';
import { qwen } from './clients/qwen.ts';
import { vscode } from './clients/vscode.ts';
import { windsurf } from './clients/windsurf.ts';
import { zed } from './clients/zed.ts';

const clients: readonly ClientOf[] = [
  claudeCode,
  claudeDesktop,
  cursor,
  vscode,
  windsurf,
  codex,
  gemini,
  qwen,
  zed,
  junie,
  copilot,
  opencode,
  cline,
];

/** Every agent, with the files where it keeps its servers. */
export function agentClients(home: string, env: NodeJS.ProcessEnv, platform: NodeJS.Platform): AgentClient[] {
  const programs =
    platform === 'darwin'
      ? join(home, 'Library', 'Application Support')
      : platform === 'win32'
        ? (env['APPDATA'] ?? join(home, 'AppData', 'Roaming'))
        : (env['XDG_CONFIG_HOME'] ?? join(home, '.config'));
  return clients.map((client) => client({ home, env, programs }));
}
