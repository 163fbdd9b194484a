import { useSignal } from '@preact/signals';
import type {
  FallenAdapterSummary,
  ServerSummary,
  TerminalSummary,
  ThreadView,
} from '../../../../src/dashboard/channel.ts';
import { call } from '../../client.ts';
import { CodeText } from '../../parts/codeText.tsx';
import { baseName, visible } from '../../parts/format.ts';
import { orToast, toast } from '../../parts/toasts.tsx';
import { viewPath } from '../../views.ts';

/** A program in a terminal asks for something that agents may not type. It goes to the terminal and is kept nowhere. */
export function PasswordPrompt({ terminal }: { terminal: TerminalSummary }) {
  const typed = useSignal('');
  const send = async () => {
    const text = typed.value;
    typed.value = '';
    await call('terminal.type', { id: terminal.id, text: `${text}\r` });
    toast('Typed; it is kept nowhere.');
  };
  const label = `${terminal.name} asks for a password`;
  return (
    <article class="question" aria-label={visible(label)}>
      <header>
        <h2>{visible(label)}</h2>
        <span class="badge warn">password</span>
        <span class="muted">in {baseName(terminal.project)}</span>
      </header>
      <CodeText text={terminal.passwordPrompt ?? ''} />
      <form
        class="buttonRow"
        onSubmit={(event) => {
          event.preventDefault();
          orToast(send());
        }}
      >
        <input
          type="password"
          autocomplete="off"
          aria-label={`Password for ${visible(terminal.name)}`}
          value={typed.value}
          onInput={(event) => (typed.value = event.currentTarget.value)}
        />
        <button type="submit" class="primary">
          Type it
        </button>
        <a href={viewPath('terminals', terminal.id)}>Open the terminal</a>
      </form>
      <p class="muted">Agents cannot type here now, and are not told what you type.</p>
    </article>
  );
}

/** A hosted agent waits; what it asks stands in its conversation, with what led to it. */
export function AskingThread({ thread }: { thread: ThreadView }) {
  const what = thread.state === 'signed_out' ? 'wants you to sign in' : 'asks you';
  const label = `${thread.agentTitle} ${what}`;
  return (
    <article class="question" aria-label={visible(label)}>
      <header>
        <h2>{visible(label)}</h2>
        <span class="badge warn">agent</span>
        <span class="muted">
          {visible(thread.title || 'New thread')}, in {visible(thread.projectName)}
        </span>
      </header>
      <a href={viewPath('agents', thread.id)}>Open the conversation</a>
    </article>
  );
}

/** It starts again with the next question, unless it has died too often; a person sees what it said and may forgive it. */
export function CrashedServer({ server }: { server: ServerSummary }) {
  const { title, project, crash } = server;
  const forgive = async () => {
    await call('health.forgive', { project, server: server.id });
    toast('The next question starts it again.');
  };
  return (
    <article class="question" aria-label={`${title} ended by itself`}>
      <header>
        <h2>{title} ended by itself</h2>
        <span class="badge bad">crashed</span>
        <span class="muted">in {baseName(project)}</span>
      </header>
      <p>{visible(crash?.reason ?? '')}</p>
      {crash !== undefined && crash.lastWords !== '' && <CodeText text={crash.lastWords} />}
      <div class="buttonRow">
        <button type="button" class="primary" onClick={() => orToast(forgive())}>
          Let it start again
        </button>
        <a href={viewPath('health', 'log')}>Look into the log</a>
      </div>
    </article>
  );
}

/** The session is over; the next one starts the adapter anew. A person sees what it said, and why the agent begins again. */
export function FallenAdapter({ fallen }: { fallen: FallenAdapterSummary }) {
  const { adapter, language, project, how, lastWords, sessionId, sessionName } = fallen;
  const label = `${adapter} ended by itself`;
  return (
    <article class="question" aria-label={visible(label)}>
      <header>
        <h2>{visible(label)}</h2>
        <span class="badge bad">crashed</span>
        <span class="muted">in {baseName(project)}</span>
      </header>
      <p>
        It debugged <a href={viewPath('debug', sessionId)}>{visible(sessionName)}</a> and ended with {visible(how)}. The
        session is over; the next one starts {visible(adapter)} anew.
      </p>
      {lastWords !== '' && <CodeText text={lastWords} />}
      <div class="buttonRow">
        <button
          type="button"
          class="primary"
          onClick={() => orToast(call('health.forgiveAdapter', { project, language }))}
        >
          I have seen it
        </button>
        <a href={viewPath('health', 'log')}>Look into the log</a>
      </div>
    </article>
  );
}
