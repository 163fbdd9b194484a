import { useLocation } from 'preact-iso';
import { useEffect, useRef } from 'preact/hooks';
import { connection } from './client.ts';
import { Icon } from './parts/icon.tsx';
import { paletteOpen } from './palette.tsx';
import { keyText } from './commands.ts';
import { chosenProject, overview, project, projects } from './state.ts';
import { nextTheme, theme } from './theme.ts';
import { viewPath, views } from './views.ts';

export function Navigation() {
  const { path } = useLocation();
  const list = useRef<HTMLUListElement>(null);
  // Where there is no room for all of them, the one that is shown is seen.
  useEffect(() => {
    const show = () =>
      list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    show();
    addEventListener('resize', show);
    return () => removeEventListener('resize', show);
  }, [path]);
  return (
    <nav class="navigation" aria-label="Views">
      <div class="brand">
        <Icon name="eye" />
        <span>Sightline</span>
        <span class="version">{overview.value?.version}</span>
      </div>
      <ProjectChoice />
      <ul ref={list}>
        {views.map((view) => {
          const isHere = path === viewPath(view.id) || path.startsWith(`${viewPath(view.id)}/`);
          const count = view.count?.value ?? 0;
          return (
            <li key={view.id}>
              <a href={viewPath(view.id)} aria-current={isHere ? 'page' : undefined} title={`g ${view.letter}`}>
                <Icon name={view.icon} />
                <span class="label">{view.title}</span>
                {count > 0 && (
                  <span class="count" aria-label={`${count} waiting`}>
                    {count}
                  </span>
                )}
              </a>
            </li>
          );
        })}
      </ul>
      <div class="foot">
        <button type="button" class="quiet" onClick={() => (paletteOpen.value = true)}>
          <Icon name="search" />
          <span class="label">Commands</span>
          <kbd>{keyText('$mod+k')}</kbd>
        </button>
        <button type="button" class="quiet" onClick={nextTheme} aria-label={`Colours: ${themeText[theme.value]}`}>
          <Icon name={theme.value === 'dark' ? 'moon' : theme.value === 'light' ? 'sun' : 'contrast'} />
          <span class="label">{themeText[theme.value]}</span>
        </button>
        <p class={`stream ${connection.value}`} role="status">
          <span class="dot" aria-hidden="true" />
          <span class="label">{connectionText[connection.value]}</span>
        </p>
      </div>
    </nav>
  );
}

const themeText = { system: 'As the system', light: 'Light', dark: 'Dark' } as const;

const connectionText = {
  connecting: 'Connecting',
  live: 'Live',
  stale: 'Silent',
  lost: 'Reconnecting',
  locked: 'Locked',
} as const;

/** What views of one project show; nothing to choose where there is one. */
function ProjectChoice() {
  if (projects.value.length === 0) return null;
  return (
    <label class="projectChoice">
      <span class="hidden">Project</span>
      <select
        value={project.value}
        title={project.value}
        onChange={(event) => (chosenProject.value = event.currentTarget.value)}
      >
        {projects.value.map((each) => (
          <option key={each.path} value={each.path}>
            {each.name}
          </option>
        ))}
      </select>
    </label>
  );
}
