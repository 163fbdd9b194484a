import { nodeServer } from '../../nodeServer.ts';

export const pyright = nodeServer({
  id: 'pyright',
  title: 'Pyright',
  languages: ['python'],
  package: 'pyright',
  version: '1.1.414',
  script: 'langserver.index.js',
  program: 'pyright-langserver',
  optional: true,
});
