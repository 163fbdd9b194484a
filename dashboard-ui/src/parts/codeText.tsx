import { visible } from './format.ts';

/** Text of a program or project as it is. */
export function CodeText({ text }: { text: string }) {
  return (
    <pre class="codeText" tabIndex={0}>
      {visible(text)}
    </pre>
  );
}
