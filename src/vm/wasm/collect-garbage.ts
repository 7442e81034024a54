import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: (() => void) | undefined;

/**
 * Frees what this thread no longer reaches, at once: V8 frees by what takes memory of its heap, and does not know how much
 * address space there is, or how much machine code. Takes some ten milliseconds.
 */
export function collectGarbage(): void {
  collect ??= exposedCollector();
  collect();
}

function exposedCollector(): () => void {
  // Flags belong to the process: switched off again, another thread's context might be made without it just then.
  setFlagsFromString('--expose-gc');
  const collector: unknown = runInNewContext('gc');
  if (typeof collector !== 'function') throw new TypeError('V8 gives no way to collect garbage');
  return () => {
    collector();
  };
}
