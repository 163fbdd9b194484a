import type { ComponentChildren } from 'preact';

/** The top line of a view: its name, a few words, and what can be done. */
export function ViewHeader({
  title,
  children,
  about,
}: {
  title: string;
  about?: string;
  children?: ComponentChildren;
}) {
  return (
    <header class="viewHeader">
      <h1>{title}</h1>
      {about !== undefined && <p class="muted">{about}</p>}
      <div class="actions">{children}</div>
    </header>
  );
}
