import { extensionsOfFamily } from '../../../../base/languages/byPath.ts';
import { InstallOnNeed } from '../../../provision/installOnNeed.ts';
import type { Provision } from '../../../provision/provision.ts';
import type { ServerCommand, ServerDefinition } from '../definition.ts';
import { compileCommands } from './compileCommands.ts';
import { CppCoverage } from './coverage.ts';

const flag = '--compile-commands-dir=';

/** C and C++ through clangd. It answers from the files it has indexed so far; its background index says by progress when that is all. */
export function cppServer(provision: Provision): ServerDefinition {
  return {
    id: 'cpp',
    runsToolchain: true,
    title: 'C and C++ language server (clangd)',
    languages: extensionsOfFamily('cpp'),
    configFiles: /^(compile_commands\.json|compile_flags\.txt|CMakeLists\.txt|meson\.build|\.clangd)$/,
    readiness: { sign: 'progress', quietMs: 6000 },
    missing: 'Install it with: sightline setup cpp',
    installation: new InstallOnNeed(provision, 'clangd'),
    async locate(project): Promise<ServerCommand | undefined> {
      const engine = await provision.locate('clangd', project);
      const [command, ...args] = engine.found ? engine.command : [];
      if (command === undefined || !engine.found) return undefined;
      const folder = await compileCommands(project);
      return { command, args: [...args, `${flag}${folder}`], version: engine.version };
    },
    coverage: (server) =>
      new CppCoverage(server, server.command.args.find((each) => each.startsWith(flag))?.slice(flag.length) ?? ''),
  };
}
