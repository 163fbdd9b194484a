import type { Provision } from '../../provision/provision.ts';
import type { ServerCommand, ServerDefinition } from './definition.ts';

/**
 * Python through ty. It answers nothing before it knows everything, offers both hierarchies, and reads the project without
 * running any of it. See docs/decisions/code-index.md for how it was compared with pyright.
 */
export function pythonServer(provision: Provision): ServerDefinition {
  return {
    id: 'python',
    title: 'Python language server (ty)',
    languages: { py: 'python', pyi: 'python' },
    configFiles: /^(pyproject\.toml|ty\.toml|setup\.(cfg|py)|pyvenv\.cfg)$/,
    readiness: { sign: 'answersWait' },
    restartOnDependencyChange: true,
    missing: 'Install it with: sightline setup python',
    async locate(project): Promise<ServerCommand | undefined> {
      const engine = await provision.locate('ty', project);
      if (!engine.found) return undefined;
      const [command, ...args] = engine.command;
      if (command === undefined) return undefined;
      const python = await provision.locate('python', project);
      return {
        command,
        args,
        ...(engine.version === undefined ? {} : { version: engine.version }),
        ...(python.found ? { detail: python.path } : {}),
      };
    },
    configuration: (section, _project, command) =>
      section === 'ty' && command.detail !== undefined
        ? { configuration: { environment: { python: command.detail } }, completions: { autoImport: true } }
        : null,
  };
}
