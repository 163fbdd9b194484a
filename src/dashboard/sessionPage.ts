import { escapeInvisible } from '../base/text/textBudget.ts';
import type { HistoryEntry } from '../server/history.ts';

/** Calls as one file that opens without the process. What the history keeps is redacted already; nothing in the file can run. */
export function sessionPage(title: string, entries: readonly HistoryEntry[]): string {
  const errors = entries.filter((entry) => entry.status === 'error').length;
  const tokens = entries.reduce((sum, entry) => sum + (entry.tokens ?? 0), 0);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escape(title)}</title>
<style>${style}</style>
</head>
<body>
<header><h1>${escape(title)}</h1>
<p>${entries.length} calls, ${errors} errors, about ${tokens} tokens of answers. Secrets are redacted.</p></header>
<main>
${entries.map(callHtml).join('\n')}
</main>
</body>
</html>
`;
}

function callHtml(entry: HistoryEntry): string {
  const { toolName, status, durationMs, timestamp, client, affectedFiles = [] } = entry;
  const parameters = JSON.stringify(entry.parameters, null, 2) ?? '{}';
  const files = affectedFiles.length === 0 ? '' : `<h2>Files</h2><pre>${escape(affectedFiles.join('\n'))}</pre>`;
  const answer = entry.error ?? entry.result ?? '';
  return `<details class="${status}" id="${escape(entry.id)}"><summary><time>${escape(timestamp)}</time> <b>${escape(toolName)}</b> <span>${status}</span> <span>${durationMs === undefined ? '' : `${durationMs} ms`}</span> <span>${escape(client)}</span></summary>
<h2>Parameters</h2><pre>${escape(parameters)}</pre>
<h2>${entry.error === undefined ? 'Result' : 'Error'}</h2><pre>${escape(answer)}</pre>${files}</details>`;
}

function escape(text: string): string {
  return escapeInvisible(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

const style = `
:root{color-scheme:light dark;--line:#8884;--muted:#777}
body{font:14px/1.5 system-ui,sans-serif;max-width:1000px;margin:0 auto;padding:24px}
h1{font-size:20px;margin:0}h2{font-size:12px;margin:12px 0 4px;color:var(--muted)}
header p{color:var(--muted)}
details{border-bottom:1px solid var(--line);padding:6px 0}
summary{cursor:pointer;display:flex;flex-wrap:wrap;gap:4px 12px}
summary time,summary span{color:var(--muted)}
details.error summary b{color:#c62828}
pre{font:12px/1.5 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere;background:#8881;padding:8px;border-radius:4px;margin:0}
`;
