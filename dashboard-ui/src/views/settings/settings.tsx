import { useSignal } from '@preact/signals';
import type { SettingsView } from '../../../../src/dashboard/channel.ts';
import { call } from '../../client.ts';
import { CopyButton } from '../../parts/copyButton.tsx';
import { ErrorState } from '../../parts/errorState.tsx';
import { baseName, visible } from '../../parts/format.ts';
import { useLoaded } from '../../parts/loaded.ts';
import { orToast, toast } from '../../parts/toasts.tsx';
import { ViewHeader } from '../../parts/viewHeader.tsx';
import { project, projects } from '../../state.ts';
import { SettingRow } from './settingRow.tsx';

/** Everything that can be decided, what holds now and why. */
export default function Settings() {
  const text = useSignal('');
  const { value, error, reload, set } = useLoaded(
    () => call('settings.list', { project: project.value }),
    [project.value],
  );
  const wanted = text.value.toLowerCase();
  const shown = (value?.settings ?? []).filter((each) =>
    `${each.key} ${each.description}`.toLowerCase().includes(wanted),
  );
  const groups = [...new Set(shown.map((each) => groupOf(each.key)))];
  return (
    <>
      <ViewHeader title="Settings">
        <input
          type="search"
          aria-label="Find a setting"
          placeholder="Find a setting"
          value={text.value}
          onInput={(event) => (text.value = event.currentTarget.value)}
        />
      </ViewHeader>
      <div class="viewBody settings">
        {error !== undefined && value === undefined && <ErrorState error={error} onRetry={reload} />}
        {value !== undefined && <Files view={value} />}
        {wanted === '' && <Trust />}
        {groups.map((group) => (
          <section key={group} aria-label={group}>
            <h2>{group}</h2>
            {shown
              .filter((each) => groupOf(each.key) === group)
              .map((each) => (
                <SettingRow key={each.key} setting={each} onChanged={set} />
              ))}
          </section>
        ))}
        {value !== undefined && shown.length === 0 && <p class="muted">No setting is called that.</p>}
      </div>
    </>
  );
}

function Files({ view }: { view: SettingsView }) {
  return (
    <>
      <p class="muted settingsFile">
        Changes are written to <code>{view.files.person}</code>
        <CopyButton text={view.files.person} label="Copy the path of the file" />
      </p>
      {view.problems.map((problem) => (
        <div key={problem} class="errorState" role="alert">
          <p>{visible(problem)}</p>
        </div>
      ))}
    </>
  );
}

/** Trust is a person's word: here, on the command line or in their file, never by a tool. */
function Trust() {
  const change = async (path: string, trusted: boolean) => {
    projects.value = await call('projects.trust', { path, trusted });
    const now = projects.value.find((each) => each.path === path)?.trusted ?? false;
    toast(trustText(trusted, now));
  };
  if (projects.value.length === 0) return null;
  return (
    <section aria-label="Trust">
      <h2>Trust</h2>
      {projects.value.map((each) => (
        <div key={each.path} class="setting">
          <div>
            <p class="settingName">{visible(each.name)}</p>
            <p class="muted mono">{visible(each.path)}</p>
            <p class="muted">Code of a project that is not trusted is read, never executed.</p>
          </div>
          <div class="settingValue">
            <span class={`badge ${each.trusted ? 'ok' : 'warn'}`}>{each.trusted ? 'trusted' : 'not trusted'}</span>
            <button
              type="button"
              aria-label={`${each.trusted ? 'Take it back' : 'Trust it'}: ${baseName(each.path)}`}
              onClick={() => orToast(change(each.path, !each.trusted))}
            >
              {each.trusted ? 'Take it back' : 'Trust it'}
            </button>
          </div>
        </div>
      ))}
    </section>
  );
}

function trustText(wanted: boolean, now: boolean): string {
  if (wanted !== now) return 'It stays trusted while it is open: somebody started Sightline or an agent in it.';
  return now ? 'Its code may be executed now.' : 'Its code is not executed any more.';
}

function groupOf(key: string): string {
  const [first = ''] = key.split('.');
  return first.charAt(0).toUpperCase() + first.slice(1);
}
