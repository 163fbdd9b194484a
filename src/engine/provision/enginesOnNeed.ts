import { withTimeout } from '../../base/cancellation.ts';
import { ToolError } from '../../base/errors.ts';
import type { Project } from '../workspace/project.ts';
import { InstallOnNeed } from './installOnNeed.ts';
import type { FoundEngine } from './model.ts';
import type { Provision } from './provision.ts';

interface EngineNeed {
  project: Project;
  /** What it is needed for, to end a sentence: `debug Go`. */
  purpose: string;
  progress?: ((message: string) => void) | undefined;
}

/** A call waits so long for an installation; that goes on without it. */
const patienceMs = 32_000;

/** Engines that a session cannot do without: found, or fetched into our own cache. Who cannot wait so long is told that it goes on. */
export class EnginesOnNeed {
  readonly provision: Provision;
  readonly #installations = new Map<string, InstallOnNeed>();

  constructor(provision: Provision) {
    this.provision = provision;
  }

  async get(engineId: string, { project, purpose, progress }: EngineNeed): Promise<FoundEngine> {
    const located = await this.provision.locate(engineId, project);
    if (located.found) return located;
    const installation = this.#installation(engineId);
    progress?.(`installing ${located.title}`);
    const since = Date.now();
    await withTimeout(installation.ensure(project), patienceMs, () => stillInstalling(located.title, purpose, since));
    const now = await this.provision.locate(engineId, project);
    if (now.found) return now;
    throw new ToolError(
      'engine_missing',
      `${now.title} is needed to ${purpose}. ${installation.failure ?? now.reason}`,
      { hint: `Run: ${now.installCommand}` },
    );
  }

  #installation(engineId: string): InstallOnNeed {
    const known = this.#installations.get(engineId) ?? new InstallOnNeed(this.provision, engineId);
    this.#installations.set(engineId, known);
    return known;
  }
}

function stillInstalling(title: string, purpose: string, since: number): ToolError {
  const seconds = Math.round((Date.now() - since) / 1000);
  return new ToolError(
    'engine_missing',
    `${title}, which is needed to ${purpose}, is being installed (${seconds} s so far).`,
    { hint: 'The installation goes on by itself; make the same call again in a minute.' },
  );
}
