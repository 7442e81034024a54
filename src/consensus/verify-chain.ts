import { Buffer } from 'node:buffer';
import type { Crypto } from '../crypto/crypto.js';
import type { ExecutionPool } from '../execution/pool/execution-pool.js';
import type { BlockHeader } from '../generated/ledger.js';
import { toHex } from '../idl/hex.js';
import { BlockReader } from '../ledger/block-store.js';
import { readGenesis, readSnapshotBase, readTip } from '../ledger/chain-meta.js';
import { ledger } from '../ledger/codecs.js';
import { transactionFromSigned, type VerifiedTransaction } from '../ledger/verified-transaction.js';
import type { ProofService } from '../proofs/proof-service.js';
import { writeTree } from '../proofs/write-tree.js';
import type { Store, StoreReader } from '../storage/store.js';
import { BlockBuilder, type BuiltBlock } from './block-builder.js';
import { BlockExecutor } from './block-executor.js';
import { ChainError } from './chain-error.js';
import { commitBatch, committedBlock } from './commit-batch.js';
import { openChain } from './open-chain.js';

/** What re-executing a chain needs. */
export interface VerifyOptions {
  /** The chain to verify; only read. */
  readonly store: StoreReader;
  /** An empty store for the state as it is computed anew. */
  readonly scratch: Store;
  /** Over `scratch`. */
  readonly proofs: ProofService;
  readonly crypto: Crypto;
  /** Attached to `scratch`. */
  readonly workers: Pick<ExecutionPool, 'run'>;
  /** Whether the signature is the sender's over the transaction's hash. */
  readonly checkSignature: (transaction: VerifiedTransaction) => Promise<boolean>;
  /** The last height to verify, at most the tip's; default the tip's. */
  readonly to?: bigint;
  readonly onProgress: (progress: { readonly height: bigint; readonly to: bigint }) => void;
  readonly signal?: AbortSignal;
}

/** What was verified, up to the first difference if there is one. */
export interface VerifyReport {
  readonly blocks: bigint;
  readonly transactions: bigint;
  readonly difference?: ChainDifference;
}

/** The first thing in which the stored chain is not what executing it gives. */
export interface ChainDifference {
  readonly height: bigint;
  /** What differs: a member of the header, `hash`, `receipt N`, or `signature of transaction N`. */
  readonly what: string;
  readonly stored: string;
  readonly computed: string;
}

/**
 * Executes a stored chain again from genesis, into a scratch store, and compares every signature, receipt, root and hash.
 * @throws ChainError `no_chain`, `damaged` where something that must be stored is missing
 */
export async function verifyChain(options: VerifyOptions): Promise<VerifyReport> {
  const { store, scratch, proofs, crypto, workers, checkSignature, onProgress, signal } = options;
  const blocks = new BlockReader(store);
  const genesis = readGenesis(store);
  const tip = readTip(store);
  if (genesis === undefined || tip === undefined) throw new ChainError('no_chain', 'the store has no chain');
  const base = readSnapshotBase(store);
  if (base !== undefined) {
    throw new ChainError(
      'no_chain',
      `the chain began with the snapshot of block ${base}: what came before is not there to be executed again`,
    );
  }
  const { height: end } = tip;
  const { to = end } = options;
  if (to > end) {
    throw new ChainError(
      'no_chain',
      `there is no block ${to} to verify up to: the chain ends at height ${end}`,
    );
  }

  const chain = await openChain(scratch, crypto, proofs, genesis);
  const builder = new BlockBuilder(
    chain,
    crypto,
    new BlockExecutor(chain.accounts, scratch, crypto, workers),
    proofs,
  );
  let transactions = 0n;
  const genesisDifference = headerDifference(storedHeader(blocks, 0n), chain.tip.header);
  if (genesisDifference !== undefined) return { blocks: 0n, transactions, difference: genesisDifference };

  for (let height = 1n; height <= to; height += 1n) {
    signal?.throwIfAborted();
    const stored = storedHeader(blocks, height);
    const candidates = blocks
      .encodedItems(height)
      .map((item) => transactionFromSigned(ledger.BlockItem.decode(item).value, crypto));
    const badSignature = await firstBadSignature(candidates, checkSignature);
    if (badSignature !== undefined) {
      const what = `signature of transaction ${badSignature}`;
      return { blocks: height, transactions, difference: { height, what, stored: 'bad', computed: 'good' } };
    }
    const env = builder.environment(stored.timestamp_ms);
    // What a block holds of a bundle executes one by one as it did together: all of it succeeded.
    const outcome = await builder.execute(env, { transactions: candidates, bundles: [] });
    const built = await builder.build(env, outcome);
    const difference = blockDifference(blocks, stored, built);
    if (difference !== undefined) return { blocks: height, transactions, difference };
    transactions += BigInt(candidates.length);
    await scratch.write(await commitBatch(built), { sync: false });
    chain.commit(committedBlock(built));
    await writeTree(scratch, built.roots.treeBatch);
    onProgress({ height, to });
  }
  return { blocks: to + 1n, transactions };
}

function storedHeader(blocks: BlockReader, height: bigint): BlockHeader {
  const stored = blocks.header(height);
  if (stored === undefined) throw new ChainError('damaged', `block ${height} is missing from the store`);
  return stored.header;
}

async function firstBadSignature(
  transactions: readonly VerifiedTransaction[],
  check: (transaction: VerifiedTransaction) => Promise<boolean>,
): Promise<number | undefined> {
  const verdicts = await Promise.all(transactions.map(check));
  const bad = verdicts.indexOf(false);
  return bad < 0 ? undefined : bad;
}

function blockDifference(
  blocks: BlockReader,
  stored: BlockHeader,
  built: BuiltBlock,
): ChainDifference | undefined {
  const { height } = stored;
  const [refused] = built.leftOut;
  if (refused !== undefined) {
    const what = `transaction 0x${refused.transaction.hashHex}`;
    return { height, what, stored: 'included', computed: `cannot be included: ${refused.problem}` };
  }
  const receipts = blocks.receipts(height);
  for (const [index, receipt] of built.receipts.entries()) {
    const other = receipts[index];
    if (
      other === undefined ||
      Buffer.compare(receipt.subarray(4, 4 + other.encoded.length), other.encoded) !== 0
    ) {
      const text = other === undefined ? 'missing' : toHex(other.encoded);
      return { height, what: `receipt ${index}`, stored: text, computed: toHex(receipt.subarray(4)) };
    }
  }
  const difference = headerDifference(stored, built.header);
  if (difference !== undefined) return difference;
  const storedHash = blocks.header(height)?.hash ?? new Uint8Array(0);
  if (Buffer.compare(storedHash, built.hash) === 0) return undefined;
  return { height, what: 'hash', stored: toHex(storedHash), computed: toHex(built.hash) };
}

function headerDifference(stored: BlockHeader, computed: BlockHeader): ChainDifference | undefined {
  for (const member of Object.keys(computed) as (keyof BlockHeader)[]) {
    const [a, b] = [text(stored[member]), text(computed[member])];
    if (a !== b) return { height: stored.height, what: member, stored: a, computed: b };
  }
  return undefined;
}

function text(value: BlockHeader[keyof BlockHeader]): string {
  return value instanceof Uint8Array ? toHex(value) : String(value);
}
