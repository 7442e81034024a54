import { nowMs } from '../node/live.js';
import { age, utc } from '../text/format.js';

/** The age of a moment on the chain, with its time as a tooltip. */
export function Age({ ms }: { readonly ms: bigint }) {
  return (
    <time class="age" title={utc(ms)}>
      {age(Number(ms), nowMs.value)}
    </time>
  );
}

/** A moment on the chain, with its age. */
export function Moment({ ms }: { readonly ms: bigint }) {
  return (
    <>
      <time>{utc(ms)}</time> <span class="muted">({age(Number(ms), nowMs.value)})</span>
    </>
  );
}
