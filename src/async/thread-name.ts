import { writeFileSync } from 'node:fs';
import { isMainThread, type MessagePort, parentPort } from 'node:worker_threads';

/**
 * The names of the node's threads besides `main`. A hyphen at the end is followed by the thread's number.
 * Linux shows at most 15 characters.
 */
export type ThreadName =
  /** Takes requests. */
  | `front-${number}`
  /** View calls, simulations and traces. */
  | 'call-'
  /** Listings and other short reads of the store. */
  | 'read-'
  /** Signatures, and the execution of blocks. */
  | 'block-'
  /** The state tree. */
  | 'proofs'
  /** Proofs of old states. */
  | 'old-proofs'
  /** Cuts a checkpoint. */
  | 'checkpoint'
  /** Votes and certificates. */
  | 'signatures'
  | 'store-writer'
  /** Reads a forked chain. */
  | 'fork';

/** The options that name a worker thread: profilers show `name`, and the thread itself reads its arguments. */
export function named(name: ThreadName): { readonly name: string; readonly argv: string[] } {
  return { name, argv: [name] };
}

/** Memory that numbers the threads of a pool, from 1. */
export function threadNumbers(): SharedArrayBuffer {
  return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
}

/** The name of this thread, without its number in a pool. */
export const threadName = isMainThread ? 'main' : (process.argv[2] ?? 'worker');

/** Shows this thread's name, and returns its port to the thread that started it. @throws Error on the main thread */
export function beginThread(): MessagePort {
  if (parentPort === null) throw new Error('this module runs only as a worker thread of the node');
  showThreadName();
  return parentPort;
}

/**
 * Shows this thread's name to `top -H` and to system-wide profilers, where the system allows it: the engine does so by
 * itself only from Node 24 on, and not for the threads of a pool.
 * @param numbers of the pool that the thread belongs to
 */
export function showThreadName(numbers?: SharedArrayBuffer): void {
  if (process.platform !== 'linux' || isMainThread) return;
  const number = numbers === undefined ? '' : Atomics.add(new Int32Array(numbers), 0, 1) + 1;
  try {
    writeFileSync('/proc/thread-self/comm', `${threadName}${number}`);
  } catch (error) {
    // A container may hide or protect these files.
    if (!(error instanceof Error && 'syscall' in error)) throw error;
  }
}
