import { nowMs } from '../node/live.js';
import { age, isoTime, utc } from '../text/format.js';

/** The age of a moment on the chain; its time is the tooltip, and what screen readers add. */
export function Age({ ms }: { readonly ms: bigint }) {
  return (
    <time class="age" title={utc(ms)} dateTime={isoTime(ms)}>
      {age(Number(ms), nowMs.value)}
      <span class="sr-only">, {utc(ms)}</span>
    </time>
  );
}

/** A moment on the chain, with its age. */
export function Moment({ ms }: { readonly ms: bigint }) {
  return (
    <>
      <time dateTime={isoTime(ms)}>{utc(ms)}</time>{' '}
      <span class="muted">({age(Number(ms), nowMs.value)})</span>
    </>
  );
}
