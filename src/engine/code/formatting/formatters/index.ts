import type { Formatter } from '../formatter.ts';
import { biome } from './biome.ts';
import { black } from './black.ts';
import { clangFormat } from './clangFormat.ts';
import { eslint } from './eslint.ts';
import { gofmt } from './gofmt.ts';
import { googleJavaFormat } from './googleJavaFormat.ts';
import { isort } from './isort.ts';
import { oxfmt } from './oxfmt.ts';
import { prettier } from './prettier.ts';
import { ruff, ruffImports } from './ruff.ts';
import { rustfmt } from './rustfmt.ts';

/** In the order in which they are tried. */
export const formatters: readonly Formatter[] = [
  biome,
  prettier,
  oxfmt,
  eslint,
  ruff,
  black,
  gofmt,
  rustfmt,
  clangFormat,
  googleJavaFormat,
];

/** Import sorters that are programs; where a server sorts them, it is asked. */
export const importSorters: readonly Formatter[] = [ruffImports, isort];
