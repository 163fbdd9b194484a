import { connection, lastHeard, openStream } from './client.ts';
import { CopyButton } from './parts/copyButton.tsx';
import { EmptyState } from './parts/emptyState.tsx';
import { clockTime } from './parts/format.ts';

/** Says honestly that what is shown may be old. */
export function ConnectionBanner() {
  const state = connection.value;
  if (state === 'live' || state === 'locked' || state === 'connecting') return null;
  const since = clockTime(new Date(lastHeard.value).toISOString());
  return (
    <div class="banner" role="alert">
      <span>
        {state === 'lost'
          ? `Sightline does not answer since ${since}. What you see is from then; the page connects again by itself.`
          : `Nothing was heard from Sightline since ${since}. What you see may be old; the page connects again by itself.`}
      </span>
      <button type="button" onClick={openStream}>
        Try now
      </button>
    </div>
  );
}

export function LockedPage() {
  return (
    <main class="locked">
      <EmptyState icon="lock" title="This browser needs a link">
        <p>A link lets one browser in, once. Get one where Sightline runs:</p>
        <p class="commandLine">
          <code>sightline dashboard</code>
          <CopyButton text="sightline dashboard" label="Copy the command" />
        </p>
        <p class="muted">A link that was used, or is older than an hour, does not work again.</p>
      </EmptyState>
    </main>
  );
}
