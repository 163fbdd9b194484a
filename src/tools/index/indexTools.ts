import type { Tool } from '../defineTool.ts';
import { ideFindDefinition } from './ideFindDefinition.ts';
import { ideFindReferences } from './ideFindReferences.ts';

/** The tools of the code index, in the order faces list them. */
export const indexTools: readonly Tool[] = [ideFindReferences, ideFindDefinition];
