import { useSignal } from '@preact/signals';
import type { Question, ThreadView } from '../../../../src/dashboard/channel.ts';
import { call } from '../../client.ts';
import { visible } from '../../parts/format.ts';
import { orToast } from '../../parts/toasts.tsx';

/** What the agent waits for. */
export function Questions({ thread }: { thread: ThreadView }) {
  return (
    <>
      {thread.questions.map((question) => (
        <article key={question.id} class="question" aria-label={visible(question.title)}>
          {question.kind === 'form' ? (
            <Form thread={thread.id} question={question} />
          ) : (
            <Permission thread={thread.id} question={question} />
          )}
        </article>
      ))}
    </>
  );
}

function Permission({ thread, question }: { thread: string; question: Question }) {
  const { verdict, options = [], url, host } = question;
  const answer = (params: { optionId?: string; allow?: boolean }) =>
    orToast(call('agents.answer', { id: thread, questionId: question.id, ...params }));
  return (
    <>
      <header>
        <h3>{visible(question.title)}</h3>
        {verdict !== undefined && (
          <span class={`badge ${verdict.decision === 'deny' ? 'bad' : verdict.decision === 'ask' ? 'warn' : 'ok'}`}>
            policy.{verdict.effect}: {verdict.decision}
          </span>
        )}
        {verdict !== undefined && <span class="muted">{visible(verdict.why)}</span>}
      </header>
      {url !== undefined && (
        <p>
          It wants you to open a page of <strong>{visible(host ?? '')}</strong>: <code>{visible(url)}</code>
        </p>
      )}
      <div class="buttonRow">
        {options.length === 0 ? (
          <>
            <button type="button" class="primary" onClick={() => answer({ allow: true })}>
              Done
            </button>
            <button type="button" class="danger" onClick={() => answer({ allow: false })}>
              Decline
            </button>
          </>
        ) : (
          options.map(({ id, name, kind }) => (
            <button
              key={id}
              type="button"
              class={kind.startsWith('reject') ? 'danger' : kind === 'allow_once' ? 'primary' : ''}
              onClick={() => answer({ optionId: id })}
            >
              {visible(name)}
            </button>
          ))
        )}
      </div>
    </>
  );
}

interface Field {
  type?: string;
  title?: string;
  description?: string;
  enum?: unknown[];
  default?: unknown;
}

function Form({ thread, question }: { thread: string; question: Question }) {
  const values = useSignal<Record<string, unknown>>({});
  const fields = Object.entries((question.schema?.['properties'] ?? {}) as Record<string, Field>);
  const required = (question.schema?.['required'] ?? []) as string[];
  const send = (params: { allow?: boolean; content?: Record<string, unknown> }) =>
    orToast(call('agents.answer', { id: thread, questionId: question.id, ...params }));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send({ content: values.value });
      }}
    >
      <h3>{visible(question.title)}</h3>
      <p class="muted">The agent asks this. Never enter passwords or keys here.</p>
      {fields.map(([name, field]) => (
        <FieldInput
          key={name}
          name={name}
          field={field}
          isRequired={required.includes(name)}
          onChange={(value) => (values.value = { ...values.value, [name]: value })}
        />
      ))}
      <div class="buttonRow">
        <button type="submit" class="primary">
          Answer
        </button>
        <button type="button" class="danger" onClick={() => send({ allow: false })}>
          Decline
        </button>
      </div>
    </form>
  );
}

function FieldInput(props: { name: string; field: Field; isRequired: boolean; onChange: (value: unknown) => void }) {
  const { name, field, isRequired, onChange } = props;
  const label = visible(field.title ?? name);
  if (field.type === 'boolean')
    return (
      <label>
        <input type="checkbox" onChange={(event) => onChange(event.currentTarget.checked)} /> {label}
      </label>
    );
  if (field.enum !== undefined)
    return (
      <label>
        {label}{' '}
        <select required={isRequired} onChange={(event) => onChange(event.currentTarget.value)}>
          <option value="" />
          {field.enum.map((each) => (
            <option key={String(each)}>{visible(String(each))}</option>
          ))}
        </select>
      </label>
    );
  const isNumber = field.type === 'number' || field.type === 'integer';
  return (
    <label title={field.description}>
      {label}{' '}
      {isNumber ? (
        <input type="number" required={isRequired} onInput={(event) => onChange(Number(event.currentTarget.value))} />
      ) : (
        <input type="text" required={isRequired} onInput={(event) => onChange(event.currentTarget.value)} />
      )}
    </label>
  );
}
