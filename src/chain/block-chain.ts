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
  /** Absent on nodes that only follow the chain. */
  readonly proposer?: Proposer;
}

export interface BlockCommit {
  readonly block: PendingBlock;
  readonly commitMs: number;
}

/**
 * The chain as consensus drives it: propose, verify, commit. A proposed or verified block is pending until it is
 * committed, or dropped because another block was. Committed blocks are final.
 */
export class BlockChain {
  readonly #options: BlockChainOptions;

  constructor(options: BlockChainOptions) {
    this.#options = options;
  }

  get tip(): ChainTip {
    return this.#options.chain.tip;
  }

  get pending(): Pick<PendingBlocks, 'size' | 'bytes' | 'get'> {
    return this.#options.pending;
  }

  /**
   * Heights with envelopes still unopened after a block, ascending.
   * @param after hash of the tip or a pending block; by default the last committed block
   * @throws ChainError `unknown_parent`
   */
  unopenedHeights(after: Uint8Array = this.tip.hash): readonly bigint[] {
    const { pending, executor } = this.#options;
    const parent = pending.parent(after);
    if (parent === undefined) {
      throw new ChainError('unknown_parent', 'the block is neither the last committed one nor pending');
    }
    return executor.openings.scheduled(parent.branch).map(({ height }) => height);
  }

  /**
   * Builds a block from the pool's transactions. One proposal at a time.
   * @throws ChainError `unknown_parent`, `no_validator`, `too_many_pending`, `no_proposer`; the signal's reason; any
   * failure not caused by transactions
   */
  async propose(context: ProposalContext, signal?: AbortSignal): Promise<Proposal> {
    return this.#proposer.propose(context, signal);
  }

  /**
   * Verifies a received block by the rules of `verify-block.ts`; a valid block becomes pending.
   * @throws the signal's reason; any failure not caused by the block
   */
  async verify(
    block: EncodedBlock | DecodedBlock,
    context: BlockContext,
    signal?: AbortSignal,
  ): Promise<BlockVerdict> {
    const { crypto, pending } = this.#options;
    // Checked before decoding anything.
    const parent = pending.parent(context.parent);
    if (parent === undefined) return { verdict: 'unknown_parent' };
    const decoded = 'body' in block ? await decodeBlock(crypto, block) : block;
    if ('verdict' in decoded) return decoded;
    const present = pending.get(decoded.hash);
    if (present !== undefined && isContextOf(present, context)) return { verdict: 'valid', block: present };
    return verifyBlock(this.#options, parent, { block: decoded, context }, signal);
  }

  /**
   * Makes a pending block and its pending ancestors final: writes them, and drops blocks that do not descend from it.
   * One commit at a time.
   * @param certificate the block's own certificate, stored with it
   * @param sync whether to wait until the block is on disk (default true); an unsynced block reaches the disk with the
   * next synced one
   * @returns the committed blocks in order; empty if the block is already the tip
   * @throws ChainError `unknown_block`; StoreError, after which the node cannot continue
   */
  async commit(
    hash: Uint8Array,
    certificate?: FinalityCertificate,
    sync = true,
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

  /** Drops pending blocks and their descendants; they must be verified again if needed. */
  release(hashes: readonly Uint8Array[]): void {
    const { pending } = this.#options;
    for (const hash of hashes) {
      const block = pending.get(hash);
      if (block !== undefined) pending.drop(block);
    }
  }

  /** Called when a proposal may never be committed: a crash from now on is not blamed on its transactions. */
  onProposalEnded(): void {
    this.#proposer.onBuilt();
  }

  /** Retries suspected candidates; call between blocks. @returns whether there is work to do now */
  trySuspects(timestampMs: bigint): Promise<boolean> {
    return this.#proposer.trySuspects(timestampMs);
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
      const options = isLast ? { certificate, sync } : { sync: false };
      await writeBlock(this.#options, block, options);
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
    if (proposer === undefined) throw new ChainError('no_proposer', 'this node does not propose blocks');
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
