import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { commands, keyText, type Command } from './commands.ts';
import { Dialog } from './parts/dialog.tsx';

export const paletteOpen = signal(false);
export const keyMapOpen = signal(false);

export function Palette() {
  return paletteOpen.value ? <OpenPalette /> : null;
}

function OpenPalette() {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const found = matching(commands.value, text);
  const chosen = Math.min(at, found.length - 1);
  const close = () => (paletteOpen.value = false);
  const run = (command: Command | undefined) => {
    close();
    command?.run();
  };
  useEffect(() => {
    list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) setAt((chosen + step + found.length) % Math.max(found.length, 1));
    else if (event.key === 'Enter') run(found[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Commands" onClose={close} bare>
      <input
        class="paletteInput"
        type="text"
        role="combobox"
        aria-label="Find a command"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={found.length === 0 ? undefined : `palette-${chosen}`}
        placeholder="Find a command"
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKey}
      />
      <ul id="palette-list" class="paletteList" role="listbox" aria-label="Commands" ref={list}>
        {found.map((command, index) => (
          <li
            key={command.id}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === chosen}
            onClick={() => run(command)}
            onMouseMove={() => setAt(index)}
          >
            <span class="muted">{command.group}</span>
            <span>{command.title}</span>
            {command.key !== undefined && <kbd>{keyText(command.key)}</kbd>}
          </li>
        ))}
        {found.length === 0 && <li class="muted nothing">Nothing is called that.</li>}
      </ul>
    </Dialog>
  );
}

/** Every word must occur, in any order. */
function matching(all: readonly Command[], text: string): Command[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return all.filter((command) => {
    const name = `${command.group} ${command.title}`.toLowerCase();
    return words.every((word) => name.includes(word));
  });
}

export function KeyMap() {
  if (!keyMapOpen.value) return null;
  const withKeys = commands.value.filter((command) => command.key !== undefined);
  const groups = [...new Set(withKeys.map((command) => command.group))];
  return (
    <Dialog title="Keys" onClose={() => (keyMapOpen.value = false)}>
      <div class="keyMap">
        {groups.map((group) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {withKeys
                .filter((command) => command.group === group)
                .map((command) => (
                  <div key={command.id}>
                    <dt>
                      <kbd>{keyText(command.key ?? '')}</kbd>
                    </dt>
                    <dd>{command.title}</dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
