import type { RealClient } from '../realClient.ts';

export const codex: RealClient = {
  id: 'codex',
  title: 'Codex',
  packageSpec: '@openai/codex@0.166.0',
  program: '@openai/codex/bin/codex.js',
  isScript: true,
  args: (prompt) => [
    'exec',
    '--skip-git-repo-check',
    '--json',
    // Without it, whatever is not read-only is refused in a run without a person.
    '-c',
    'mcp_servers.sightline.default_tools_approval_mode="approve"',
    prompt,
  ],
  env: () => ({ SCRIPTED_KEY: 'none' }),
  files: (modelUrl) => ({
    '.codex/config.toml': `# a comment of the person
model = "scripted"
model_provider = "scripted"
check_for_update_on_startup = false

[features]
apps = false
plugins = false

[analytics]
enabled = false

[model_providers.scripted]
name = "scripted"
base_url = "${modelUrl}/v1"
env_key = "SCRIPTED_KEY"
wire_api = "responses"
`,
  }),
  offered: (tool) => `mcp__sightline/${tool}`,
  asksAgain: true,
};
