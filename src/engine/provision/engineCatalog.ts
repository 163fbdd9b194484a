import { basedpyright } from './engines/servers/basedpyright.ts';
import { clangd } from './engines/servers/clangd.ts';
import { debugpy } from './engines/debuggers/debugpy.ts';
import { delve } from './engines/debuggers/delve.ts';
import { gdb } from './engines/debuggers/gdb.ts';
import { go } from './engines/toolchains/go.ts';
import { gopls } from './engines/servers/gopls.ts';
import { grammars } from './engines/servers/grammars.ts';
import { java } from './engines/toolchains/java.ts';
import { jdtls } from './engines/servers/jdtls.ts';
import { node } from './engines/toolchains/node.ts';
import { pyright } from './engines/servers/pyright.ts';
import { python } from './engines/toolchains/python.ts';
import { rope } from './engines/servers/rope.ts';
import { ruff } from './engines/servers/ruff.ts';
import { cargo } from './engines/toolchains/rust.ts';
import { rustAnalyzer } from './engines/servers/rustAnalyzer.ts';
import { testRunners } from './engines/toolchains/testRunners.ts';
import { ty } from './engines/servers/ty.ts';
import { typescript } from './engines/servers/typescript.ts';
import { typescriptClassic } from './engines/servers/typescriptClassic.ts';
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
  ...grammars,
  ...testRunners,
  coveragePy,
];
