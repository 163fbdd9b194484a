import { nodeServer } from '../../nodeServer.ts';

export const vueLanguageServer = nodeServer({
  id: 'vue-language-server',
  title: 'Vue language server',
  languages: ['vue'],
  package: '@vue/language-server',
  version: '3.3.11',
  script: 'bin/vue-language-server.js',
  program: 'vue-language-server',
  // It is a plug-in's other half: the classic TypeScript, which it asks for types, must lie beside it.
  also: ['typescript@6.0.3', '@vue/typescript-plugin@3.3.11'],
});
