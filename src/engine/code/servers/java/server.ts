import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { extensionsOfFamily } from '../../../../base/languages/byPath.ts';
import { pathToUri } from '../../../../base/paths.ts';
import { isAlive, ownIdentity, type ProcessIdentity } from '../../../../base/processIdentity.ts';
import { listFiles } from '../../../workspace/fileListing.ts';
import type { Project } from '../../../workspace/project.ts';
import { InstallOnNeed } from '../../../provision/installOnNeed.ts';
import type { Provision } from '../../../provision/provision.ts';
import type { ServerCommand, ServerDefinition } from '../definition.ts';

/**
 * Java through Eclipse's server. It says ServiceReady once the build's model is read; what is asked before that waits. What it keeps
 * of a project lies in our cache: nothing is written beside the sources.
 */
export function javaServer(provision: Provision): ServerDefinition {
  const sourcePaths = new Map<string, readonly string[]>();
  const settings = (project: Project) => settingsFor(project, sourcePaths.get(project.root) ?? []);
  return {
    id: 'java',
    runsToolchain: true,
    title: 'Java language server (jdtls)',
    languages: extensionsOfFamily('java'),
    configFiles: /^(pom\.xml|(build|settings)\.gradle(\.kts)?|gradle\.properties|\.classpath|\.project)$/,
    readiness: { sign: 'status', readStatus, isLoading: (title) => /Initialize|Import|Update project/i.test(title) },
    // A Java machine with a hundred bundles: under load it takes its time.
    startMs: 90_000,
    answersLate: true,
    missing: 'Install it with: sightline setup java',
    installation: new InstallOnNeed(provision, 'jdtls'),
    async locate(project): Promise<ServerCommand | undefined> {
      const engine = await provision.locate('jdtls', project);
      const [command, ...args] = engine.found ? engine.command : [];
      if (!engine.found || command === undefined) return undefined;
      sourcePaths.set(project.root, await looseSourceRoots(project));
      const folder = dataFolder(provision.cache.root, project.root);
      const places = ['-configuration', join(folder, 'configuration'), '-data', join(folder, 'data')];
      return { command, args: [...args, ...places], version: engine.version };
    },
    initializationOptions: (project) => ({
      bundles: [],
      workspaceFolders: [pathToUri(project.root)],
      settings: { java: settings(project) },
      // Without these, refactorings come as plain edits, which is what is applied here.
      extendedClientCapabilities: { classFileContentsSupport: true },
    }),
    configuration: (section, project) => (section === 'java' ? settings(project) : null),
    refreshDiagnostics: (path) => ({
      command: 'java.project.refreshDiagnostics',
      arguments: [pathToUri(path), 'thisFile', false],
    }),
  };
}

function readStatus(method: string, params: unknown): boolean | undefined {
  if (method !== 'language/status') return undefined;
  // The server's own notification has no other shape.
  const { type } = params as { type?: string };
  return type === 'ServiceReady' ? true : undefined;
}

/** What a build does is code of the project: of one that nobody trusts, no build is read. */
function settingsFor({ trusted }: Project, sourcePaths: readonly string[]): unknown {
  return {
    import: {
      generatesMetadataFilesAtProjectRoot: false,
      gradle: { enabled: trusted },
      maven: { enabled: trusted },
    },
    ...(sourcePaths.length === 0
      ? {}
      : { project: { sourcePaths, referencedLibraries: ['lib/**/*.jar', 'libs/**/*.jar'] } }),
    configuration: { updateBuildConfiguration: 'automatic' },
    autobuild: { enabled: true },
    maven: { downloadSources: false },
    eclipse: { downloadSources: false },
    completion: { guessMethodArguments: 'off' },
    referencesCodeLens: { enabled: false },
    implementationsCodeLens: 'none',
    telemetry: { enabled: false },
  };
}

const maxRead = 400;

/** The folders below which packages begin, in a tree that no build describes. */
async function looseSourceRoots(project: Project): Promise<string[]> {
  const { files } = await listFiles(project, { globs: ['**/*.java', '**/pom.xml', '**/*.gradle', '**/*.gradle.kts'] });
  if (files.some((file) => !file.endsWith('.java'))) return [];
  const roots = new Set<string>();
  for (const file of files.slice(0, maxRead)) {
    const text = readFileSync(join(project.root, file), 'utf8');
    const name = /^\s*package\s+([\w.]+)/m.exec(text)?.[1] ?? '';
    const folder = dirname(join(project.root, file));
    const suffix = name === '' ? '' : `/${name.replaceAll('.', '/')}`;
    if (folder.endsWith(suffix))
      roots.add(relative(project.root, suffix === '' ? folder : folder.slice(0, -suffix.length)));
  }
  // One root inside another would be excluded from it; the outer one stands for both.
  return [...roots].filter(
    (root) =>
      root !== '' && ![...roots].some((outer) => outer !== root && outer !== '' && root.startsWith(`${outer}/`)),
  );
}

/** Of one project and one process at a time: two servers in one folder would not start. */
function dataFolder(cacheRoot: string, root: string): string {
  const hash = createHash('sha256').update(root).digest('hex').slice(0, 12);
  const usual = join(dirname(cacheRoot), 'jdtls', `${basename(root)}-${hash}`);
  const self = ownIdentity();
  const owner = ownerOf(usual);
  const isOthers = owner !== undefined && !(owner.pid === self.pid && owner.start === self.start) && isAlive(owner);
  const folder = isOthers ? `${usual}-${self.pid}` : usual;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'owner.json'), JSON.stringify(self));
  return folder;
}

function ownerOf(folder: string): ProcessIdentity | undefined {
  const file = join(folder, 'owner.json');
  try {
    // Written by us.
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as ProcessIdentity) : undefined;
  } catch {
    return undefined;
  }
}
