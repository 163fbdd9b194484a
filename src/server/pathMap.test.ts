import { describe, expect, it } from 'vitest';
import { PathMap } from './pathMap.ts';

const map = new PathMap({
  '/workspace': '/home/me/project',
  '/workspace/vendor/': '/opt/vendor',
  'C:\\Users\\me\\code': '/mnt/c/Users/me/code',
});

describe('paths of clients that see the files elsewhere', () => {
  it.each([
    ['/workspace', '/home/me/project'],
    ['/workspace/src/a.ts', '/home/me/project/src/a.ts'],
    ['/workspace/vendor/x.js', '/opt/vendor/x.js'],
    ['file:///workspace/a.ts', 'file:///home/me/project/a.ts'],
    ['C:\\Users\\me\\code\\src\\a.ts', '/mnt/c/Users/me/code/src/a.ts'],
    ['/workspace/a.ts:12', '/home/me/project/a.ts:12'],
  ])('%s is %s, and back', (theirs, ours) => {
    expect(map.inward(theirs)).toBe(ours);
    expect(map.outward(ours)).toBe(theirs);
  });

  it.each(['/workspaces/a.ts', 'workspace/a.ts', 'src/a.ts', '/elsewhere', ''])('%s is nobody else', (path) => {
    expect(map.inward(path)).toBe(path);
  });

  it('maps values that are paths, and leaves texts that contain some', () => {
    const data = {
      file: '/home/me/project/a.ts',
      list: [{ root: '/home/me/project' }],
      content: 'see /home/me/project',
    };
    expect(map.outwardData(data)).toEqual({
      file: '/workspace/a.ts',
      list: [{ root: '/workspace' }],
      content: 'see /home/me/project',
    });
    expect(map.outwardText('x.ts does not exist in the project /home/me/project.')).toBe(
      'x.ts does not exist in the project /workspace.',
    );
  });
});
