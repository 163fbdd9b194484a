import { join } from 'node:path';
import type { Installer } from '../model.ts';
import { programsOnPath } from '../programs.ts';
import { runClient } from './client.ts';

/** Builds with the person's Go and its settings (GOPROXY, GOPRIVATE, GOFLAGS); module and build caches are the ordinary ones. */
export function goInstall(modulePath: string, version: string, program: string): Installer {
  const wanted = `${modulePath}@v${version}`;
  return {
    version,
    plan: async (context) => {
      const manualCommand = `go install ${wanted}`;
      const [go] = await programsOnPath(['go'], context);
      if (go === undefined) {
        return {
          reason: 'Go is not on PATH.',
          manualCommand: `install Go (https://go.dev/dl, or: sudo apt-get install golang-go), then: ${manualCommand}`,
        };
      }
      return {
        version,
        manualCommand,
        entry: `bin/${program}`,
        run: async (folder) => {
          await runClient('go', [go, 'install', wanted], context, {
            cwd: folder,
            env: { GOBIN: join(folder, 'bin'), GOWORK: 'off' },
          });
        },
      };
    },
  };
}
