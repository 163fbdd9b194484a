// The hash of every package in an npm lock. npm writes none for what it did not fetch, such as packages of other platforms; the registry knows it.
import { execFileSync } from 'node:child_process';

/** The entries that npm would install without looking at a hash. Links and the root are none of them. */
export function withoutIntegrity(packages) {
  return Object.entries(packages).filter(
    ([path, entry]) => path !== '' && !entry.link && entry.integrity === undefined,
  );
}

/** Fills them in; returns the names of those that the registry does not know. */
export function fillIntegrity(packages) {
  const unknown = [];
  for (const [path, entry] of withoutIntegrity(packages)) {
    const name = entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const integrity = integrityOf(`${name}@${entry.version}`);
    if (integrity === undefined) unknown.push(`${name}@${entry.version}`);
    else entry.integrity = integrity;
  }
  return unknown;
}

function integrityOf(release) {
  try {
    const answer = execFileSync('npm', ['view', release, 'dist.integrity', '--json', '--loglevel=silent'], {
      encoding: 'utf8',
    });
    return answer.trim() === '' ? undefined : JSON.parse(answer);
  } catch {
    return undefined;
  }
}
