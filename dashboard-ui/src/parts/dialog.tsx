import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';

/** A window over the page. The browser keeps the focus inside and gives it back; Escape and a click beside it close it. */
export function Dialog({
  title,
  onClose,
  children,
  bare = false,
}: {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  /** Without a heading of its own. */
  bare?: boolean;
}) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    element.current?.showModal();
  }, []);
  return (
    <dialog
      ref={element}
      aria-label={title}
      class={bare ? 'bare' : ''}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === element.current) onClose();
      }}
    >
      <div class="dialogBody">
        {!bare && (
          <header>
            <h2>{title}</h2>
            <button type="button" class="quiet iconOnly" aria-label="Close" onClick={onClose}>
              <Icon name="cross" />
            </button>
          </header>
        )}
        {children}
      </div>
    </dialog>
  );
}
