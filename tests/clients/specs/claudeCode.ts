import type { RealClient } from '../realClient.ts';

export const claudeCode: RealClient = {
  id: 'claude-code',
  title: 'Claude Code',
  packageSpec: '@anthropic-ai/claude-code@2.1.325',
  program: '@anthropic-ai/claude-code/bin/claude.exe',
  args: (prompt) => ['-p', prompt, '--output-format', 'json', '--allowedTools', 'mcp__sightline'],
  env: (modelUrl) => ({
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: 'none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_TELEMETRY: '1',
    // Waits for its servers before the first request, however slow the machine.
    MCP_CONNECTION_NONBLOCKING: 'false',
  }),
  listsAgain: 'at once',
  offered: (tool) => `mcp__sightline__${tool}`,
  lookUp: {
    ask: (names) => ({
      tool: 'ToolSearch',
      args: { query: `select:${names.join(',')}`, max_results: names.length },
    }),
  },
  asksAgain: true,
};
