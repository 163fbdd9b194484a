import type { ReadonlySignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import type { IconName } from './parts/icon.tsx';
import { sessions, waitingCount } from './state.ts';
import { computed } from '@preact/signals';

export interface ViewProps {
  /** What follows the view in the address: `/dashboard/activity/<rest>`. */
  rest: string;
}

interface View {
  id: string;
  title: string;
  icon: IconName;
  /** `g` and this letter go there. */
  letter: string;
  load: () => Promise<{ default: ComponentType<ViewProps> }>;
  /** Shown beside its name when it is not 0. */
  count?: ReadonlySignal<number>;
}

/** Every view, in the order of the navigation. A view is a room in `views/` and a line here. */
export const views: readonly View[] = [
  {
    id: 'activity',
    title: 'Activity',
    icon: 'pulse',
    letter: 'a',
    load: () => import('./views/activity/activity.tsx'),
  },
  {
    id: 'agents',
    title: 'Agents',
    icon: 'agent',
    letter: 'g',
    load: () => import('./views/agents/agents.tsx'),
  },
  {
    id: 'needs-you',
    title: 'Needs you',
    icon: 'hand',
    letter: 'n',
    load: () => import('./views/needsYou/needsYou.tsx'),
    count: waitingCount,
  },
  {
    id: 'debug',
    title: 'Debug',
    icon: 'bug',
    letter: 'd',
    load: () => import('./views/debug/debug.tsx'),
    count: computed(() => sessions.value.filter(({ state }) => state === 'paused').length),
  },
  {
    id: 'changes',
    title: 'Changes',
    icon: 'diff',
    letter: 'c',
    load: () => import('./views/changes/changes.tsx'),
  },
  {
    id: 'tests',
    title: 'Tests and jobs',
    icon: 'flask',
    letter: 't',
    load: () => import('./views/tests/tests.tsx'),
  },
  {
    id: 'terminals',
    title: 'Terminals',
    icon: 'terminal',
    letter: 'm',
    load: () => import('./views/terminals/terminals.tsx'),
  },
  { id: 'health', title: 'Health', icon: 'heart', letter: 'h', load: () => import('./views/health/health.tsx') },
  {
    id: 'settings',
    title: 'Settings',
    icon: 'sliders',
    letter: 's',
    load: () => import('./views/settings/settings.tsx'),
  },
  { id: 'install', title: 'Install', icon: 'plug', letter: 'i', load: () => import('./views/install/install.tsx') },
];

export function viewPath(id: string, rest = ''): string {
  return `/dashboard/${id}${rest === '' ? '' : `/${rest}`}`;
}
