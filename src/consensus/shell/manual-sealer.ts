import type { VerifiedTransaction } from '../../ledger/transaction-envelope.js';
import type { BlockHash } from '../core/types.js';

/** Thrown when consensus ends before a requested block is committed. */
export class SealError extends Error {
  override readonly name = 'SealError';
}

/** A block that somebody wants now. */
export interface RequestedBlock {
  /** Milliseconds since 1970; raised to the parent's time plus one if not later. */
  readonly timestampMs: number;
  /** Transactions that precede those of the pool, by default none. */
  readonly first?: readonly VerifiedTransaction[];
  /** Whether the block includes nothing of the pool. */
  readonly isAlone?: boolean;
}

interface SealRequest {
  readonly block: RequestedBlock;
  readonly resolve: (hash: BlockHash) => void;
  readonly reject: (error: Error) => void;
  /** Whether a proposal is being built for it. */
  isClaimed: boolean;
}

/** Serializes manual requests for blocks. */
export class ManualSealer {
  #request: SealRequest | undefined;
  #failure: Error | undefined;
  /** Settles when the last request and all before it have ended. */
  #last: Promise<unknown> = Promise.resolve();

  get isRequested(): boolean {
    return this.#request !== undefined;
  }

  /** The requested block, for a proposal that begins now; undefined if none is requested. */
  claim(): RequestedBlock | undefined {
    const request = this.#request;
    if (request === undefined) return undefined;
    request.isClaimed = true;
    return request.block;
  }

  /**
   * Requests a block once earlier requests have ended. Resolves with its hash when it is committed.
   * @param onRequested called when the block is requested, which counts as work
   * @throws the error that ended consensus first; SealError
   */
  async seal(
    block: RequestedBlock,
    prepare: () => Promise<void>,
    onRequested: () => void,
  ): Promise<BlockHash> {
    const sealed = this.#last.then(async () => {
      await prepare();
      return this.#seal(block, onRequested);
    });
    this.#last = sealed.catch(() => undefined);
    return sealed;
  }

  /** Ends the request if the committed block was built for it. @returns a function that resolves it */
  take(): ((hash: BlockHash) => void) | undefined {
    const request = this.#request;
    if (request?.isClaimed !== true) return undefined;
    this.#request = undefined;
    return request.resolve;
  }

  /** Rejects the pending request and all later ones. */
  fail(reason: Error): void {
    this.#failure ??= reason;
    this.#request?.reject(reason);
    this.#request = undefined;
  }

  #seal(block: RequestedBlock, onRequested: () => void): Promise<BlockHash> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) {
        reject(this.#failure);
        return;
      }
      this.#request = { block, resolve, reject, isClaimed: false };
      onRequested();
    });
  }
}
