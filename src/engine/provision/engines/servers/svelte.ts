import { nodeServer } from '../../nodeServer.ts';

export const svelteLanguageServer = nodeServer({
  id: 'svelte-language-server',
  title: 'Svelte language server',
  languages: ['svelte'],
  package: 'svelte-language-server',
  version: '0.18.4',
  script: 'bin/server.js',
  program: 'svelteserver',
  also: ['typescript@6.0.3'],
});
