import { expect, test } from 'vitest';
import { NotificationStore } from './notifications.ts';

test('newest first, the same thing once, other projects left out', () => {
  const store = new NotificationStore();
  const heard: string[] = [];
  store.onDidAdd.on((notification) => heard.push(`${notification.message} ${notification.count}`));
  store.add({ level: 'warning', source: 'gopls', message: 'died', project: '/a' });
  store.add({ level: 'info', source: 'settings', message: 'loaded' });
  store.add({ level: 'warning', source: 'gopls', message: 'died', project: '/b' });
  store.add({ level: 'warning', source: 'gopls', message: 'died', project: '/a' });
  expect(store.list({ project: '/a' }).map(({ message, count }) => `${message} ${count}`)).toEqual([
    'died 2',
    'loaded 1',
  ]);
  expect(store.list({ level: 'warning' })).toHaveLength(2);
  expect(heard).toEqual(['died 1', 'loaded 1', 'died 1', 'died 2']);
  const [first] = store.list();
  expect(store.dismiss(first?.id ?? '')).toBe(true);
  expect(store.dismiss('note_none')).toBe(false);
});

test('the number kept is bounded', () => {
  const store = new NotificationStore();
  for (let index = 0; index < 1000; index++) store.add({ level: 'info', source: 's', message: `m${index}` });
  expect(store.list()).toHaveLength(200);
  expect(store.list()[0]?.message).toBe('m999');
});
