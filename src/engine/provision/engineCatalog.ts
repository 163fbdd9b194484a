import { basedpyright } from './engines/servers/basedpyright.ts';
import { bashLanguageServer } from './engines/servers/bash.ts';
import { clangd } from './engines/servers/clangd.ts';
import { cssLanguageServer } from './engines/servers/css.ts';
import { debugpy } from './engines/debuggers/debugpy.ts';
import { delve } from './engines/debuggers/delve.ts';
import { gdb } from './engines/debuggers/gdb.ts';
import { go } from './engines/toolchains/go.ts';
import { gopls } from './engines/servers/gopls.ts';
import { grammars } from './engines/servers/grammars.ts';
import { htmlLanguageServer } from './engines/servers/html.ts';
import { java } from './engines/toolchains/java.ts';
import { jdtls } from './engines/servers/jdtls.ts';
import { jsonLanguageServer } from './engines/servers/json.ts';
import { node } from './engines/toolchains/node.ts';
import { pyright } from './engines/servers/pyright.ts';
import { python } from './engines/toolchains/python.ts';
import { rope } from './engines/servers/rope.ts';
import { ruff } from './engines/servers/ruff.ts';
import { cargo } from './engines/toolchains/rust.ts';
import { rustAnalyzer } from './engines/servers/rustAnalyzer.ts';
import { svelteLanguageServer } from './engines/servers/svelte.ts';
import { testRunners } from './engines/toolchains/testRunners.ts';
import { ty } from './engines/servers/ty.ts';
import { typescript } from './engines/servers/typescript.ts';
import { typescriptClassic } from './engines/servers/typescriptClassic.ts';
import { vueLanguageServer } from './engines/servers/vue.ts';
import { yamlLanguageServer } from './engines/servers/yaml.ts';
import { coveragePy } from './engines/toolchains/coveragePy.ts';
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
  gdb,
  clangd,
  cargo,
  rustAnalyzer,
  java,
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
  coveragePy,
];
