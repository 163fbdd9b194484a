import type { IdeProtocol } from '../../../src/server/ide/ideServers.ts';
import type { RealClient } from '../realClient.ts';
import { copilot } from '../specs/copilot.ts';
import { gemini } from '../specs/gemini.ts';
import { qwen } from '../specs/qwen.ts';

/** A real client at a terminal that looks for its IDE. */
export interface IdeUser {
  client: RealClient;
  /** As `hostedClients` calls it. */
  agent: string;
  protocol: IdeProtocol;
  /** Arguments that make it work on this prompt and stay at the terminal. */
  args(prompt: string): string[];
  env?: Readonly<Record<string, string>>;
  /** Settings instead of those of the client, by path below the home. */
  files?(project: string): Readonly<Record<string, string>>;
  /** What it sends to its IDE up to the review, in the order it comes first: methods, and tools with the names of their arguments. */
  transcript: readonly string[];
}

const opened = (version: string) => [`initialize ${version}`, 'notifications/initialized', 'tools/list'];

export const ideUsers: readonly IdeUser[] = [
  {
    client: gemini,
    agent: 'gemini',
    protocol: 'gemini',
    args: (prompt) => ['--prompt-interactive', prompt, '--model', 'gemini-2.5-pro', '--skip-trust'],
    // In a container it looks for the IDE on the host, except over ssh.
    env: { SSH_CONNECTION: '127.0.0.1 1 127.0.0.1 22' },
    files: () => ({
      '.gemini/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' } },
        general: { enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
        ide: { enabled: true, hasSeenNudge: true },
      }),
    }),
    transcript: [...opened('2025-06-18'), 'openDiff filePath newContent'],
  },
  {
    client: qwen,
    agent: 'qwen',
    protocol: 'qwen',
    args: (prompt) => ['--prompt-interactive', prompt, '--auth-type', 'openai', '--approval-mode', 'default'],
    files: () => ({
      '.qwen/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'openai' } },
        general: { enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
        ide: { enabled: true, hasSeenNudge: true },
      }),
    }),
    transcript: [...opened('2025-11-25'), 'openDiff filePath newContent'],
  },
  {
    client: copilot,
    agent: 'copilot',
    protocol: 'copilot',
    args: (prompt) => ['-i', prompt, '--disable-builtin-mcps'],
    files: (project) => ({ '.copilot/config.json': JSON.stringify({ trusted_folders: [project] }) }),
    transcript: [
      ...opened('2025-11-25'),
      'update_session_name name',
      'open_diff new_file_contents original_file_path tab_name',
    ],
  },
];
