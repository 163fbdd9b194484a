import { basedpyright } from './engines/basedpyright.ts';
import { bashLanguageServer } from './engines/bash.ts';
import { clangd } from './engines/clangd.ts';
import { cssLanguageServer } from './engines/css.ts';
import { debugpy } from './engines/debugpy.ts';
import { delve } from './engines/delve.ts';
import { gdb } from './engines/gdb.ts';
import { go } from './engines/go.ts';
import { gopls } from './engines/gopls.ts';
import { grammars } from './engines/grammars.ts';
import { htmlLanguageServer } from './engines/html.ts';
import { java } from './engines/java.ts';
import { javaDebug } from './engines/javaDebug.ts';
import { jdtls } from './engines/jdtls.ts';
import { jsonLanguageServer } from './engines/json.ts';
import { lldb } from './engines/lldb.ts';
import { node } from './engines/node.ts';
import { pyright } from './engines/pyright.ts';
import { python } from './engines/python.ts';
import { rope } from './engines/rope.ts';
import { ruff } from './engines/ruff.ts';
import { cargo } from './engines/rust.ts';
import { rustAnalyzer } from './engines/rustAnalyzer.ts';
import { svelteLanguageServer } from './engines/svelte.ts';
import { testRunners } from './engines/testRunners.ts';
import { ty } from './engines/ty.ts';
import { typescript } from './engines/typescript.ts';
import { typescriptClassic } from './engines/typescriptClassic.ts';
import { vueLanguageServer } from './engines/vue.ts';
import { yamlLanguageServer } from './engines/yaml.ts';
import type { EngineDeclaration } from './model.ts';

/** Every engine Sightline knows. Within a language and role the first that is found is the one that is used. */
export const engineCatalog: readonly EngineDeclaration[] = [
  node,
  typescript,
  typescriptClassic,
  python,
  debugpy,
  ty,
  basedpyright,
  pyright,
  rope,
  ruff,
  go,
  delve,
  gopls,
  lldb,
  gdb,
  clangd,
  cargo,
  rustAnalyzer,
  java,
  javaDebug,
  jdtls,
  bashLanguageServer,
  cssLanguageServer,
  htmlLanguageServer,
  jsonLanguageServer,
  yamlLanguageServer,
  vueLanguageServer,
  svelteLanguageServer,
  ...grammars,
  ...testRunners,
];
