import { visible } from './format.ts';

/** Data as JSON with its parts told apart. Text only: nothing of it is ever taken for markup. */
export function JsonText({ value }: { value: unknown }) {
  const text = visible(JSON.stringify(value, null, 2) ?? 'undefined');
  const parts = text.split(token);
  return (
    <pre class="codeText" tabIndex={0}>
      {parts.map((part, index) =>
        index % 2 === 0 ? part : <span class={classOf(part, parts[index + 1])}>{part}</span>,
      )}
    </pre>
  );
}

const token = /("(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b|-?\b\d[\d.eE+-]*\b)/;

function classOf(part: string, next: string | undefined): string {
  if (part.startsWith('"')) return next?.startsWith(':') === true ? 'jsonKey' : 'jsonString';
  return 'jsonValue';
}
