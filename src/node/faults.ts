import { randomUUID } from 'node:crypto';
import { ChainError } from '../chain/chain-error.js';
import { BoundedLog } from '../config/bounded-log.js';
import type { Log } from '../config/log.js';
import { ProofError, type ProofErrorCode } from '../proofs/proof-error.js';
import { StoreError, type StoreErrorCode } from '../storage/store-error.js';

export const FAULT_ORIGINS = ['callback', 'uncaught_exception', 'unhandled_rejection'] as const;

export type FaultOrigin = (typeof FAULT_ORIGINS)[number];

/**
 * Faults without a caller that end the node: the store cannot write or contradicts itself, or the state contradicts a
 * header. Any other concerns one request, transaction or connection. Parts that cannot continue, such as the proof
 * worker, end the node through their `onFailure`.
 */
const FATAL_STORE: ReadonlySet<StoreErrorCode> = new Set(['write_failed', 'damaged', 'wrong_format']);
const FATAL_PROOFS: ReadonlySet<ProofErrorCode> = new Set(['damaged', 'root_mismatch']);

export interface WatchedProcess {
  on(event: 'uncaughtException' | 'unhandledRejection', listener: (error: unknown) => void): unknown;
  off(event: 'uncaughtException' | 'unhandledRejection', listener: (error: unknown) => void): unknown;
}

export interface FaultsOptions {
  readonly log: Pick<Log, 'error'>;
  readonly fail: (error: Error) => void;
  readonly count: (origin: FaultOrigin) => void;
}

/**
 * Handles errors that have no caller: callbacks of timers, threads and sockets report them, and the process-wide
 * handlers catch the rest. A fatal error ends the node. Any other is counted and, below the log's limit, logged with
 * an id.
 */
export class Faults {
  readonly #options: FaultsOptions;
  readonly #log: BoundedLog;

  constructor(options: FaultsOptions) {
    this.#options = options;
    this.#log = new BoundedLog(options.log);
  }

  /** Never throws. @param where the failed activity, such as `answering a call` */
  report(error: unknown, where: string, origin: FaultOrigin = 'callback'): void {
    this.#options.count(origin);
    if (isFatal(error)) {
      this.#options.fail(asError(error));
      return;
    }
    const errorId = randomUUID();
    this.#log.error(
      { err: asError(error), error_id: errorId, origin },
      `internal error ${errorId} while ${where}; the node continues`,
    );
  }

  /** Handles the process's uncaught exceptions and rejections. @returns a function that ends this */
  watch(process: WatchedProcess): () => void {
    const onException = (error: unknown) => this.report(error, 'no caller was waiting', 'uncaught_exception');
    const onRejection = (error: unknown) =>
      this.report(error, 'no caller was waiting', 'unhandled_rejection');
    process.on('uncaughtException', onException);
    process.on('unhandledRejection', onRejection);
    return () => {
      process.off('uncaughtException', onException);
      process.off('unhandledRejection', onRejection);
    };
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(`thrown: ${String(error)}`);
}

/** Whether an error or one of its causes is fatal to the node. */
export function isFatal(error: unknown): boolean {
  let at = error;
  // A chain of causes may be cyclic.
  for (let depth = 0; depth < 16 && at instanceof Error; depth++) {
    if (at instanceof StoreError) return FATAL_STORE.has(at.code);
    if (at instanceof ProofError && FATAL_PROOFS.has(at.code)) return true;
    if (at instanceof ChainError && at.code === 'damaged') return true;
    at = at.cause;
  }
  return false;
}
