import { useSignal } from '@preact/signals';
import type { AgentView, InstallPlan, InstallTarget, InstallView } from '../../../../src/dashboard/channel.ts';
import { call } from '../../client.ts';
import { CodeText } from '../../parts/codeText.tsx';
import { CopyButton } from '../../parts/copyButton.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { DiffText } from '../../parts/diffText.tsx';
import { ErrorState } from '../../parts/errorState.tsx';
import { visible } from '../../parts/format.ts';
import { useLoaded } from '../../parts/loaded.ts';
import { orToast, toast } from '../../parts/toasts.tsx';
import { ViewHeader } from '../../parts/viewHeader.tsx';

/** Sightline in the agents of this machine, each change shown first. */
export default function Install() {
  const { value, error, reload, set } = useLoaded(() => call('install.list', {}), []);
  const planned = useSignal<{ target: InstallTarget; title: string; plan: InstallPlan } | undefined>(undefined);
  const look = async (agent: AgentView, action: InstallTarget['action']) => {
    const target = { agent: agent.id, action };
    planned.value = { target, title: agent.title, plan: await call('install.plan', target) };
  };
  return (
    <>
      <ViewHeader title="Install" about="Sightline in your agents" />
      <div class="viewBody install">
        {value === undefined && error === undefined && <p class="muted">Looking for agents…</p>}
        {error !== undefined && value === undefined && <ErrorState error={error} onRetry={reload} />}
        {value !== undefined && (
          <>
            <Agents view={value} onAction={(agent, action) => orToast(look(agent, action))} />
            <ByHand view={value} />
          </>
        )}
      </div>
      {planned.value !== undefined && (
        <PlanDialog {...planned.value} onDone={set} onClose={() => (planned.value = undefined)} />
      )}
    </>
  );
}

type OnAction = (agent: AgentView, action: InstallTarget['action']) => void;

function Agents({ view, onAction }: { view: InstallView; onAction: OnAction }) {
  const present = view.agents.filter((each) => each.present || each.state !== 'not installed');
  const others = view.agents.filter((each) => !present.includes(each));
  return (
    <>
      <section aria-label="Agents found here">
        <h2>Found on this machine</h2>
        {present.length === 0 && (
          <p class="muted">No agent was found. You can write the configuration of one all the same.</p>
        )}
        {present.map((each) => (
          <Agent key={each.id} agent={each} onAction={onAction} />
        ))}
      </section>
      {others.length > 0 && (
        <details>
          <summary>{others.length} agents that were not found here</summary>
          {others.map((each) => (
            <Agent key={each.id} agent={each} onAction={onAction} />
          ))}
        </details>
      )}
    </>
  );
}

const stateClass = { 'not installed': '', installed: 'ok', outdated: 'warn', broken: 'bad' } as const;

function Agent({ agent, onAction }: { agent: AgentView; onAction: OnAction }) {
  const { state } = agent;
  const verb = state === 'not installed' ? 'Install' : 'Repair';
  return (
    <div class="agent">
      <div>
        <p>
          <b>{agent.title}</b> <span class={`badge ${stateClass[state]}`}>{state}</span>
        </p>
        <p class="muted mono">{visible(agent.file)}</p>
        {agent.editors.length > 0 && <p class="muted">With the extension for {agent.editors.join(', ')}</p>}
        {agent.why !== undefined && <p class="problem">{visible(agent.why)}</p>}
      </div>
      <div class="agentActions">
        {state !== 'installed' && (
          <button
            type="button"
            class={state === 'not installed' ? 'primary' : ''}
            aria-label={`${verb} ${agent.title}`}
            onClick={() => onAction(agent, 'install')}
          >
            {verb}
          </button>
        )}
        {state === 'installed' && agent.editors.length > 0 && (
          <button
            type="button"
            aria-label={`Install the extension for ${agent.title}`}
            onClick={() => onAction(agent, 'install')}
          >
            Extension
          </button>
        )}
        {state !== 'not installed' && (
          <button
            type="button"
            class="danger"
            aria-label={`Remove ${agent.title}`}
            onClick={() => onAction(agent, 'remove')}
          >
            Remove
          </button>
        )}
      </div>
    </div>
  );
}

interface PlanDialogProps {
  target: InstallTarget;
  title: string;
  plan: InstallPlan;
  onDone: (view: InstallView) => void;
  onClose: () => void;
}

function PlanDialog({ target, title, plan, onDone, onClose }: PlanDialogProps) {
  const isBusy = useSignal(false);
  const apply = async () => {
    isBusy.value = true;
    try {
      const { message, works, view } = await call('install.apply', { ...target, fingerprint: plan.fingerprint });
      toast(message, works ? 'done' : 'failed');
      onDone(view);
    } finally {
      onClose();
    }
  };
  return (
    <Dialog title={`${target.action === 'install' ? 'Install in' : 'Remove from'} ${title}`} onClose={onClose}>
      <p class="mono">{visible(plan.file)}</p>
      {plan.own !== undefined && (
        <p>
          By the agent's own command: <code>{visible(plan.own)}</code>
        </p>
      )}
      {plan.diff === '' ? <p>Nothing would change in it.</p> : <DiffText text={plan.diff} />}
      {plan.extension.map((command) => (
        <p key={command}>
          {target.action === 'install' ? 'Its extension' : 'Without its extension'}: <code>{visible(command)}</code>
        </p>
      ))}
      <p class="buttonRow">
        <button
          type="button"
          class="primary"
          disabled={isBusy.value || (plan.diff === '' && plan.extension.length === 0)}
          onClick={() => orToast(apply())}
        >
          {isBusy.value ? 'Writing and trying…' : plan.diff === '' ? 'Run this' : 'Write this'}
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </p>
    </Dialog>
  );
}

function ByHand({ view }: { view: InstallView }) {
  return (
    <section aria-label="By hand" class="byHand">
      <h2>By hand</h2>
      <h3>
        Configuration
        <CopyButton text={view.configuration} label="Copy the configuration" />
      </h3>
      <CodeText text={view.configuration} />
      <h3>
        Rule for agents: CLAUDE.md, AGENTS.md, .cursor/rules
        <CopyButton text={view.rule} label="Copy the rule" />
      </h3>
      <CodeText text={view.rule} />
      {view.links.length > 0 && <h3>Links</h3>}
      <ul>
        {view.links.map((each) => (
          <li key={each.title}>
            <a href={each.link}>{each.title}</a>
            <CopyButton text={each.link} label={`Copy the link for ${each.title}`} />
          </li>
        ))}
      </ul>
    </section>
  );
}
