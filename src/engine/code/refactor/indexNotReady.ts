import { advise, step } from '../../../base/text/advice.ts';
import { ToolError } from '../../../base/errors.ts';
import type { IndexState } from '../model.ts';

/** A change worked out from an index that does not know the whole project would miss places without a sign. */
export function indexNotReady({ state, detail }: IndexState): ToolError {
  return new ToolError(
    'index_not_ready',
    `The index does not know the whole project yet (${state}${detail === undefined ? '' : `: ${detail}`}). Nothing was changed.`,
    {
      hint: advise`Ask again in a while; ${step('ideIndexStatus')} shows the state. force: true goes on with what is known so far.`,
    },
  );
}
