import { Virtualizer, elementScroll, observeElementOffset, observeElementRect } from '@tanstack/virtual-core';
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useReducer, useRef } from 'preact/hooks';

interface VirtualListProps<T extends object> {
  items: readonly T[];
  keyOf: (item: T) => string;
  /** Drawn once per item: an item that changes is another object. */
  row: (item: T) => VNode;
  rowHeight: number;
  label: string;
  chosen: string | undefined;
  onChoose: (key: string) => void;
  /** Stays at the end while the end is shown, and says when it does not any more. */
  onFollow?: (isAtEnd: boolean) => void;
  /** Changed to bring the end into view. */
  toEnd?: number;
}

/** A list of any length of which only what is seen is there. Arrow keys, Home, End and the page keys move the choice. */
export function VirtualList<T extends object>(props: VirtualListProps<T>) {
  const { items, keyOf, row, rowHeight, label, chosen, onChoose, onFollow, toEnd } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [, redraw] = useReducer((count: number, _: undefined) => count + 1, 0);
  const follows = useRef(true);
  const drawn = useRef(new WeakMap<T, VNode>());
  const drawOnce = (item: T) => {
    const known = drawn.current.get(item) ?? row(item);
    drawn.current.set(item, known);
    return known;
  };
  const virtualizer = useRef<Virtualizer<HTMLDivElement, HTMLDivElement>>(undefined);
  const options = {
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 4,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: () => redraw(undefined),
  };
  virtualizer.current ??= new Virtualizer(options);
  const list = virtualizer.current;
  list.setOptions(options);
  useEffect(() => list._didMount(), [list]);
  useLayoutEffect(() => list._willUpdate());
  const scrollToEnd = () => {
    const element = scroller.current;
    if (element !== null) element.scrollTop = element.scrollHeight;
  };
  useLayoutEffect(() => {
    if (onFollow !== undefined && follows.current) scrollToEnd();
  }, [items.length]);
  useLayoutEffect(() => {
    if (toEnd !== undefined && toEnd > 0) scrollToEnd();
  }, [toEnd]);
  const onScroll = () => {
    const element = scroller.current;
    if (element === null || onFollow === undefined) return;
    const isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight < rowHeight * 1.5;
    if (isAtEnd === follows.current) return;
    follows.current = isAtEnd;
    onFollow(isAtEnd);
  };
  const at = chosen === undefined ? -1 : items.findIndex((item) => keyOf(item) === chosen);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = nextIndex(event.key, at, items.length, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight));
    const item = next === undefined ? undefined : items[next];
    if (next === undefined || item === undefined) return;
    event.preventDefault();
    onChoose(keyOf(item));
    list.scrollToIndex(next, { align: 'auto' });
  };
  const seen = list.getVirtualItems();
  return (
    <div
      ref={scroller}
      class="virtualList"
      role="listbox"
      aria-label={label}
      aria-activedescendant={at === -1 ? undefined : `row-${chosen}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onScroll={onScroll}
    >
      <div class="virtualListBody" role="presentation" style={{ height: `${list.getTotalSize()}px` }}>
        {/* One offset for all rows: an offset of its own for each costs the browser more than drawing it. */}
        <div role="presentation" style={{ height: `${seen[0]?.start ?? 0}px` }} />
        {seen.map(({ index }) => {
          const item = items[index];
          if (item === undefined) return null;
          const key = keyOf(item);
          return (
            <div
              key={key}
              id={`row-${key}`}
              role="option"
              aria-selected={key === chosen}
              aria-setsize={items.length}
              aria-posinset={index + 1}
              class="virtualRow"
              style={{ height: `${rowHeight}px` }}
              onClick={() => onChoose(key)}
            >
              {drawOnce(item)}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function nextIndex(key: string, at: number, count: number, page: number): number | undefined {
  const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page };
  if (count === 0) return undefined;
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  const step = steps[key];
  if (step === undefined) return undefined;
  if (at === -1) return step > 0 ? 0 : count - 1;
  return Math.min(Math.max(at + step, 0), count - 1);
}
