import { nodeServer } from '../../nodeServer.ts';

export const bashLanguageServer = nodeServer({
  id: 'bash-language-server',
  title: 'bash-language-server',
  languages: ['bash'],
  package: 'bash-language-server',
  version: '5.8.1',
  script: 'out/cli.js',
  program: 'bash-language-server',
  args: ['start'],
});
