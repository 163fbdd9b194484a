import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';

/** What a view shows when there is nothing to show: what would be here, and how it comes to be. */
export function EmptyState({ icon, title, children }: { icon: IconName; title: string; children?: ComponentChildren }) {
  return (
    <div class="emptyState">
      <Icon name={icon} />
      <h2>{title}</h2>
      <div>{children}</div>
    </div>
  );
}
