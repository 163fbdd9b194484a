import { useSignal } from '@preact/signals';
import { tool } from '../../client.ts';
import { EmptyState } from '../../parts/emptyState.tsx';
import { agoText, visible } from '../../parts/format.ts';
import { useLoaded } from '../../parts/loaded.ts';

interface Tally {
  lines: number;
  covered: number;
}

interface CoveredFile extends Tally {
  file: string;
  uncovered: string;
  uncoveredLines?: { line: number; text: string }[];
}

interface CoverageData {
  madeAt: string;
  total: Tally & { files: number };
  files: CoveredFile[];
  fullyCovered: number;
  moreFiles?: number;
}

/** How much of each file ran, the least covered first, and the lines that did not. */
export function Coverage({ where, version }: { where: string; version: string | undefined }) {
  const loaded = useLoaded(
    async () => tool('get_coverage', { limit: 200, max_chars: 60_000 }, where),
    [where, version],
  );
  const open = useSignal<string | undefined>(undefined);
  const reply = loaded.value;
  if (reply === undefined) return <p class="muted paneNote">Loading…</p>;
  if (reply.error !== undefined || reply.data === undefined)
    return (
      <EmptyState icon="chart" title="Nothing was measured yet">
        <p>{visible(reply.error?.message ?? '')}</p>
        <p>Tick “with coverage” and run the tests.</p>
      </EmptyState>
    );
  // The tool's own schema is what it answers with.
  const data = reply.data as unknown as CoverageData;
  return (
    <div class="viewBody">
      <p class="coverageTotal">
        <Bar tally={data.total} />
        <span class="muted">
          {data.total.files} {data.total.files === 1 ? 'file' : 'files'}, measured {agoText(data.madeAt)};{' '}
          {data.fullyCovered} completely covered
        </span>
      </p>
      <ul class="coverage">
        {data.files.map((file) => (
          <li key={file.file}>
            <button
              type="button"
              class="quiet"
              aria-expanded={open.value === file.file}
              onClick={() => (open.value = open.value === file.file ? undefined : file.file)}
            >
              <span class="mono coverageName">{visible(file.file)}</span>
              <Bar tally={file} />
            </button>
            {open.value === file.file && (
              <div class="uncovered">
                <p class="muted">
                  Did not run: {/^\d+$/.test(file.uncovered) ? 'line' : 'lines'} {visible(file.uncovered)}
                </p>
                {file.uncoveredLines !== undefined && (
                  <pre class="codeText">
                    {file.uncoveredLines
                      .map(({ line, text }) => `${String(line).padStart(5)}  ${visible(text)}`)
                      .join('\n')}
                  </pre>
                )}
              </div>
            )}
          </li>
        ))}
      </ul>
      {data.moreFiles !== undefined && <p class="muted">{data.moreFiles} more files</p>}
    </div>
  );
}

function Bar({ tally: { lines, covered } }: { tally: Tally }) {
  const percent = lines === 0 ? 100 : (100 * covered) / lines;
  return (
    <span class="coverageBar">
      <meter min={0} max={100} low={50} high={80} optimum={100} value={percent} aria-label="Lines that ran" />
      <span class="mono">{percent.toFixed(0)} %</span>
      <span class="muted">
        {covered}/{lines}
      </span>
    </span>
  );
}
