import { homedir } from 'node:os';
import { join } from 'node:path';
import type { FoundEngine } from '../../src/engine/provision/model.ts';
import { Provision } from '../../src/engine/provision/provision.ts';
import type { Project } from '../../src/engine/workspace/project.ts';

/**
 * Engines for tests live in one cache that survives the run, so that they are downloaded once. Give it to the program under
 * test as SIGHTLINE_CACHE.
 */
export const testCacheDir = process.env['SIGHTLINE_TEST_CACHE'] ?? join(homedir(), '.cache', 'sightline-test');

export function testProvision(): Provision {
  return new Provision({ cacheDir: testCacheDir, env: process.env });
}

/** The engine, installed for real if need be. A missing one fails the test; it never skips it. */
export async function ensureEngine(id: string, project?: Project): Promise<FoundEngine> {
  const provision = testProvision();
  const present = await provision.locate(id, project);
  if (present.found) return present;
  const [outcome] = await provision.install([id]);
  const located = await provision.locate(id, project);
  if (!located.found) throw new Error(`${id} could not be installed: ${outcome?.reason ?? located.reason}`);
  return located;
}
