import { computed } from '@preact/signals';
import type { CallSummary } from '../../../../src/dashboard/channel.ts';
import { countText, visible } from '../../parts/format.ts';
import { shown } from './calls.ts';

interface Total {
  name: string;
  calls: number;
  errors: number;
  tokens: number;
}

const byTool = computed(() => totals(shown.value, (call) => call.tool));
const byClient = computed(() => totals(shown.value, (call) => call.client));

/** Calls, errors and tokens of what is shown, per tool and per client. */
export function Totals() {
  return (
    <div class="totals">
      <Chart title="By tool" totals={byTool.value} />
      <Chart title="By client" totals={byClient.value} />
    </div>
  );
}

function Chart({ title, totals: rows }: { title: string; totals: readonly Total[] }) {
  const most = Math.max(...rows.map((row) => row.calls), 1);
  return (
    <table>
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">
            <span class="hidden">Share</span>
          </th>
          <th scope="col" class="number">
            Calls
          </th>
          <th scope="col" class="number">
            Errors
          </th>
          <th scope="col" class="number">
            Tokens
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.slice(0, 12).map((row) => (
          <tr key={row.name}>
            <th scope="row">{visible(row.name)}</th>
            <td class="share">
              <span class="bar" style={{ width: `${(row.calls / most) * 100}%` }}>
                <span class="bad" style={{ width: `${(row.errors / row.calls) * 100}%` }} />
              </span>
            </td>
            <td class="number">{countText(row.calls)}</td>
            <td class="number">{row.errors === 0 ? '' : countText(row.errors)}</td>
            <td class="number">{countText(row.tokens)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function totals(calls: readonly CallSummary[], nameOf: (call: CallSummary) => string): Total[] {
  const found = new Map<string, Total>();
  for (const call of calls) {
    const name = nameOf(call);
    const total = found.get(name) ?? { name, calls: 0, errors: 0, tokens: 0 };
    total.calls++;
    if (call.status === 'error') total.errors++;
    total.tokens += call.tokens ?? 0;
    found.set(name, total);
  }
  return [...found.values()].sort((a, b) => b.calls - a.calls);
}
