import { CallError } from '../client.ts';
import { Icon } from './icon.tsx';

/** Something could not be had: what happened, what to do, and a way to try again. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const hint = error instanceof CallError ? error.hint : undefined;
  return (
    <div class="errorState" role="alert">
      <Icon name="warning" />
      <div>
        <p>{error instanceof Error ? error.message : String(error)}</p>
        {hint !== undefined && <p class="muted">{hint}</p>}
      </div>
      {onRetry !== undefined && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}
