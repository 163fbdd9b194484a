import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { LogLevel } from '../../../../src/dashboard/channel.ts';
import { call } from '../../client.ts';
import { CopyButton } from '../../parts/copyButton.tsx';
import { ErrorState } from '../../parts/errorState.tsx';
import { clockTime, visible } from '../../parts/format.ts';
import { useLoaded } from '../../parts/loaded.ts';

const levels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];
const shownLines = 500;

/** The end of Sightline's own log, newest last. */
export function LogViewer() {
  const level = useSignal<LogLevel>('info');
  const text = useSignal('');
  const list = useRef<HTMLDivElement>(null);
  const { value, error, reload } = useLoaded(
    () => call('health.log', { level: level.value, text: text.value, limit: shownLines }),
    [level.value, text.value],
  );
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && reload(), 3000);
    return () => clearInterval(timer);
  }, [reload]);
  useEffect(() => {
    const element = list.current;
    if (element !== null) element.scrollTop = element.scrollHeight;
  }, [value?.lines.length, level.value, text.value]);
  return (
    <div class="logViewer">
      <div class="filters">
        <input
          type="search"
          aria-label="Search the log"
          placeholder="Search the log"
          value={text.value}
          onInput={(event) => (text.value = event.currentTarget.value)}
        />
        <select
          aria-label="Level"
          value={level.value}
          onChange={(event) => (level.value = levels.find((each) => each === event.currentTarget.value) ?? 'info')}
        >
          {levels.map((each) => (
            <option key={each} value={each}>
              {each} and above
            </option>
          ))}
        </select>
        {value !== undefined && (
          <span class="muted logFile">
            <code>{value.file}</code>
            <CopyButton text={value.file} label="Copy the path of the log" />
          </span>
        )}
      </div>
      {error !== undefined && value === undefined && <ErrorState error={error} onRetry={reload} />}
      <div class="logLines codeText" ref={list} tabIndex={0} role="log" aria-label="Log">
        {value?.lines.map((line, index) => (
          <div key={index} class={`logLine ${line.level}`}>
            <span class="muted">{clockTime(line.time)}</span> <b>{line.level}</b>{' '}
            <span class="muted">{visible(line.tag)}</span> {visible(line.message)}
          </div>
        ))}
        {value?.lines.length === 0 && <p class="muted">Nothing in the log is like that.</p>}
      </div>
    </div>
  );
}
