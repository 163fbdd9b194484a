import type { ExtensionMessage, PageMessage } from './messages.ts';

/**
 * Runs in the view before the dashboard's own script, which is that of every browser. A view has no way to the process: what the page
 * fetches and listens to is handed to the extension, and its addresses are kept inside the view.
 */
declare function acquireVsCodeApi(): { postMessage(message: PageMessage): void };

const host = acquireVsCodeApi();
const answers = new Map<number, (answer: Response) => void>();
const streams = new Map<number, Stream>();
let last = 0;

addEventListener('message', ({ data }: MessageEvent<ExtensionMessage>) => {
  if (data.kind === 'answer') {
    answers.get(data.id)?.(new Response(data.body, { status: data.status }));
    answers.delete(data.id);
  } else if (data.kind === 'event')
    streams.get(data.id)?.dispatchEvent(new MessageEvent('message', { data: data.data }));
  else if (data.kind === 'ended') streams.get(data.id)?.ended();
});

globalThis.fetch = (address, options) =>
  new Promise((resolve, reject) => {
    const id = ++last;
    answers.set(id, resolve);
    options?.signal?.addEventListener('abort', () => {
      if (!answers.delete(id)) return;
      host.postMessage({ kind: 'abort', id });
      reject(new DOMException('The call was taken back.', 'AbortError'));
    });
    const body = typeof options?.body === 'string' ? options.body : '';
    host.postMessage({ kind: 'call', id, path: typeof address === 'string' ? address : '', body });
  });

class Stream extends EventTarget {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSED = 2;
  readonly #id = ++last;
  readyState = Stream.OPEN;

  constructor() {
    super();
    streams.set(this.#id, this);
    host.postMessage({ kind: 'listen', id: this.#id });
  }

  close(): void {
    this.readyState = Stream.CLOSED;
    streams.delete(this.#id);
    host.postMessage({ kind: 'hangUp', id: this.#id });
  }

  /** The page tries again by itself. */
  ended(): void {
    this.readyState = Stream.CLOSED;
    streams.delete(this.#id);
    this.dispatchEvent(new Event('error'));
  }
}

Object.assign(globalThis, { EventSource: Stream });

// Before the page looks where it is.
history.replaceState(null, '', '/dashboard');
addEventListener(
  'click',
  (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[href^="/dashboard"]') : null;
    if (link === null || event.defaultPrevented) return;
    // The editor would open every link outside.
    event.preventDefault();
    event.stopImmediatePropagation();
    history.pushState(null, '', link.getAttribute('href'));
    dispatchEvent(new PopStateEvent('popstate'));
  },
  true,
);

// The page has colours and sizes of its own; those of the editor's other views would mix with them.
document.getElementById('_defaultStyles')?.remove();
try {
  localStorage.setItem('sightline.theme', document.currentScript?.dataset['theme'] ?? 'system');
} catch {
  // Then it follows the system.
}
