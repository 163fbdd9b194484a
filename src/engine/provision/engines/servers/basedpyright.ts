import { nodeServer } from '../../nodeServer.ts';

export const basedpyright = nodeServer({
  id: 'basedpyright',
  title: 'basedpyright',
  languages: ['python'],
  package: 'basedpyright',
  version: '1.40.1',
  script: 'langserver.index.js',
  program: 'basedpyright-langserver',
});
