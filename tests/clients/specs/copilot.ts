import type { RealClient } from '../realClient.ts';

export const copilot: RealClient = {
  id: 'copilot',
  title: 'Copilot CLI',
  packageSpec: '@github/copilot@1.0.102',
  program: '@github/copilot-linux-x64/copilot',
  args: (prompt) => ['--prompt', prompt, '--allow-all-tools', '--output-format', 'json', '--disable-builtin-mcps'],
  env: (modelUrl) => ({
    COPILOT_AUTO_UPDATE: 'false',
    COPILOT_MODEL: 'scripted',
    COPILOT_OFFLINE: 'true',
    COPILOT_PROVIDER_API_KEY: 'none',
    COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`,
  }),
  sharedCache: '.cache/copilot',
  listsAgain: 'at once',
  offered: (tool) => `sightline-${tool}`,
  dropsInstructions: true,
  asksAgain: true,
};
