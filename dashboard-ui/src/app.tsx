import { effect } from '@preact/signals';
import { LocationProvider, Router, Route, lazy, useLocation } from 'preact-iso';
import { useEffect } from 'preact/hooks';
import { ConnectionBanner, LockedPage } from './connectionBanner.tsx';
import { connection } from './client.ts';
import { addCommands } from './commands.ts';
import { Navigation } from './navigation.tsx';
import { KeyMap, Palette, keyMapOpen, paletteOpen } from './palette.tsx';
import { EmptyState } from './parts/emptyState.tsx';
import { Toasts } from './parts/toasts.tsx';
import { waitingCount } from './state.ts';
import { nextTheme } from './theme.ts';
import { views, viewPath } from './views.ts';

const pages = views.map((view) => ({ ...view, Page: lazy(view.load) }));

export function App() {
  return (
    <LocationProvider scope="/dashboard">
      <Frame />
    </LocationProvider>
  );
}

function Frame() {
  const { route, path } = useLocation();
  useEffect(
    () =>
      addCommands([
        {
          id: 'palette',
          title: 'Find a command',
          group: 'Everywhere',
          key: '$mod+k',
          whileTyping: true,
          run: () => (paletteOpen.value = true),
        },
        {
          id: 'keys',
          title: 'Show all keys',
          group: 'Everywhere',
          key: 'Shift+?',
          run: () => (keyMapOpen.value = true),
        },
        { id: 'theme', title: 'Light, dark or as the system', group: 'Everywhere', key: 'Shift+T', run: nextTheme },
        ...views.map((view) => ({
          id: `view.${view.id}`,
          title: view.title,
          group: 'Go to',
          key: `g ${view.letter}`,
          run: () => route(viewPath(view.id)),
        })),
      ]),
    [route],
  );
  useEffect(() => effect(showTitle), []);
  useEffect(() => {
    document.documentElement.dataset['view'] = path.split('/')[2] ?? '';
  }, [path]);
  if (connection.value === 'locked') return <LockedPage />;
  return (
    <div class="frame">
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Navigation />
      <main id="main" tabIndex={-1}>
        <ConnectionBanner />
        <Router>
          {pages.map(({ id, Page }) => (
            <Route key={id} path={`/dashboard/${id}/:place*`} component={routed(Page)} />
          ))}
          <Route default component={Home} />
        </Router>
      </main>
      <Palette />
      <KeyMap />
      <Toasts />
    </div>
  );
}

type LazyPage = (typeof pages)[number]['Page'];
const routedPages = new Map<LazyPage, (props: { place?: string }) => ReturnType<typeof EmptyState>>();

/** The same component for the same page each time: another one would be mounted anew with every change of the address. */
function routed(Page: LazyPage) {
  const known = routedPages.get(Page);
  if (known !== undefined) return known;
  const made = ({ place }: { place?: string }) => <Page rest={place ?? ''} />;
  routedPages.set(Page, made);
  return made;
}

function Home() {
  const { route, path } = useLocation();
  const isHome = /^\/dashboard\/?$/.test(path);
  useEffect(() => {
    if (isHome) route(viewPath('activity'), true);
  }, [isHome, route]);
  if (isHome) return null;
  return (
    <EmptyState icon="search" title="There is no such page">
      <a href={viewPath('activity')}>Go to the activity</a>
    </EmptyState>
  );
}

function showTitle(): void {
  const waiting = waitingCount.value;
  document.title = waiting === 0 ? 'Sightline' : `(${waiting}) Sightline`;
}
