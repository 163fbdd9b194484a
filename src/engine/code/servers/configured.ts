import type { ConfiguredLanguages } from '../../workspace/settings/languages.ts';
import type { ServerDefinition } from './definition.ts';
import { escapeRegExp } from '../../../base/text/escapeRegExp.ts';

/** Servers that a person or a trusted project names in the settings. */
export function configuredServers(languages: ConfiguredLanguages): ServerDefinition[] {
  return Object.entries(languages).flatMap(([name, { extensions, server }]): ServerDefinition[] => {
    if (server === undefined) return [];
    const [command = '', ...args] = server.command;
    const markers = new Set(server.rootMarkers);
    return [
      {
        id: name,
        title: `${name} language server (${command.split('/').pop() ?? command})`,
        languages: Object.fromEntries(extensions.map((each) => [each.slice(1), server.languageId ?? name])),
        ...(markers.size === 0 ? {} : { configFiles: anyOf([...markers]) }),
        readiness: { sign: server.readiness ?? 'answersWait' },
        missing: `Only a trusted project starts it; the setting "languages" names ${command}.`,
        // A command of the settings is somebody's program: nothing is run where nobody trusts the project.
        locate: (project) => Promise.resolve(project.trusted ? { command, args } : undefined),
        initializationOptions: () => server.initializationOptions,
        configuration: (section) => (section === undefined ? server.settings : (server.settings?.[section] ?? null)),
      },
    ];
  });
}

function anyOf(names: readonly string[]): RegExp {
  return new RegExp(`^(?:${names.map((name) => escapeRegExp(name)).join('|')})$`);
}
