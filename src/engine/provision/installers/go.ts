import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolError } from '../../../base/errors.ts';
import type { InstallContext, InstallPlan, InstallRefusal, Installer } from '../model.ts';
import { goPin, type GoSubject } from '../pins.ts';
import { compareVersions } from '../programs.ts';
import { ForeignBytesError, runClient } from './client.ts';

interface GoProgram {
  module: string;
  /** The package of the program, when it is not the module itself. */
  package?: string;
  program: string;
  /** Newest first, each with the Go it needs: an older Go would have to download a whole other Go, or refuse. */
  releases: readonly { version: string; needsGo: string }[];
}

/** Builds with the person's Go and its settings (GOPROXY, GOPRIVATE, GOFLAGS); module and build caches are the ordinary ones. */
export function goInstall(wanted: GoProgram): Installer {
  const packageName = wanted.package ?? wanted.module;
  const subjectOf = (version: string): GoSubject => ({ client: 'go', module: wanted.module, version });
  return {
    version: wanted.releases[0]?.version,
    pinned: wanted.releases.map(({ version }) => subjectOf(version)),
    plan: async (context) => {
      const go = await context.locate('go');
      if (!go.found) {
        const newest = wanted.releases[0]?.version ?? 'latest';
        return {
          reason: 'Go was not found.',
          manualCommand: `${go.installCommand}; then: go install ${packageName}@v${newest}`,
        };
      }
      const version = go.version ?? '0';
      const release = wanted.releases.find(({ needsGo }) => compareVersions(version, needsGo) >= 0);
      if (release === undefined) return tooOld(wanted, version);
      return planFor(subjectOf(release.version), packageName, wanted.program, go.path, context);
    },
  };
}

function planFor(
  subject: GoSubject,
  packageName: string,
  program: string,
  go: string,
  context: InstallContext,
): InstallPlan {
  return {
    version: subject.version,
    manualCommand: `go install ${packageName}@v${subject.version}`,
    entry: `bin/${program}`,
    run: async (folder) => {
      const env = { GOBIN: join(folder, 'bin'), GOWORK: 'off' };
      await lockedModule(subject, folder, go, context, env);
      await runClient('go', [go, 'install', '-mod=readonly', packageName], context, { cwd: folder, env });
    },
  };
}

/**
 * `go install package@version` looks at no go.sum. So the folder becomes a module that needs the wanted one and has its very go.mod and go.sum:
 * the hash of the module is pinned, and with it what its go.sum says of everything it needs.
 */
async function lockedModule(
  subject: GoSubject,
  folder: string,
  go: string,
  context: InstallContext,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const { module, version } = subject;
  const pin = await goPin(subject);
  const [modFile, sumFile] = [join(folder, 'go.mod'), join(folder, 'go.sum')];
  const ownSums = `${module} v${version} ${pin.zip}\n${module} v${version}/go.mod ${pin.mod}\n`;
  await writeFile(modFile, 'module sightline.engine\n');
  await writeFile(sumFile, ownSums);
  const command = [go, 'mod', 'download', '-json', `${module}@v${version}`];
  const answer = await runClient('go', command, context, { cwd: folder, env, onLine: () => undefined });
  const { Dir: source, Sum: sum } = JSON.parse(answer) as { Dir?: string; Sum?: string };
  if (source === undefined) throw new ToolError('engine_failed', `go did not say where it put ${module}.`);
  if (sum !== pin.zip)
    throw new ForeignBytesError('go', `The hash of ${module} v${version} is ${sum}, not ${pin.zip}.`);
  const requirements = (await readFile(join(source, 'go.mod'), 'utf8')).replace(
    /^module .*/m,
    'module sightline.engine',
  );
  await writeFile(modFile, `${requirements}\nrequire ${module} v${version}\n`);
  await writeFile(sumFile, (await readFile(join(source, 'go.sum'), 'utf8')) + ownSums);
}

function tooOld(wanted: GoProgram, version: string): InstallRefusal {
  const oldest = wanted.releases.at(-1);
  return {
    reason: `Go ${version} is too old for ${wanted.program}: it needs ${oldest?.needsGo} or newer.`,
    manualCommand: 'install a newer Go (https://go.dev/dl)',
  };
}
