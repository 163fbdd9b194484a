import { expect, it } from 'vitest';
import { dropSparing, withSparing } from './sparing.ts';

it('settings for our own process reach nothing that it starts, and those of the user stay', () => {
  const env = withSparing({ PATH: '/bin', MALLOC_ARENA_MAX: '8' });
  expect(env).toMatchObject({ PATH: '/bin', MALLOC_ARENA_MAX: '8', MALLOC_MMAP_THRESHOLD_: '131072' });
  dropSparing(env);
  expect(env).toEqual({ PATH: '/bin', MALLOC_ARENA_MAX: '8' });
});
