import { sameBytes } from '../base/same-bytes.js';
import type { Crypto } from '../crypto/crypto.js';
import type { ExecutionPool } from '../execution/pool/execution-pool.js';
import { toHex } from '../idl/hex.js';
import { BlockReader } from '../ledger/block-store.js';
import { readGenesis, readSnapshotBase, readTip } from '../ledger/chain-meta.js';
import { ledger } from '../ledger/codecs.js';
import type { ProofService } from '../proofs/proof-service.js';
import type { Store, StoreReader } from '../storage/store.js';
import { BlockChain } from './block-chain.js';
import { BlockExecutor } from './block-executor.js';
import { headerDifference } from './block-rejection.js';
import { ChainError } from './chain-error.js';
import { decodeBody } from './decode-block.js';
import { EpochRules } from './epochs/epoch-rules.js';
import { ItemChecks } from './epochs/item-checks.js';
import { blockAt, openChain } from './open-chain.js';
import { PendingBlocks } from './pending-blocks.js';
import type { BlockVerdict, VerifyParts } from './verify-block.js';

export interface VerifyOptions {
  /** The chain to verify; only read. */
  readonly store: StoreReader;
  /** A store for the recomputed state: empty, or with the block that the chain begins with (`copy-base.ts`). */
  readonly scratch: Store;
  /** Attached to `scratch`, like the workers. */
  readonly proofs: ProofService;
  readonly workers: Pick<ExecutionPool, 'run'>;
  readonly crypto: Crypto;
  readonly verifySignature: VerifyParts['verifySignature'];
  /** Last height to verify, at most the tip's height, which is the default. */
  readonly to?: bigint;
  readonly onProgress: (progress: { readonly height: bigint; readonly to: bigint }) => void;
  readonly signal?: AbortSignal;
}

/** The verified part of the chain, up to the first difference if there is one. */
export interface VerifyReport {
  readonly blocks: bigint;
  readonly transactions: number;
  /** Height of the snapshot that the chain began with; its block and those before are not verified. */
  readonly base?: bigint;
  readonly difference?: ChainDifference;
}

/** The first difference between the stored chain and its re-execution. */
export interface ChainDifference {
  readonly height: bigint;
  /** What differs: a header field, `hash`, `receipt N`, or `signature of transaction N`. */
  readonly what: string;
  readonly stored: string;
  readonly computed: string;
}

/**
 * Re-executes a stored chain in a scratch store, from genesis or from the snapshot that it began with, and compares
 * every signature, receipt, root and hash.
 * @throws ChainError `no_chain`; `damaged` if required data is missing
 */
export async function verifyChain(options: VerifyOptions): Promise<VerifyReport> {
  const { store, scratch, proofs, crypto, workers, onProgress, signal } = options;
  const blocks = new BlockReader(store);
  const genesis = readGenesis(store);
  const tip = readTip(store);
  if (genesis === undefined || tip === undefined) throw new ChainError('no_chain', 'the store has no chain');
  const base = readSnapshotBase(store);
  const first = base ?? 0n;
  const { height: end } = tip;
  const { to = end } = options;
  if (to > end) {
    throw new ChainError('no_chain', `block ${to} does not exist: the chain ends at height ${end}`);
  }
  if (to < first) {
    const message = `block ${to} cannot be executed: the chain began with the snapshot of block ${first}`;
    throw new ChainError('no_chain', message);
  }

  const chain = await openChain(scratch, crypto, proofs, genesis);
  const begin = base === undefined ? {} : { base };
  const other = headerDifference(blockAt(store, first).header, chain.tip.header);
  if (other !== undefined) {
    return { ...begin, blocks: 0n, transactions: 0, difference: { height: first, ...other } };
  }
  const before = base === undefined ? 0n : base + 1n;
  const pending = PendingBlocks.over(chain, proofs);
  const executor = new BlockExecutor(chain.accounts, scratch, crypto, workers);
  const epochRules = new EpochRules(crypto, workers, new ItemChecks(crypto, workers));
  const blockChain = new BlockChain({ ...options, store: scratch, chain, pending, executor, epochRules });
  let transactions = 0;
  for (let height = first + 1n; height <= to; height += 1n) {
    signal?.throwIfAborted();
    const stored = blockAt(store, height);
    const items = blocks.encodedItems(height).map((item) => ledger.BlockItem.decode(item));
    const body = await decodeBody(crypto, items);
    if ('verdict' in body) {
      const { what, stored: was, computed } = body;
      const difference = { height, what, stored: was, computed };
      return { ...begin, blocks: height - before, transactions, difference };
    }
    const { epoch, view, proposer } = stored.header;
    const context = { parent: chain.tip.hash, epoch, view, proposer };
    const verdict = await blockChain.verify({ ...stored, ...body }, context, signal);
    const difference = differenceOf(blocks, height, verdict);
    if (difference !== undefined) return { ...begin, blocks: height - before, transactions, difference };
    await blockChain.commit(stored.hash, undefined, false);
    transactions += body.transactions.length;
    onProgress({ height, to });
  }
  return { ...begin, blocks: to + 1n - before, transactions };
}

/** Receipts are compared first, because they say more about a difference than their root. */
function differenceOf(
  blocks: BlockReader,
  height: bigint,
  verdict: BlockVerdict,
): ChainDifference | undefined {
  switch (verdict.verdict) {
    case 'valid':
      return receiptDifference(blocks, height, verdict.block.receipts);
    case 'invalid': {
      const { what, stored, computed, receipts = [] } = verdict;
      return receiptDifference(blocks, height, receipts) ?? { height, what, stored, computed };
    }
    case 'unknown_parent':
      throw new ChainError('damaged', `block ${height} does not follow the one before`);
    case 'withheld':
      throw verdict.cause;
  }
}

function receiptDifference(
  blocks: BlockReader,
  height: bigint,
  computed: readonly Uint8Array[],
): ChainDifference | undefined {
  const receipts = blocks.receipts(height);
  for (const [index, receipt] of computed.entries()) {
    const other = receipts[index];
    if (other && sameBytes(receipt.subarray(4, 4 + other.encoded.length), other.encoded)) continue;
    const text = other === undefined ? 'missing' : toHex(other.encoded);
    return { height, what: `receipt ${index}`, stored: text, computed: toHex(receipt.subarray(4)) };
  }
  return undefined;
}
