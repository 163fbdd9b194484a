import { configuredServers } from '../engine/code/servers/configured.ts';
import type { ServerDefinition } from '../engine/code/servers/definition.ts';
import { configuredAdapters } from '../engine/debugger/adapters/configured.ts';
import type { AdapterDescription } from '../engine/debugger/target.ts';
import type { Project } from '../engine/workspace/project.ts';
import type { Settings } from '../engine/workspace/settings/settings.ts';

interface Configured {
  servers: readonly ServerDefinition[];
  adapters: readonly AdapterDescription[];
}

/** The servers and adapters that the settings of a project name, made once for as long as those stay as they are. */
export function configuredLanguages(settingsOf: (project: Project) => Settings): (project: Project) => Configured {
  const made = new WeakMap<object, Configured>();
  return (project) => {
    const { languages } = settingsOf(project);
    const known = made.get(languages) ?? {
      servers: configuredServers(languages),
      adapters: configuredAdapters(languages),
    };
    made.set(languages, known);
    return known;
  };
}
