import { useCallback, useEffect, useState } from 'preact/hooks';
import { type Failure, failureOf } from './failure.js';

/** A value that is being loaded, loaded, or failed to load. */
export type Loading<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly value: T }
  | { readonly state: 'failed'; readonly failure: Failure };

export interface Loaded<T> {
  readonly loading: Loading<T>;
  readonly reload: () => void;
}

/**
 * Loads a value when a component appears and whenever one of `inputs` changes; an outdated load is aborted. A reload
 * keeps showing the last value until the next one arrives.
 */
export function useLoaded<T>(
  load: (signal: AbortSignal) => Promise<T>,
  inputs: readonly unknown[],
): Loaded<T> {
  const [loading, setLoading] = useState<Loading<T>>({ state: 'loading' });
  const [round, setRound] = useState(0);
  useEffect(() => {
    setLoading({ state: 'loading' });
  }, inputs);
  useEffect(() => {
    const ended = new AbortController();
    load(ended.signal).then(
      (value) => {
        if (!ended.signal.aborted) setLoading({ state: 'ready', value });
      },
      (error: unknown) => {
        if (!ended.signal.aborted) setLoading({ state: 'failed', failure: failureOf(error) });
      },
    );
    return () => ended.abort();
  }, [...inputs, round]);
  const reload = useCallback(() => setRound((count) => count + 1), []);
  return { loading, reload };
}

export interface Action<T> {
  /** Undefined until the first start. */
  readonly outcome: Loading<T> | undefined;
  readonly start: (run: () => Promise<T>) => void;
}

/** Runs an action that the user starts; a later start replaces the outcome of an earlier one. */
export function useAction<T>(): Action<T> {
  const [outcome, setOutcome] = useState<{ readonly of: object; readonly is: Loading<T> }>();
  const start = useCallback((run: () => Promise<T>) => {
    const of = {};
    const settle = (is: Loading<T>) => setOutcome((now) => (now?.of === of ? { of, is } : now));
    setOutcome({ of, is: { state: 'loading' } });
    run().then(
      (value) => settle({ state: 'ready', value }),
      (error: unknown) => settle({ state: 'failed', failure: failureOf(error) }),
    );
  }, []);
  return { outcome: outcome?.is, start };
}
