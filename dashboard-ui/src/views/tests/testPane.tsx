import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import type { TestRow } from '../../../../src/dashboard/channel.ts';
import { tool } from '../../client.ts';
import { CopyButton } from '../../parts/copyButton.tsx';
import { CodeText } from '../../parts/codeText.tsx';
import { DiffText } from '../../parts/diffText.tsx';
import { baseName, visible } from '../../parts/format.ts';
import { Icon } from '../../parts/icon.tsx';
import { orToast, toast } from '../../parts/toasts.tsx';
import { viewPath } from '../../views.ts';
import { nameOf } from './testTree.tsx';

const repetitions = 20;

/** One test: what failed and how, and what can be done about it. */
export function TestPane(props: {
  test: TestRow;
  where: string;
  run: (args: Record<string, unknown>) => Promise<void>;
}) {
  const { test, where, run } = props;
  const { route } = useLocation();
  const isStarting = useSignal(false);
  const only = { ...(test.file === undefined ? {} : { files: [test.file] }), name: test.name };
  const debug = async () => {
    isStarting.value = true;
    try {
      const name = test.file === undefined ? test.name : `${test.file}::${test.name}`;
      const reply = await tool('start_debug_session', { test: name, stop_on_entry: true, wait_ms: 30_000 }, where);
      if (reply.error !== undefined) toast(reply.error.message, 'failed');
      const id = reply.data?.['sessionId'];
      if (typeof id === 'string') route(viewPath('debug', id));
    } finally {
      isStarting.value = false;
    }
  };
  return (
    <section class="testPane" aria-label="Test">
      <header>
        <h2>{visible(nameOf(test))}</h2>
        <p class="muted mono">
          {test.file === undefined
            ? ''
            : `${visible(baseName(test.file))}${test.line === undefined ? '' : `:${test.line}`}`}
        </p>
        <div class="testActions">
          <button type="button" class="primary" disabled={isStarting.value} onClick={() => orToast(debug())}>
            <Icon name="bug" />
            {isStarting.value ? 'Starting…' : 'Debug this'}
          </button>
          <button type="button" onClick={() => orToast(run(only))}>
            <Icon name="play" />
            Run
          </button>
          <button type="button" onClick={() => orToast(run({ ...only, repeat: repetitions, until_fails: true }))}>
            <Icon name="refresh" />
            Run until it fails
          </button>
          <CopyButton text={location.href} label="Copy a link to this test" />
        </div>
      </header>
      {test.reason !== undefined && <p>{visible(test.reason)}</p>}
      {test.failures.length === 0 && test.status === 'passed' && <p class="muted">It passed.</p>}
      {test.failures.map((failure, index) => (
        <article key={index} class="testFailure">
          <CodeText text={failure.message} />
          {failure.place !== undefined && (
            <p class="mono muted">
              {visible(baseName(failure.place.file))}:{failure.place.line} {visible(failure.place.text ?? '')}
            </p>
          )}
          {failure.diff === undefined ? (
            failure.expected !== undefined && (
              <DiffText text={`${marked('-', failure.expected)}\n${marked('+', failure.actual ?? '')}`} />
            )
          ) : (
            <DiffText text={failure.diff} />
          )}
          {(failure.diff ?? failure.expected) !== undefined && (
            <p class="muted legend">
              <span class="removed">− expected</span> <span class="added">+ actual</span>
            </p>
          )}
        </article>
      ))}
    </section>
  );
}

function marked(mark: string, text: string): string {
  return text
    .split('\n')
    .map((line) => `${mark} ${line}`)
    .join('\n');
}
