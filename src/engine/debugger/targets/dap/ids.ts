import { ToolError } from '../../../../base/errors.ts';
import type { Variable } from '../../model.ts';

/** Ids of one process made unique in the tree: `p2:7`. */
export function globalId(processId: string, id: string): string {
  return `${processId}:${id}`;
}

export function localId(id: string): { processId: string; id: string } {
  const colon = id.indexOf(':');
  if (colon < 0) throw new ToolError('invalid_arguments', `'${id}' is not an id of this session.`);
  return { processId: id.slice(0, colon), id: id.slice(colon + 1) };
}

export function qualifyVariable(processId: string, variable: Variable): Variable {
  return variable.reference === undefined
    ? variable
    : { ...variable, reference: globalId(processId, variable.reference) };
}
