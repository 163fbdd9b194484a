import type { CallDetails } from '../../../../src/dashboard/channel.ts';
import { call } from '../../client.ts';
import { CodeText } from '../../parts/codeText.tsx';
import { CopyButton } from '../../parts/copyButton.tsx';
import { ErrorState } from '../../parts/errorState.tsx';
import { agoText, clockTime, countText, durationText, visible } from '../../parts/format.ts';
import { Icon } from '../../parts/icon.tsx';
import { JsonText } from '../../parts/jsonText.tsx';
import { useLoaded } from '../../parts/loaded.ts';
import { Tabs, type Tab } from '../../parts/tabs.tsx';
import { viewPath } from '../../views.ts';
import { calls } from './calls.ts';

/** One call whole: what was asked, what came of it, in both forms. */
export function CallPane({ id, onClose }: { id: string; onClose: () => void }) {
  const status = calls.value.find((each) => each.id === id)?.status;
  const { value, error, reload } = useLoaded(() => call('history.get', { id }), [id, status]);
  return (
    <section class="callPane" aria-label="Call">
      <header>
        <h2>{value === undefined ? 'Call' : visible(value.tool)}</h2>
        {value !== undefined && <span class={`badge ${value.status}`}>{value.status}</span>}
        <span class="paneActions">
          <CopyButton text={location.origin + viewPath('activity', id)} label="Copy a link to this call" />
          <button type="button" class="quiet iconOnly" aria-label="Close the call" onClick={onClose}>
            <Icon name="cross" />
          </button>
        </span>
      </header>
      {error !== undefined && value === undefined && <ErrorState error={error} onRetry={reload} />}
      {value !== undefined && <Details details={value} />}
    </section>
  );
}

function Details({ details }: { details: CallDetails }) {
  return (
    <div class="paneBody">
      <dl class="facts">
        <Fact name="When">
          <time dateTime={details.time}>
            {clockTime(details.time)} ({agoText(details.time)})
          </time>
        </Fact>
        <Fact name="Client">{visible(details.client)}</Fact>
        {details.project !== undefined && <Fact name="Project">{visible(details.project)}</Fact>}
        <Fact name="Took">{details.status === 'pending' ? 'still at work' : durationText(details.durationMs)}</Fact>
        {details.tokens !== undefined && <Fact name="Answer">about {countText(details.tokens)} tokens</Fact>}
      </dl>
      <Tabs tabs={tabsOf(details)} label="Parts of the call" />
      {details.affectedFiles.length > 0 && (
        <>
          <h3>Files it affected</h3>
          <ul class="fileList">
            {details.affectedFiles.map((file) => (
              <li key={file} class="mono">
                <Icon name="file" />
                {visible(file)}
              </li>
            ))}
          </ul>
        </>
      )}
      <p class="again">
        <CopyButton text={details.commandLine} label="Copy the command that repeats this call">
          Copy as sightline call
        </CopyButton>
      </p>
    </div>
  );
}

function tabsOf(details: CallDetails): Tab[] {
  const tabs: Tab[] = [];
  if (details.wholeError !== undefined)
    tabs.push({ id: 'error', title: 'Error', content: () => <CodeText text={details.wholeError ?? ''} /> });
  if (details.result !== undefined)
    tabs.push({ id: 'text', title: 'Result', content: () => <CodeText text={details.result ?? ''} /> });
  if (details.data !== undefined)
    tabs.push({ id: 'data', title: 'As data', content: () => <JsonText value={details.data} /> });
  return [...tabs, { id: 'parameters', title: 'Parameters', content: () => <JsonText value={details.parameters} /> }];
}

function Fact({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
