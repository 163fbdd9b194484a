import { useSignal } from '@preact/signals';
import type { SettingView, SettingsView } from '../../../../src/dashboard/channel.ts';
import { call } from '../../client.ts';
import { toast } from '../../parts/toasts.tsx';
import { project } from '../../state.ts';

/** One setting: what it means, its value, where that comes from, and a way to change it. */
export function SettingRow({ setting, onChanged }: { setting: SettingView; onChanged: (view: SettingsView) => void }) {
  const problem = useSignal<string | undefined>(undefined);
  const save = async (value: unknown) => {
    try {
      onChanged(await call('settings.set', { key: setting.key, value, project: project.value }));
      problem.value = undefined;
      toast(
        setting.readAtStart
          ? 'Written; it counts when Sightline starts the next time.'
          : 'Written; it counts from now on.',
      );
    } catch (error) {
      problem.value = error instanceof Error ? error.message : String(error);
    }
  };
  const id = `setting-${setting.key}`;
  return (
    <div class="setting">
      <div>
        <label class="settingName mono" for={id}>
          {setting.key}
        </label>
        <p>{setting.description}</p>
        <p class="muted origin">{originText(setting)}</p>
        {problem.value !== undefined && (
          <p class="problem" role="alert" id={`${id}-problem`}>
            {problem.value}
          </p>
        )}
      </div>
      <div class="settingValue">
        <Editor
          key={JSON.stringify(setting.value)}
          id={id}
          setting={setting}
          hasProblem={problem.value !== undefined}
          onSave={(value) => void save(value)}
          onProblem={(text) => (problem.value = text)}
        />
        {setting.origin.endsWith('config.json') && (
          <button type="button" class="quiet" onClick={() => void save(undefined)}>
            Reset
          </button>
        )}
      </div>
    </div>
  );
}

interface EditorProps {
  id: string;
  setting: SettingView;
  hasProblem: boolean;
  onSave: (value: unknown) => void;
  onProblem: (text: string) => void;
}

/** As the schema wants it: a choice, a tick, a number, or JSON for lists and tables. */
function Editor({ id, setting, hasProblem, onSave, onProblem }: EditorProps) {
  const { schema, value } = setting;
  const choices = schema['enum'];
  const common = { id, 'aria-invalid': hasProblem, 'aria-describedby': hasProblem ? `${id}-problem` : undefined };
  if (Array.isArray(choices))
    return (
      <select {...common} value={String(value)} onChange={(event) => onSave(event.currentTarget.value)}>
        {choices.map((choice: unknown) => (
          <option key={String(choice)} value={String(choice)}>
            {String(choice)}
          </option>
        ))}
      </select>
    );
  if (schema['type'] === 'boolean')
    return (
      <input
        {...common}
        type="checkbox"
        checked={value === true}
        onChange={(event) => onSave(event.currentTarget.checked)}
      />
    );
  if (schema['type'] === 'integer' || schema['type'] === 'number')
    return (
      <input
        {...common}
        type="number"
        value={String(value)}
        onChange={(event) => onSave(event.currentTarget.value === '' ? undefined : Number(event.currentTarget.value))}
      />
    );
  return (
    <textarea
      {...common}
      class="mono"
      rows={Math.min(JSON.stringify(value, null, 2).split('\n').length + 1, 8)}
      defaultValue={JSON.stringify(value, null, 2)}
      onChange={(event) => {
        const given = parsed(event.currentTarget.value);
        if ('problem' in given) onProblem(given.problem);
        else onSave(given.value);
      }}
    />
  );
}

function parsed(text: string): { value: unknown } | { problem: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { problem: `This is not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function originText({ origin, scope, variable, readAtStart }: SettingView): string {
  const from =
    origin === 'default'
      ? 'the default'
      : origin === 'environment'
        ? `set by ${variable} in the environment, which is stronger than the file`
        : origin === 'flags'
          ? 'set on the command line, which is stronger than the file'
          : `from ${origin}`;
  const mayProject = { person: '', tighten: 'a project may make it stricter', project: 'a project may set it' }[scope];
  return [from, mayProject, readAtStart ? 'counts from the next start' : ''].filter(Boolean).join('; ');
}
