import { join } from 'node:path';
import type { InstallContext, InstallPlan, InstallRefusal, Installer } from '../model.ts';
import { compareVersions } from '../programs.ts';
import { runClient } from './client.ts';

export interface GoProgram {
  package: string;
  program: string;
  /** Newest first, each with the Go it needs: an older Go would have to download a whole other Go, or refuse. */
  releases: readonly { version: string; needsGo: string }[];
}

/** Builds with the person's Go and its settings (GOPROXY, GOPRIVATE, GOFLAGS); module and build caches are the ordinary ones. */
export function goInstall(wanted: GoProgram): Installer {
  return {
    version: wanted.releases[0]?.version,
    plan: async (context) => {
      const go = await context.locate('go');
      if (!go.found) {
        const newest = wanted.releases[0]?.version ?? 'latest';
        return {
          reason: 'Go was not found.',
          manualCommand: `${go.installCommand}; then: go install ${wanted.package}@v${newest}`,
        };
      }
      const version = go.version ?? '0';
      const release = wanted.releases.find(({ needsGo }) => compareVersions(version, needsGo) >= 0);
      return release === undefined ? tooOld(wanted, version) : planFor(wanted, release.version, go.path, context);
    },
  };
}

function planFor(wanted: GoProgram, version: string, go: string, context: InstallContext): InstallPlan {
  const target = `${wanted.package}@v${version}`;
  return {
    version,
    manualCommand: `go install ${target}`,
    entry: `bin/${wanted.program}`,
    run: async (folder) => {
      await runClient('go', [go, 'install', target], context, {
        cwd: folder,
        env: { GOBIN: join(folder, 'bin'), GOWORK: 'off' },
      });
    },
  };
}

function tooOld(wanted: GoProgram, version: string): InstallRefusal {
  const oldest = wanted.releases.at(-1);
  return {
    reason: `Go ${version} is too old for ${wanted.program}: it needs ${oldest?.needsGo} or newer.`,
    manualCommand: 'install a newer Go (https://go.dev/dl)',
  };
}
