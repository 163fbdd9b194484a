import { signal } from '@preact/signals';
import { tinykeys } from 'tinykeys';

/** Something a person can do, by the palette, by a key or by both. */
export interface Command {
  id: string;
  title: string;
  /** Under which heading the palette and the map of keys show it. */
  group: string;
  /** As tinykeys writes it: `g a`, `$mod+k`, `F8`. */
  key?: string;
  /** Also while somebody types. */
  whileTyping?: boolean;
  run(): void;
}

export const commands = signal<readonly Command[]>([]);

/** Adds commands until the returned function is called: views add theirs while they are shown. */
export function addCommands(added: readonly Command[]): () => void {
  commands.value = [...commands.value.filter((known) => !added.some(({ id }) => id === known.id)), ...added];
  const bindings: Record<string, (event: KeyboardEvent) => void> = {};
  for (const command of added) {
    if (command.key === undefined) continue;
    bindings[command.key] = (event) => {
      // A window in front has its own keys.
      const isElsewhere = isTyping(event.target) || document.querySelector('dialog[open]') !== null;
      if (command.whileTyping !== true && isElsewhere) return;
      event.preventDefault();
      command.run();
    };
  }
  // Which commands hold while somebody types is said by each.
  const release = tinykeys(window, bindings, { ignore: (event) => event.isComposing });
  return () => {
    release();
    commands.value = commands.value.filter((known) => !added.includes(known));
  };
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
    !(target instanceof HTMLInputElement && /^(checkbox|radio|button)$/.test(target.type))
  );
}

/** A key as people read it. */
export function keyText(key: string): string {
  const mod = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl+';
  return key
    .replaceAll('$mod+', mod)
    .replaceAll('Shift+?', '?')
    .replaceAll('Shift+', '⇧')
    .replaceAll('Escape', 'Esc')
    .replace(/\b([a-z])\b/g, (letter) => (key.includes(' ') || key.length === 1 ? letter : letter.toUpperCase()));
}
