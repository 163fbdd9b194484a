import { notifications, project } from '../../state.ts';
import { Tabs } from '../../parts/tabs.tsx';
import { ViewHeader } from '../../parts/viewHeader.tsx';
import type { ViewProps } from '../../views.ts';
import { Engines } from './engines.tsx';
import { LogViewer } from './logViewer.tsx';
import { Notifications } from './notifications.tsx';
import { Servers } from './servers.tsx';

/** What there is to work with, what runs, and what went wrong. `rest`: the tab that is shown at first. */
export default function Health({ rest }: ViewProps) {
  const told = notifications.value.length;
  return (
    <>
      <ViewHeader title="Health" />
      <div class="viewBody">
        <Tabs
          key={rest}
          label="Health"
          start={rest}
          tabs={[
            { id: 'engines', title: 'Engines', content: () => <Engines key={project.value} /> },
            { id: 'servers', title: 'Language servers', content: () => <Servers /> },
            {
              id: 'notifications',
              title: told === 0 ? 'Notifications' : `Notifications (${told})`,
              content: () => <Notifications />,
            },
            { id: 'log', title: 'Log', content: () => <LogViewer /> },
          ]}
        />
      </div>
    </>
  );
}
