import { SourceError } from './follow-error.js';
import type { Source } from './source.js';

export interface HedgedRequestOptions<T> {
  /** In the order in which they are asked. */
  readonly sources: readonly Source[];
  /** Rejects with a SourceError where the source failed; the signal is aborted once the answer is not needed any more. */
  readonly ask: (source: Source, signal: AbortSignal) => Promise<T>;
  /** After this time without a good answer the next source is asked too. */
  readonly hedgeDelayMs: number;
  /** Told of each source that was asked and did not answer in time, while there is another one to ask. */
  readonly onLate: (source: Source, ms: number) => void;
  readonly signal: AbortSignal;
}

/** Another source gave the answer. */
class Superseded extends Error {
  override readonly name = 'NotNeeded';
}

/**
 * Asks sources one after the other, the next one when those before are late or have failed. The first good answer wins; what is still
 * asked then is cancelled.
 * @returns undefined where all failed
 * @throws errors of `ask` that are no SourceError; the signal's reason
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
    done.abort(new Superseded('another source gave the answer'));
  }
}

const LATE = Symbol('late');

/** @param ms undefined: however long it takes */
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
