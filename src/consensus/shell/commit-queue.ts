import type { FinalityCertificate } from '../../generated/node-rpc-v1.js';
import type { ChainBlock, ConsensusChain } from './ports.js';

/** Durations of a block in milliseconds, from its arrival or the start of its proposal. */
export interface SealTiming {
  readonly totalMs: number;
  readonly commitMs: number;
}

export interface CommitQueueOptions<B extends ChainBlock> {
  readonly chain: Pick<ConsensusChain<B>, 'commit' | 'trySuspects'>;
  /** Called for each block once it is written. */
  readonly onCommitted: (block: B, commitMs: number) => void;
  /** Called when suspected transactions are eligible again. */
  readonly onSuspectsCleared: () => void;
}

/** Writes final blocks in order; proposals on the tip wait until the queue is idle. */
export class CommitQueue<B extends ChainBlock> {
  readonly #options: CommitQueueOptions<B>;
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(options: CommitQueueOptions<B>) {
    this.#options = options;
  }

  get isIdle(): boolean {
    return this.#waiting === 0;
  }

  /** Resolves when all queued commits have ended; never rejects. */
  get idle(): Promise<void> {
    return this.#last;
  }

  /**
   * @param hash of the last block
   * @param certificate of the last block; undefined if it is made on demand
   * @param before a write to complete first
   * @throws StoreError; ChainError if the block is unknown
   */
  commit(
    hash: Uint8Array,
    certificate: FinalityCertificate | undefined,
    before: () => Promise<void>,
  ): Promise<void> {
    const { chain, onCommitted } = this.#options;
    return this.#enqueue(async () => {
      await before();
      const commits = await chain.commit(hash, certificate);
      for (const { block, commitMs } of commits) onCommitted(block, commitMs);
    });
  }

  /** Retries suspected transactions between two blocks. @throws errors not caused by a candidate */
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
