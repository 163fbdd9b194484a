import { visible } from './format.ts';

/** A unified diff, or any text in which lines begin with + and -. */
export function DiffText({ text }: { text: string }) {
  return (
    <pre class="codeText diffText" tabIndex={0}>
      {visible(text.replace(/\n+$/, ''))
        .split('\n')
        .map((line, index) => (
          <span key={index} class={lineClass(line)}>
            {line}
            {'\n'}
          </span>
        ))}
    </pre>
  );
}

export function isDiff(text: string): boolean {
  return /^@@ |^[+-]{3} /m.test(text);
}

function lineClass(line: string): string {
  if (/^(\+\+\+|---) /.test(line)) return 'diffFile';
  if (line.startsWith('@@')) return 'diffPlace';
  if (line.startsWith('+')) return 'diffAdded';
  return line.startsWith('-') ? 'diffRemoved' : '';
}
