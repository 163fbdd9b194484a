import type { LinterRules } from '../linter.ts';
import { biome } from './biome.ts';
import { eslint } from './eslint.ts';
import { oxlint } from './oxlint.ts';
import { ruff } from './ruff.ts';

/** Each that a project uses is asked. */
export const linters: readonly LinterRules[] = [eslint, oxlint, biome, ruff];
