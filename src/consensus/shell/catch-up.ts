import { sleep } from '../../async/runtime.js';
import { toHex } from '../../idl/hex.js';
import type { BlockFacts, Certificate } from '../core/types.js';
import { BlockPrefetcher } from './block-prefetcher.js';
import {
  type Answer,
  type CheckedBlock,
  FinalBlockFetcher,
  type FinalBlockFetcherOptions,
} from './final-block-fetcher.js';
import type { ChainBlock, ConsensusChain } from './ports.js';

/** Pause before a withheld block is verified again. */
const PAUSE_MS = 500;

/** Blocks that were executed and committed, and the finalization of the last one. */
export interface SyncResult {
  readonly committed: BlockFacts;
  readonly finalization: Certificate;
}

/** Thrown for a block that is final but invalid here. */
export class Divergence extends Error {
  override readonly name = 'Divergence';
}

export interface CatchUpOptions extends FinalBlockFetcherOptions {
  readonly chain: Pick<ConsensusChain, 'tip' | 'verify'>;
  /** Commits a verified block with its own certificate, if any; `finalization` may be of a later one. */
  readonly commit: (
    block: ChainBlock,
    certificate: Certificate | undefined,
    finalization: Certificate,
  ) => Promise<void>;
  /** Called for a withheld block, which is verified again. */
  readonly onWithheld: (height: number, reason: string) => void;
}

/** Syncs by fetching ranges of final blocks when the node is too far behind to fetch single blocks. */
export class CatchUp {
  readonly #options: CatchUpOptions;
  readonly #source: FinalBlockFetcher;
  #fetching: BlockPrefetcher | undefined;
  readonly #stopping = new AbortController();

  constructor(options: CatchUpOptions) {
    this.#options = options;
    this.#source = new FinalBlockFetcher(options);
  }

  onAnswer(peer: number, answer: Answer): void {
    this.#source.onAnswer(peer, answer);
  }

  /** Cancels {@link run}, which then resolves once the commit in progress has ended. */
  stop(): void {
    this.#stopping.abort();
    this.#source.stop();
    this.#fetching?.stop();
  }

  /**
   * Runs until the block at this height is committed, and perhaps later blocks of its epoch.
   * @returns undefined if stopped
   * @throws Divergence, StoreError, execution errors
   */
  async run(height: number, epoch: number): Promise<SyncResult | undefined> {
    const { runtime, network } = this.#options;
    const { signal } = this.#stopping;
    if (signal.aborted) return undefined;
    const fetching = new BlockPrefetcher({
      runtime,
      source: this.#source,
      network,
      tip: () => {
        const { header, hash } = this.#options.chain.tip;
        return { height: Number(header.height), hash: toHex(hash) };
      },
      height,
      epoch,
    });
    this.#fetching = fetching;
    try {
      for (;;) {
        const blocks = await fetching.next();
        if (blocks === undefined) return undefined;
        const done = await this.#apply(blocks);
        if (done !== undefined && done.committed.height >= height) return done;
        if (done === undefined) await sleep(runtime, PAUSE_MS, signal);
      }
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    } finally {
      fetching.stop();
      this.#source.cancel();
      this.#fetching = undefined;
    }
  }

  /** @returns undefined if the tip has changed meanwhile, or a verdict is withheld */
  async #apply(blocks: readonly CheckedBlock[]): Promise<SyncResult | undefined> {
    const { chain, commit, onWithheld } = this.#options;
    const { signal } = this.#stopping;
    const finalization = blocks.at(-1)?.certificate;
    if (finalization === undefined) return undefined;
    let done: SyncResult | undefined;
    for (const block of blocks) {
      const { parent_hash: parent, epoch, view, proposer } = block.header;
      const verdict = await chain.verify(block, { parent, epoch, view, proposer }, signal);
      if (signal.aborted) return done;
      if (verdict.verdict === 'invalid') {
        const { what, stored, computed } = verdict;
        throw new Divergence(
          `block ${block.facts.height} is final but invalid here: ${what} is ${stored} in the block and ${computed} here`,
        );
      }
      if (verdict.verdict === 'withheld') {
        onWithheld(block.facts.height, verdict.reason);
        return undefined;
      }
      if (verdict.verdict === 'unknown_parent') return undefined;
      await commit(verdict.block, block.certificate, finalization);
      if (block.certificate !== undefined) done = { committed: block.facts, finalization: block.certificate };
    }
    return done;
  }
}
