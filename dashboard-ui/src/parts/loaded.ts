import { useCallback, useEffect, useState } from 'preact/hooks';
import { returns } from '../client.ts';

interface Loaded<T> {
  value: T | undefined;
  error: unknown;
  isLoading: boolean;
  reload: () => void;
  set: (value: T) => void;
}

/** What `load` answers, asked again when one of `inputs` changes, somebody asks to, or the process was away. An answer that comes too late is dropped. */
export function useLoaded<T>(load: () => Promise<T>, inputs: readonly unknown[]): Loaded<T> {
  const [state, setState] = useState<{ value?: T; error?: unknown; isLoading: boolean }>({ isLoading: true });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let isWanted = true;
    setState((before) => ({ ...before, isLoading: true }));
    load().then(
      (value) => isWanted && setState({ value, isLoading: false }),
      (error: unknown) => isWanted && setState((before) => ({ ...before, error, isLoading: false })),
    );
    return () => {
      isWanted = false;
    };
  }, [...inputs, turn, returns.value]);
  const reload = useCallback(() => setTurn((count) => count + 1), []);
  const set = useCallback((value: T) => setState({ value, isLoading: false }), []);
  return { value: state.value, error: state.error, isLoading: state.isLoading, reload, set };
}
