import type { RealClient } from '../realClient.ts';

export const qwen: RealClient = {
  id: 'qwen',
  title: 'Qwen Code',
  packageSpec: '@qwen-code/qwen-code@0.24.4',
  program: '@qwen-code/qwen-code/cli-entry.js',
  isScript: true,
  args: (prompt) => [prompt, '--yolo', '--auth-type', 'openai', '--output-format', 'json'],
  env: (modelUrl) => ({ OPENAI_API_KEY: 'none', OPENAI_BASE_URL: `${modelUrl}/v1`, OPENAI_MODEL: 'scripted' }),
  files: () => ({
    '.qwen/settings.json': `{
  // a comment of the person
  "general": { "enableAutoUpdate": false },
  "privacy": { "usageStatisticsEnabled": false }
}
`,
  }),
  offered: (tool) => `mcp__sightline__${tool}`,
  lookUp: {
    ask: (names) => ({
      tool: 'tool_search',
      args: { query: `select:${names.join(',')}`, max_results: names.length },
    }),
    call: (name, args) => ({ tool: 'tool_call', args: { name, arguments: args } }),
  },
  repeatsErrors: true,
};
