import { computed } from '@preact/signals';
import { baseName, clockTime, visible } from '../../parts/format.ts';
import { calls, filter, narrow, noFilter, shown } from './calls.ts';

const tools = computed(() => names(calls.value.map((each) => each.tool)));
const callers = computed(() => names(calls.value.map((each) => each.client)));
const roots = computed(() => names(calls.value.flatMap((each) => each.project ?? [])));

export function Filters() {
  const { tool, status, client, project, text, range } = filter.value;
  const isNarrowed = filter.value !== noFilter && shown.value.length !== calls.value.length;
  return (
    <div class="filters" role="search" aria-label="Calls">
      <input
        id="call-search"
        type="search"
        aria-label="Search in tools, parameters, results and errors"
        placeholder="Search calls"
        value={text}
        onInput={(event) => narrow({ text: event.currentTarget.value })}
      />
      <Choice label="Tool" value={tool} options={tools.value} onChange={(value) => narrow({ tool: value })} />
      <Choice
        label="Status"
        value={status}
        options={['pending', 'success', 'error']}
        onChange={(value) => narrow({ status: value })}
      />
      <Choice label="Client" value={client} options={callers.value} onChange={(value) => narrow({ client: value })} />
      <Choice
        label="Project"
        value={project}
        options={roots.value}
        name={baseName}
        onChange={(value) => narrow({ project: value })}
      />
      <select
        aria-label="Time"
        value={range === undefined ? '' : 'range'}
        onChange={(event) => narrow({ range: rangeOf(Number(event.currentTarget.value)) })}
      >
        <option value="">Any time</option>
        {range !== undefined && <option value="range">{rangeText(range)}</option>}
        <option value="5">Last 5 minutes</option>
        <option value="60">Last hour</option>
        <option value="1440">Last day</option>
      </select>
      <span class="muted shownCount" aria-live="polite">
        {isNarrowed
          ? `${shown.value.length} of ${calls.value.length}`
          : `${calls.value.length} ${calls.value.length === 1 ? 'call' : 'calls'}`}
      </span>
      {filter.value !== noFilter && (
        <button type="button" class="quiet" onClick={() => (filter.value = noFilter)}>
          Show all
        </button>
      )}
    </div>
  );
}

function Choice(props: {
  label: string;
  value: string;
  options: readonly string[];
  name?: (value: string) => string;
  onChange: (value: string) => void;
}) {
  const { label, value, options, onChange, name = visible } = props;
  return (
    <select aria-label={label} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      <option value="">{label}: all</option>
      {options.map((option) => (
        <option key={option} value={option}>
          {name(option)}
        </option>
      ))}
    </select>
  );
}

function names(all: readonly string[]): string[] {
  return [...new Set(all)].sort();
}

function rangeOf(minutes: number): { from: number; to: number } | undefined {
  return minutes === 0 || Number.isNaN(minutes) ? undefined : { from: Date.now() - minutes * 60_000, to: Infinity };
}

function rangeText({ from, to }: { from: number; to: number }): string {
  const end = to === Infinity ? 'now' : clockTime(new Date(to).toISOString());
  return `${clockTime(new Date(from).toISOString())} to ${end}`;
}
