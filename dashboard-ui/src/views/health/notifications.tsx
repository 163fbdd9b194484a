import { call } from '../../client.ts';
import { EmptyState } from '../../parts/emptyState.tsx';
import { agoText, baseName, visible } from '../../parts/format.ts';
import { Icon } from '../../parts/icon.tsx';
import { orToast } from '../../parts/toasts.tsx';
import { notifications } from '../../state.ts';

export function Notifications() {
  const dismiss = async (id: string) => {
    await call('notifications.dismiss', { id });
    notifications.value = notifications.value.filter((each) => each.id !== id);
  };
  if (notifications.value.length === 0)
    return (
      <EmptyState icon="bell" title="Nothing to tell">
        <p>Damaged files that were set aside, engines that died and the like are told here.</p>
      </EmptyState>
    );
  return (
    <ul class="notifications">
      {notifications.value.map((each) => (
        <li key={each.id}>
          <span class={`badge ${each.level}`}>{each.level}</span>
          <div>
            <p>{visible(each.message)}</p>
            <p class="muted">
              {visible(each.source)}, {agoText(each.time)}
              {each.count > 1 ? `, ${each.count} times` : ''}
              {each.project === undefined ? '' : `, ${baseName(each.project)}`}
            </p>
          </div>
          <button type="button" class="quiet iconOnly" aria-label="Dismiss" onClick={() => orToast(dismiss(each.id))}>
            <Icon name="cross" />
          </button>
        </li>
      ))}
    </ul>
  );
}
