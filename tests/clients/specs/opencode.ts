import type { RealClient } from '../realClient.ts';

export const opencode: RealClient = {
  id: 'opencode',
  title: 'opencode',
  packageSpec: 'opencode-ai@1.18.33',
  program: 'opencode-ai/bin/opencode.exe',
  args: (prompt) => ['run', '--model', 'scripted/scripted', '--format', 'json', prompt],
  env: () => ({
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_SHARE: '1',
  }),
  files: (modelUrl) => ({
    '.config/opencode/opencode.json': `{
  // a comment of the person
  "share": "disabled",
  "small_model": "scripted/scripted",
  "provider": {
    "scripted": {
      "npm": "@ai-sdk/openai-compatible",
      "options": { "baseURL": "${modelUrl}/v1", "apiKey": "none" },
      "models": { "scripted": { "tool_call": true } }
    }
  }
}
`,
  }),
  // For packages of plugins, in the background.
  strays: /^CONNECT registry\./,
  listsAgain: 'at once',
  offered: (tool) => `sightline_${tool}`,
};
