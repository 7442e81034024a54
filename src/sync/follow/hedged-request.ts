import type { Source } from './source.js';
import { SourceError } from './source-error.js';

export interface HedgedRequestOptions<T> {
  readonly sources: readonly Source[];
  /** Rejects with a SourceError if the source fails. The signal is aborted once the response is no longer needed. */
  readonly ask: (source: Source, signal: AbortSignal) => Promise<T>;
  /** Delay without a valid response after which the next source is asked too, in milliseconds. */
  readonly hedgeDelayMs: number;
  /** Called for each late source while there is another one to ask. */
  readonly onLate: (source: Source, ms: number) => void;
  readonly signal: AbortSignal;
}

/** Abort reason once another source has responded. */
class Superseded extends Error {
  override readonly name = 'Superseded';
}

/**
 * Asks sources in order: the next one whenever all earlier ones are late or have failed. The first valid response
 * wins, and the remaining requests are aborted.
 * @returns undefined if all sources failed
 * @throws errors of `ask` other than SourceError; the signal's abort reason
 */
export async function hedgedRequest<T>(options: HedgedRequestOptions<T>): Promise<T | undefined> {
  const { sources, ask, hedgeDelayMs, onLate, signal } = options;
  const done = new AbortController();
  const asked = AbortSignal.any([signal, done.signal]);
  const running = new Set<Promise<{ readonly good: T } | undefined>>();
  const begin = (source: Source) => {
    const attempt = ask(source, asked).then(
      (good) => ({ good }),
      (error: unknown) => {
        running.delete(attempt);
        if (!(error instanceof SourceError)) throw error;
        return undefined;
      },
    );
    running.add(attempt);
  };
  try {
    for (const [place, source] of sources.entries()) {
      begin(source);
      const isLast = place === sources.length - 1;
      const first = await within(Promise.race(running), isLast ? undefined : hedgeDelayMs);
      if (first === LATE) onLate(source, hedgeDelayMs);
      else if (first !== undefined) return first.good;
    }
    while (running.size > 0) {
      const first = await Promise.race(running);
      if (first !== undefined) return first.good;
    }
    return undefined;
  } finally {
    done.abort(new Superseded('another source answered'));
  }
}

const LATE = Symbol('late');

/** @param ms undefined for no limit */
async function within<T>(promise: Promise<T>, ms: number | undefined): Promise<T | typeof LATE> {
  if (ms === undefined) return promise;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(resolve, ms, LATE);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
