import type { IdeProtocol } from '../../../src/server/ide/ideServers.ts';
import type { ScriptedCall } from '../model/wire.ts';
import type { RealClient } from '../realClient.ts';
import { claudeCode } from '../specs/claudeCode.ts';
import { copilot } from '../specs/copilot.ts';
import { gemini } from '../specs/gemini.ts';
import { opencode } from '../specs/opencode.ts';
import { qwen } from '../specs/qwen.ts';

/** A real client at a terminal that looks for its IDE. */
export interface IdeUser {
  client: RealClient;
  /** As `hostedClients` calls it. */
  agent: string;
  protocol: IdeProtocol;
  /** Arguments that make it stay at the terminal, and work on this prompt unless that is typed. */
  args(prompt: string): string[];
  /** What its screen shows once it takes a prompt. It is then told at the terminal, after it has been told a selection. */
  typesAt?: RegExp;
  /** How its model is told what its person selected. */
  selected?: RegExp;
  /** What it sends once it is connected. */
  lastGreeting: string;
  env?: Readonly<Record<string, string>>;
  /** Settings instead of those of the client, by path below the home. */
  files?(project: string): Readonly<Record<string, string>>;
  /** It asks its IDE to review its edits. */
  reviews: boolean;
  /** Further calls of its model: what its IDE is asked for by them, and what the model is told. */
  asks?(file: string): { calls: readonly ScriptedCall[]; told: RegExp };
  /** What it sends to its IDE, the greeting first: methods, and tools with the names of their arguments. */
  transcript: readonly string[];
}

const opened = (version: string) => [`initialize ${version}`, 'notifications/initialized', 'tools/list'];

export const ideUsers: readonly IdeUser[] = [
  {
    client: claudeCode,
    agent: 'claude',
    protocol: 'claude',
    // In its other modes it decides by itself and shows nobody its edits.
    args: () => ['--ide', '--permission-mode', 'default', '--allowedTools', 'mcp__ide__getDiagnostics'],
    typesAt: /❯/,
    selected: /selected the lines 1 to 1 from \S+a\.ts/,
    lastGreeting: 'tools/list',
    files: (project) => ({
      '.claude.json': JSON.stringify({
        hasCompletedOnboarding: true,
        theme: 'dark',
        customApiKeyResponses: { approved: ['none'], rejected: [] },
        projects: { [project]: { hasTrustDialogAccepted: true } },
      }),
    }),
    reviews: true,
    asks: (file) => ({
      calls: [
        { tool: 'ToolSearch', args: { query: 'select:mcp__ide__getDiagnostics', max_results: 1 } },
        // What could not be analysed yet is asked for again, as a model would.
        { tool: 'mcp__ide__getDiagnostics', args: { uri: `file://${file}` } },
        { tool: 'mcp__ide__getDiagnostics', args: { uri: `file://${file}` } },
      ],
      told: /Type 'string' is not assignable to type 'number'/,
    }),
    transcript: [
      'initialize 2025-11-25',
      'notifications/initialized',
      'ide_connected',
      'tools/list',
      'closeAllDiffTabs',
      'openDiff new_file_contents new_file_path old_file_path tab_name',
      'close_tab tab_name',
      'getDiagnostics uri',
    ],
  },
  {
    client: opencode,
    agent: 'opencode',
    protocol: 'claude',
    args: () => ['--model', 'scripted/scripted'],
    typesAt: /Ask anything/,
    selected: /selected.*a\.ts/,
    lastGreeting: 'notifications/initialized',
    // It asks for no tools: all it takes from its IDE is what its person selects there.
    reviews: false,
    transcript: ['initialize 2025-11-25', 'notifications/initialized'],
  },
  {
    client: gemini,
    agent: 'gemini',
    protocol: 'gemini',
    lastGreeting: 'tools/list',
    reviews: true,
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
    lastGreeting: 'tools/list',
    reviews: true,
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
    lastGreeting: 'tools/list',
    reviews: true,
    args: (prompt) => ['-i', prompt, '--disable-builtin-mcps'],
    files: (project) => ({ '.copilot/config.json': JSON.stringify({ trusted_folders: [project] }) }),
    transcript: [
      ...opened('2025-11-25'),
      'update_session_name name',
      'open_diff new_file_contents original_file_path tab_name',
    ],
  },
];
