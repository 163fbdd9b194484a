import { npmInstall } from '../../installers/npm.ts';
import type { EngineDeclaration } from '../../model.ts';
import { inCache, inEditorExtensions } from '../../programs.ts';

const plugin = 'server/com.microsoft.java.debug.plugin-*.jar';

/** A plug-in that is loaded into the Java language server: the path is its jar. */
export const javaDebug: EngineDeclaration = {
  id: 'java-debug',
  title: 'java-debug',
  role: 'debugger',
  languages: ['java'],
  find: [inCache(`node_modules/coc-java-debug/${plugin}`), inEditorExtensions(`vscjava.vscode-java-debug-*/${plugin}`)],
  start: () => [],
  probe: async (path) => /plugin-(\d+\.\d+\.\d+)\.jar$/.exec(path)?.[1],
  install: npmInstall({ name: 'coc-java-debug', version: '1.0.0', entry: plugin }),
};
