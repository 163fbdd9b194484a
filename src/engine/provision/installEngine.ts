import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { throwIfCancelled } from '../../base/cancellation.ts';
import { CancelledError, errorMessage } from '../../base/errors.ts';
import { randomId } from '../../base/ids.ts';
import { scratchFolder } from '../../base/scratchFolders.ts';
import type { Project } from '../workspace/project.ts';
import type { EngineCache } from './engineCache.ts';
import type {
  EngineDeclaration,
  FindContext,
  InstallContext,
  InstallOptions,
  InstallOutcome,
  InstallPlan,
  LocatedEngine,
} from './model.ts';

/** What installing needs of `Provision`. */
interface InstallHost {
  readonly cache: EngineCache;
  locate(engineId: string, project?: Project): Promise<LocatedEngine>;
  contextFor(
    engine: EngineDeclaration,
    project: Project | undefined,
    options?: { runToken?: string },
  ): Promise<FindContext>;
}

/** Installs one engine unless a working one is there: under its lock, into a staging folder, checked, then renamed. */
export async function installEngine(
  provision: InstallHost,
  engine: EngineDeclaration,
  options: InstallOptions,
): Promise<InstallOutcome> {
  const tell = (phase: 'waiting' | 'installing' | 'checking' | 'done' | 'failed', message: string) =>
    options.progress?.({ engine: engine.id, phase, message });
  throwIfCancelled(options.signal);
  const present = await workingEngine(provision, engine, options);
  if (present !== undefined) {
    tell('done', `${engine.title} ${present.version ?? ''} is there already (${present.path})`);
    return present;
  }
  const lock = await provision.cache.lock(engine.installedAs ?? engine.id, {
    signal: options.signal,
    onWait: (pid) => tell('waiting', `process ${pid} is installing ${engine.title}`),
  });
  try {
    // Somebody else may have installed it while we waited for the lock.
    const meanwhile = await workingEngine(provision, engine, options);
    if (meanwhile !== undefined) {
      tell('done', `${engine.title} ${meanwhile.version ?? ''} is there already (${meanwhile.path})`);
      return meanwhile;
    }
    const outcome = await installUnderLock(provision, engine, options, tell);
    tell(
      outcome.status === 'failed' ? 'failed' : 'done',
      outcome.reason ?? `${engine.title} ${outcome.version ?? ''} installed`,
    );
    return outcome;
  } finally {
    await lock.release();
  }
}

async function installUnderLock(
  provision: InstallHost,
  engine: EngineDeclaration,
  options: InstallOptions,
  tell: (phase: 'installing' | 'checking', message: string) => void,
): Promise<InstallOutcome> {
  const runToken = randomId('install');
  const base = await provision.contextFor(engine, options.project, { runToken });
  const logFile = provision.cache.logFileOf(engine.id);
  await mkdir(dirname(logFile), { recursive: true });
  await writeFile(logFile, '');
  const context: InstallContext = {
    ...base,
    signal: options.signal,
    progress: (message) => {
      tell('installing', message);
      void appendFile(logFile, `${message}\n`).catch(() => undefined);
    },
  };
  const plan = await engine.install.plan(context);
  if (!('run' in plan)) return failed(engine, plan.reason, plan.manualCommand);

  tell('installing', `${engine.title} ${plan.version}`);
  if (plan.elsewhere) return installElsewhere(provision, engine, plan, options, context, logFile);
  const staging = await provision.cache.stage(engine.installedAs ?? engine.id, runToken);
  try {
    await plan.run(staging.folder, context);
    throwIfCancelled(options.signal);
    tell('checking', `starting ${engine.title}`);
    await check(engine, plan, staging.folder, context);
    const folder = await provision.cache.publish(engine.installedAs ?? engine.id, plan.version, plan.entry, staging);
    const located = await provision.locate(engine.id, options.project);
    return {
      id: engine.id,
      title: engine.title,
      status: 'installed',
      version: plan.version,
      path: located.found ? located.path : folder,
      source: located.found ? located.source : 'cache',
    };
  } catch (error) {
    if (error instanceof CancelledError || options.signal?.aborted) throw error;
    return { ...failed(engine, errorMessage(error), plan.manualCommand), logFile };
  } finally {
    await provision.cache.discard(staging);
  }
}

async function installElsewhere(
  provision: InstallHost,
  engine: EngineDeclaration,
  plan: InstallPlan,
  options: InstallOptions,
  context: InstallContext,
  logFile: string,
): Promise<InstallOutcome> {
  try {
    await plan.run('', context);
  } catch (error) {
    if (error instanceof CancelledError || options.signal?.aborted) throw error;
    return { ...failed(engine, errorMessage(error), plan.manualCommand), logFile };
  }
  const located = await provision.locate(engine.id, options.project);
  if (!located.found) return { ...failed(engine, located.reason, plan.manualCommand), logFile };
  const { version, path, source } = located;
  return { id: engine.id, title: engine.title, status: 'installed', version, path, source };
}

/** The engine that is there, if it really works; one in our cache that does not is installed anew. */
async function workingEngine(
  provision: InstallHost,
  engine: EngineDeclaration,
  options: InstallOptions,
): Promise<InstallOutcome | undefined> {
  const located = await provision.locate(engine.id, options.project);
  if (!located.found) return undefined;
  const context = await provision.contextFor(engine, options.project);
  try {
    await verify(engine, located.path, context);
  } catch {
    if (located.source === 'cache') return undefined;
  }
  const { version, path, source } = located;
  return { id: engine.id, title: engine.title, status: 'present', version, path, source };
}

async function check(engine: EngineDeclaration, plan: InstallPlan, folder: string, base: FindContext): Promise<void> {
  const context = { ...base, installed: folder };
  const cacheFinder = engine.find.find(({ source }) => source === 'cache');
  const [place = join(folder, plan.entry)] = (await cacheFinder?.paths(context)) ?? [];
  const path = typeof place === 'string' ? place : place.path;
  await engine.probe(path, context);
  await verify(engine, path, context);
}

async function verify(engine: EngineDeclaration, path: string, context: FindContext): Promise<void> {
  if (engine.verify === undefined) return;
  const scratch = await scratchFolder('check');
  try {
    await engine.verify(path, context, scratch);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function failed(engine: EngineDeclaration, reason: string, manualCommand: string): InstallOutcome {
  return { id: engine.id, title: engine.title, status: 'failed', reason, manualCommand };
}
