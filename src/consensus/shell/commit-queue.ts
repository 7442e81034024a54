import type { BlockChain } from '../../chain/block-chain.js';
import type { PendingBlock } from '../../chain/pending-blocks.js';
import type { FinalityCertificate } from '../../generated/node-rpc-v1.js';

/** Where the time of a block went, from its arrival or the start of its proposal on, in milliseconds. */
export interface SealTiming {
  readonly totalMs: number;
  readonly commitMs: number;
}

/** Blocks that are final. */
export interface CommitRequest {
  /** Of the last one. */
  readonly hash: Uint8Array;
  /** Its certificate; undefined where it is made when it is asked for. */
  readonly certificate: FinalityCertificate | undefined;
}

export interface CommitQueueOptions {
  readonly chain: Pick<BlockChain, 'commit' | 'trySuspects'>;
  /** Told of each block once it is written. */
  readonly onCommitted: (block: PendingBlock, commitMs: number) => void;
  /** Told that candidates which were at fault can be drawn again. */
  readonly onSuspectsCleared: () => void;
}

/** Writes final blocks, one lot after the other; proposing on the tip waits for that. */
export class CommitQueue {
  readonly #options: CommitQueueOptions;
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(options: CommitQueueOptions) {
    this.#options = options;
  }

  /** Whether nothing is being written. */
  get isIdle(): boolean {
    return this.#waiting === 0;
  }

  /** Resolves when all that was to be written is; never rejects. */
  get idle(): Promise<void> {
    return this.#last;
  }

  /**
   * @param before what has to be written before
   * @throws StoreError; ChainError where the block is not known
   */
  commit({ hash, certificate }: CommitRequest, before?: () => Promise<void>): Promise<void> {
    const { chain, onCommitted } = this.#options;
    return this.#enqueue(async () => {
      await before?.();
      const commits = await chain.commit(hash, certificate);
      for (const { block, commitMs } of commits) onCommitted(block, commitMs);
    });
  }

  /** Tries candidates that were at fault, between two blocks. @throws what is no candidate's fault */
  trySuspects(timestampMs: bigint): Promise<void> {
    const { chain, onSuspectsCleared } = this.#options;
    return this.#enqueue(async () => {
      if (await chain.trySuspects(timestampMs)) onSuspectsCleared();
    });
  }

  #enqueue(work: () => Promise<void>): Promise<void> {
    this.#waiting++;
    const done = this.#last.then(work);
    const ended = () => {
      this.#waiting--;
    };
    this.#last = done.then(ended, ended);
    return done;
  }
}
