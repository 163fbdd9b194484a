import type { PathMapping } from '../../../model.ts';

/** A path of one machine as the other one names it. */
export function mapPath(
  path: string,
  mappings: readonly PathMapping[],
  from: 'localRoot' | 'remoteRoot',
  to: 'localRoot' | 'remoteRoot',
): string {
  for (const mapping of mappings) {
    const root = mapping[from].replace(/\/$/, '');
    if (path === root || path.startsWith(`${root}/`)) return mapping[to].replace(/\/$/, '') + path.slice(root.length);
  }
  return path;
}
