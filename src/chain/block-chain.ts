import { sameBytes } from '../base/same-bytes.js';
import type { FinalityCertificate } from '../generated/node-rpc-v1.js';
import type { Store } from '../storage/store.js';
import type { Chain } from './chain.js';
import { ChainError } from './chain-error.js';
import { committedBlock, writeBlock } from './commit-block.js';
import type { ChainTip } from './committed-chain.js';
import { type DecodedBlock, decodeBlock, type EncodedBlock } from './decode-block.js';
import type { BlockContext } from './next-block.js';
import type { PendingBlock, PendingBlocks } from './pending-blocks.js';
import type { Proposal, ProposalContext, Proposer } from './propose-block.js';
import { type BlockVerdict, type VerifyParts, verifyBlock } from './verify-block.js';

export interface BlockChainOptions extends Omit<VerifyParts, 'pending' | 'proofs'> {
  readonly chain: Chain;
  readonly pending: PendingBlocks;
  readonly store: Store;
  readonly proofs: VerifyParts['proofs'] & Parameters<typeof writeBlock>[0]['proofs'];
  /** Left out where blocks are only followed. */
  readonly proposer?: Proposer;
}

/** A block that was committed, and how long writing it took. */
export interface BlockCommit {
  readonly block: PendingBlock;
  readonly commitMs: number;
}

/**
 * The chain as agreement drives it, in three verbs: what is proposed or verified is pending until it is committed, or dropped
 * because another block was. Committed blocks are final.
 */
export class BlockChain {
  readonly #options: BlockChainOptions;
  /** The last commit and all before it. */
  #committing: Promise<unknown> = Promise.resolve();

  constructor(options: BlockChainOptions) {
    this.#options = options;
  }

  /** The last committed block, which is final. */
  get tip(): ChainTip {
    return this.#options.chain.tip;
  }

  /** Blocks that are not final. */
  get pending(): Pick<PendingBlocks, 'size' | 'bytes' | 'get'> {
    return this.#options.pending;
  }

  /** The heights that have envelopes that are not open after the last committed block, ascending. */
  unopenedHeights(): readonly bigint[] {
    return this.#options.executor.openings.scheduled([]).map(({ height }) => height);
  }

  /**
   * Makes a block of what waits in the pool. One proposal at a time.
   * @throws ChainError `unknown_parent`, `no_validator`, `too_many_pending`, `no_proposer`; the signal's reason; whatever failed
   *   that transactions have no part in
   */
  async propose(context: ProposalContext, signal?: AbortSignal): Promise<Proposal> {
    return this.#proposer.propose(context, signal);
  }

  /**
   * Checks another's block, by the rules of `verify-block.ts`; one that is valid is pending then.
   * @throws the signal's reason; whatever failed that the block has no part in
   */
  async verify(
    block: EncodedBlock | DecodedBlock,
    context: BlockContext,
    signal?: AbortSignal,
  ): Promise<BlockVerdict> {
    const { crypto, pending } = this.#options;
    // Before anything of the block is decoded.
    const parent = pending.parent(context.parent);
    if (parent === undefined) return { verdict: 'unknown_parent' };
    const decoded = 'body' in block ? await decodeBlock(crypto, block) : block;
    if ('verdict' in decoded) return decoded;
    const present = pending.get(decoded.hash);
    if (present !== undefined && isContextOf(present, context)) return { verdict: 'valid', block: present };
    return verifyBlock(this.#options, parent, { block: decoded, context }, signal);
  }

  /**
   * Makes a pending block final, with its pending ancestors before it: writes them, and drops what does not descend from it.
   * @param certificate that of the block itself, where there is one to be stored
   * @param sync whether the block is on disk when this resolves, true if left out; one written without is so with the next that is
   * @returns what was committed, in order; nothing where the block is the tip already
   * @throws ChainError `unknown_block`; StoreError, after which the node cannot go on
   */
  commit(hash: Uint8Array, certificate?: FinalityCertificate, sync = true): Promise<readonly BlockCommit[]> {
    const committing = this.#committing.then(() => this.#commit(hash, certificate, sync));
    this.#committing = committing.catch(() => undefined);
    return committing;
  }

  /** Forgets pending blocks, with those on them; what is needed again has to be verified again. */
  release(hashes: readonly Uint8Array[]): void {
    const { pending } = this.#options;
    for (const hash of hashes) {
      const block = pending.get(hash);
      if (block !== undefined) pending.drop(block);
    }
  }

  /** Says that what was proposed may never be committed: that the process ends now is not held against what is in it. */
  onProposalEnded(): void {
    this.#proposer.onBuilt();
  }

  /** Tries candidates that were at fault once more; to be called between blocks. @returns whether there is something to do now */
  trySuspects(timestampMs: bigint): Promise<boolean> {
    return this.#proposer.trySuspects(timestampMs);
  }

  async #commit(
    hash: Uint8Array,
    certificate: FinalityCertificate | undefined,
    sync: boolean,
  ): Promise<readonly BlockCommit[]> {
    const { pending, chain, proposer } = this.#options;
    if (sameBytes(hash, chain.tip.hash)) return [];
    const line = pending.parent(hash)?.blocks;
    if (line === undefined) {
      throw new ChainError('unknown_block', 'the block to commit is not pending on the last committed one');
    }
    if (certificate !== undefined) {
      pending.committing = { certificate, headers: line.map(({ header }) => header) };
    }
    try {
      return await this.#commitSegment(line, certificate, sync);
    } catch (error) {
      proposer?.onCommitFailed(error);
      throw error;
    } finally {
      pending.committing = undefined;
    }
  }

  async #commitSegment(
    line: readonly PendingBlock[],
    certificate: FinalityCertificate | undefined,
    sync: boolean,
  ): Promise<readonly BlockCommit[]> {
    const { pending, chain, proposer } = this.#options;
    const commits: BlockCommit[] = [];
    for (const block of line) {
      const started = performance.now();
      const isLast = block === line.at(-1);
      await writeBlock(this.#options, block, {
        certificate: isLast ? certificate : undefined,
        sync: sync && isLast,
      });
      commits.push({ block, commitMs: performance.now() - started });
      proposer?.onCommitting(block);
      chain.advance(committedBlock(block));
      pending.settle(block);
      proposer?.onCommitted(block);
    }
    return commits;
  }

  get #proposer(): Proposer {
    const { proposer } = this.#options;
    if (proposer === undefined) throw new ChainError('no_proposer', 'this node proposes no blocks');
    return proposer;
  }
}

function isContextOf({ header }: PendingBlock, { parent, epoch, view, proposer }: BlockContext): boolean {
  return (
    sameBytes(header.parent_hash, parent) &&
    header.epoch === epoch &&
    header.view === view &&
    header.proposer === proposer
  );
}
