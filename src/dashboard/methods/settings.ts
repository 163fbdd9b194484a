import { z } from 'zod';
import { ToolError } from '../../base/errors.ts';
import { problemText } from '../../engine/workspace/settings/loader.ts';
import { changePersonFile } from '../../engine/workspace/settings/personFile.ts';
import { environmentVariable, isSettingKey, settingKeys, settingOf } from '../../engine/workspace/settings/settings.ts';
import type { SettingsStore } from '../../engine/workspace/settings/store.ts';
import type { SettingsView } from '../channel.ts';
import type { MethodContext } from '../dashboard.ts';
import { method, type AnyMethod } from '../method.ts';

/** What the person decided, and where. No tool reaches this. */
export function settingsMethods({ parts, stream }: MethodContext): AnyMethod[] {
  const { settings, projects } = parts.engines;
  return [
    method('settings.list', z.object({ project: z.string().optional() }), ({ project }) => view(settings, project)),
    method(
      'settings.set',
      z.object({ key: z.string(), value: z.unknown().optional(), project: z.string().optional() }),
      async ({ key, value, project }) => {
        if (!isSettingKey(key)) throw new ToolError('invalid_arguments', `There is no setting "${key}".`);
        await changePersonFile(settings.personFile, key, value);
        await settings.reload();
        for (const open of projects.list()) await settings.refresh(open);
        stream.send('settings', '', () => ({}));
        return view(settings, project);
      },
    ),
  ];
}

async function view(settings: SettingsStore, project: string | undefined): Promise<SettingsView> {
  const loaded = await settings.look(project);
  return {
    settings: settingKeys.map((key) => {
      const setting = settingOf(key);
      const { description, scope, readAtStart, default: usual } = setting;
      return {
        key,
        description,
        scope,
        readAtStart,
        variable: environmentVariable(key),
        schema: setting.jsonSchema(),
        default: usual,
        value: loaded.settings[key],
        origin: loaded.origins.get(key) ?? 'default',
      };
    }),
    problems: loaded.problems.map(problemText),
    files: { person: settings.personFile },
  };
}
