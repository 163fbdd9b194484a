import type { RealClient } from '../realClient.ts';

export const gemini: RealClient = {
  id: 'gemini',
  title: 'Gemini CLI',
  packageSpec: '@google/gemini-cli@0.61.0',
  program: '@google/gemini-cli/bundle/gemini.js',
  isScript: true,
  args: (prompt) => [
    ...['--prompt', prompt, '--model', 'gemini-2.5-pro', '--output-format', 'json'],
    ...['--approval-mode', 'yolo', '--skip-trust'],
  ],
  env: (modelUrl) => ({
    GEMINI_API_KEY: 'none',
    GEMINI_CLI_NO_RELAUNCH: 'true',
    GOOGLE_GEMINI_BASE_URL: modelUrl,
  }),
  files: () => ({
    '.gemini/settings.json': `{
  // a comment of the person
  "security": { "auth": { "selectedType": "gemini-api-key" } },
  "general": { "enableAutoUpdate": false, "enableAutoUpdateNotification": false },
  "privacy": { "usageStatisticsEnabled": false }
}
`,
  }),
  listsAgain: 'late',
  offered: (tool) => `mcp_sightline_${tool}`,
  addedParameters: ['wait_for_previous'],
};
