import { effect, signal } from '@preact/signals';

type Theme = 'system' | 'light' | 'dark';

const key = 'sightline.theme';

export const theme = signal<Theme>(read());

effect(() => {
  if (theme.value === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme.value;
  try {
    localStorage.setItem(key, theme.value);
  } catch {
    // A browser that keeps nothing shows what the system says.
  }
});

export function nextTheme(): void {
  theme.value = theme.value === 'system' ? 'light' : theme.value === 'light' ? 'dark' : 'system';
}

function read(): Theme {
  try {
    const kept = localStorage.getItem(key);
    return kept === 'light' || kept === 'dark' ? kept : 'system';
  } catch {
    return 'system';
  }
}
