import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { MethodName, TextOrBytes } from '../../client/client.js';
import type { NodeRpcV1Methods } from '../../generated/node-rpc-v1.js';
import { client } from './connection.js';
import { type Failure, failureOf } from './failure.js';

/** A value that is being loaded, loaded, or failed to load. */
export type Loading<T> =
  | { readonly state: 'loading' }
  /** `stale` is the failure of the latest reload: the value is from before it. */
  | { readonly state: 'ready'; readonly value: T; readonly stale?: Failure }
  | { readonly state: 'failed'; readonly failure: Failure };

export interface Loaded<T> {
  readonly loading: Loading<T>;
  readonly reload: () => void;
}

const LOADING = { state: 'loading' } as const;

/**
 * Loads a value when a component appears and whenever one of `inputs` changes, which aborts an outdated load. A reload
 * keeps the last value until the next one arrives, even if it fails. During a load it only asks for another one after
 * it: otherwise frequent reloads would keep a slow node from ever answering.
 */
export function useLoaded<T>(
  load: (signal: AbortSignal) => Promise<T>,
  inputs: readonly unknown[],
): Loaded<T> {
  const [loading, setLoading] = useState<Loading<T>>(LOADING);
  const latest = useRef(load);
  latest.current = load;
  const again = useRef<(() => void) | undefined>(undefined);
  useEffect(() => {
    const { signal, abort } = abortable();
    const loader = serialLoader(async () => {
      try {
        const value = await latest.current(signal);
        if (!signal.aborted) setLoading({ state: 'ready', value });
      } catch (error) {
        if (signal.aborted) return;
        const failure = failureOf(error);
        setLoading((now) =>
          now.state === 'ready' ? { ...now, stale: failure } : { state: 'failed', failure },
        );
      }
    }, signal);
    setLoading((now) => (now.state === 'loading' ? now : LOADING));
    again.current = loader;
    loader();
    return abort;
  }, inputs);
  const reload = useCallback(() => again.current?.(), []);
  return { loading, reload };
}

/** The answer of a method, loaded as by {@link useLoaded}. @param inputs what `params` depend on */
export function useAnswer<M extends MethodName>(
  method: M,
  params: TextOrBytes<NodeRpcV1Methods[M]['params']>,
  inputs: readonly unknown[] = [],
): Loaded<NodeRpcV1Methods[M]['result']> {
  const node = client.value;
  return useLoaded((signal) => node.call(method, params, { signal }), [node, ...inputs]);
}

function abortable() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

/** Runs work one at a time; requests during a run cause a single further one. @param work must not reject */
function serialLoader(work: () => Promise<void>, signal: AbortSignal): () => void {
  let isRunning = false;
  let isWanted = false;
  const run = async () => {
    isWanted = true;
    if (isRunning) return;
    isRunning = true;
    while (isWanted && !signal.aborted) {
      isWanted = false;
      await work();
    }
    isRunning = false;
  };
  return () => void run();
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
