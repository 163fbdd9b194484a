import { extensionsOfFamily } from '../../../../base/languages/byPath.ts';
import { InstallOnNeed } from '../../../provision/installOnNeed.ts';
import type { Provision } from '../../../provision/provision.ts';
import type { Project } from '../../../workspace/project.ts';
import type { ServerCommand, ServerDefinition } from '../definition.ts';
import { cargoCheck } from './cargoCheck.ts';
import { implTypes } from './implTypes.ts';

/** Rust through rust-analyzer. Before it says that it is quiescent it answers "none" to everything. */
export function rustServer(provision: Provision): ServerDefinition {
  return {
    id: 'rust',
    runsToolchain: true,
    title: 'Rust language server (rust-analyzer)',
    languages: extensionsOfFamily('rust'),
    configFiles: /^(Cargo\.(toml|lock)|rust-toolchain(\.toml)?)$/,
    readiness: {
      sign: 'status',
      readStatus: (method, params) =>
        method === 'experimental/serverStatus' ? (params as { quiescent?: boolean }).quiescent === true : undefined,
      // Checks and single requests have progress of their own; what counts is the status.
      isLoading: () => false,
    },
    problemsLackWhat:
      'the problems are those that rust-analyzer finds by itself; cargo check, which finds more, was not run',
    problemSource: cargoCheck,
    repairs: { types: implTypes },
    missing: 'Install it with: sightline setup rust',
    installation: new InstallOnNeed(provision, 'rust-analyzer'),
    async locate(project): Promise<ServerCommand | undefined> {
      const engine = await provision.locate('rust-analyzer', project);
      const [command, ...args] = engine.found ? engine.command : [];
      return command === undefined || !engine.found ? undefined : { command, args, version: engine.version };
    },
    initializationOptions: (project) => settings(project),
    configuration: (section, project) => (section === 'rust-analyzer' ? settings(project) : null),
  };
}

/** Build scripts and macros of a project are its code: they run only when a person trusts it. */
function settings(project: Project): object {
  return {
    cargo: { buildScripts: { enable: project.trusted }, allTargets: true },
    procMacro: { enable: project.trusted },
    checkOnSave: false,
    cachePriming: { enable: false },
    completion: { callable: { snippets: 'none' }, postfix: { enable: false } },
    diagnostics: { experimental: { enable: true } },
  };
}
