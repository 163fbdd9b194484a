import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';

export interface Tab {
  id: string;
  title: string;
  content: () => ComponentChildren;
}

/** Of several contents one is shown, at first `start` or the first one; the arrow keys go from tab to tab. */
export function Tabs({ tabs, label, start }: { tabs: readonly Tab[]; label: string; start?: string }) {
  const [wanted, setWanted] = useState(start);
  const prefix = useId();
  const shown = tabs.find((tab) => tab.id === wanted) ?? tabs[0];
  if (shown === undefined) return null;
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const next = tabs[(tabs.indexOf(shown) + step + tabs.length) % tabs.length];
    if (step === 0 || next === undefined) return;
    event.preventDefault();
    setWanted(next.id);
    document.getElementById(`${prefix}${next.id}`)?.focus();
  };
  return (
    <div class="tabs">
      <div role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            id={`${prefix}${tab.id}`}
            type="button"
            role="tab"
            aria-selected={tab === shown}
            aria-controls={`${prefix}panel`}
            tabIndex={tab === shown ? 0 : -1}
            onClick={() => setWanted(tab.id)}
          >
            {tab.title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${prefix}panel`} aria-labelledby={`${prefix}${shown.id}`}>
        {shown.content()}
      </div>
    </div>
  );
}
