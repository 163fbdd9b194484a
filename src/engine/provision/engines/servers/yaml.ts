import { nodeServer } from '../../nodeServer.ts';

/** Version 2 needs Node 22; this is the last that runs on Node 20. */
export const yamlLanguageServer = nodeServer({
  id: 'yaml-language-server',
  title: 'yaml-language-server',
  languages: ['yaml'],
  package: 'yaml-language-server',
  version: '1.25.0',
  script: 'bin/yaml-language-server',
  program: 'yaml-language-server',
});
