import type { PermissionMode, ThreadOption, ThreadView } from '../../../../src/dashboard/channel.ts';
import { call } from '../../client.ts';
import { countText, visible } from '../../parts/format.ts';
import { orToast } from '../../parts/toasts.tsx';

const modes: Readonly<Record<PermissionMode, string>> = {
  ask: 'ask me',
  policy: 'by policy',
  allow: 'allow all',
  deny: 'deny all',
};

/** What can be chosen, what it costs, and what the agent made of our tools. */
export function Facts({ thread }: { thread: ThreadView }) {
  const { server, usage, id } = thread;
  const tools =
    server.listed === undefined
      ? 'tools: none asked for yet'
      : `tools: ${server.listed} seen by this agent, ${server.calls} ${server.calls === 1 ? 'call' : 'calls'}, ${countText(server.tokens)} tokens`;
  const called = Object.entries(server.byTool).map(([name, count]) => `${name} ${count}`);
  return (
    <div class="threadFacts">
      {thread.options.map((option) => (
        <OptionPicker key={option.id} id={id} option={option} />
      ))}
      <label>
        Permissions
        <select
          value={thread.permissions}
          onChange={(event) => {
            const wanted = event.currentTarget.value;
            const mode = (Object.keys(modes) as PermissionMode[]).find((each) => each === wanted);
            if (mode !== undefined) orToast(call('agents.setPermissions', { id, mode }));
          }}
        >
          {Object.entries(modes).map(([mode, name]) => (
            <option key={mode} value={mode}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <span class={`badge ${server.listed === undefined ? 'warn' : 'ok'}`} title={called.join(', ')}>
        {tools}
      </span>
      {usage !== undefined && (
        <span
          class="badge"
          title={usage.cost === undefined ? undefined : `${usage.cost.amount} ${usage.cost.currency}`}
        >
          context: {countText(usage.used)} of {countText(usage.size)}
        </span>
      )}
    </div>
  );
}

function OptionPicker({ id, option }: { id: string; option: ThreadOption }) {
  const set = (value: string | boolean) => orToast(call('agents.setOption', { id, option: option.id, value }));
  if (option.type === 'boolean')
    return (
      <label title={option.description}>
        <input type="checkbox" checked={option.value === true} onChange={(event) => set(event.currentTarget.checked)} />
        {visible(option.name)}
      </label>
    );
  return (
    <label title={option.description}>
      {visible(option.name)}
      <select value={String(option.value)} onChange={(event) => set(event.currentTarget.value)}>
        {option.choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {visible(choice.group === undefined ? choice.name : `${choice.group}: ${choice.name}`)}
          </option>
        ))}
      </select>
    </label>
  );
}
