import { basedpyright } from './engines/basedpyright.ts';
import { debugpy } from './engines/debugpy.ts';
import { delve } from './engines/delve.ts';
import { gopls } from './engines/gopls.ts';
import { python } from './engines/python.ts';
import { rope } from './engines/rope.ts';
import { ty } from './engines/ty.ts';
import type { EngineDeclaration } from './model.ts';

/** Every engine Sightline knows. Within a language and role the first that is found is the one that is used. */
export const engineCatalog: readonly EngineDeclaration[] = [python, debugpy, ty, basedpyright, rope, gopls, delve];
