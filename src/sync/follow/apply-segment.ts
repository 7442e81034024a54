import { Buffer } from 'node:buffer';
import type { BlockBuilder, BuiltBlock } from '../../consensus/block-builder.js';
import type { Chain } from '../../consensus/chain.js';
import { commitBatch, committedBlock } from '../../consensus/commit-batch.js';
import type { BlockHeader } from '../../generated/ledger.js';
import type { FinalityCertificate } from '../../generated/node-rpc-v1.js';
import { toHex } from '../../idl/hex.js';
import type { VerifiedTransaction } from '../../ledger/verified-transaction.js';
import { writeTree } from '../../proofs/write-tree.js';
import type { Store } from '../../storage/store.js';
import { FollowError } from './follow-error.js';
import type { CertifiedBlock, Segment } from './segment.js';

/** Where certified blocks are executed and stored. */
export interface ApplyOptions {
  readonly chain: Chain;
  readonly store: Store;
  readonly builder: BlockBuilder;
  /** Whether the signature is the sender's over the transaction's hash. */
  readonly checkSignature: (transaction: VerifiedTransaction) => Promise<boolean>;
  /** Puts a block's certificate into its batch. */
  readonly storeCertificate: (
    batch: Parameters<Store['write']>[0],
    height: bigint,
    certificate: FinalityCertificate,
  ) => void;
  readonly onApplied: (
    block: BuiltBlock,
    timing: { readonly totalMs: number; readonly commitMs: number },
  ) => void;
  readonly signal: AbortSignal;
}

/**
 * Executes the blocks after the tip, and makes each the tip once everything that it comes to is what its header says. The
 * last block of the segment is synced, and with it those before; a crash in between loses none that a source could not give again.
 * @throws FollowError `diverged`; whatever execution and store throw
 */
export async function applySegment(options: ApplyOptions, segment: Segment): Promise<void> {
  for (const block of segment.blocks) {
    options.signal.throwIfAborted();
    const started = performance.now();
    const built = await execute(options, block);
    const builtAt = performance.now();
    const last = block.hash === segment.end.hash;
    await commit(options, segment, built, last);
    const now = performance.now();
    options.onApplied(built, { totalMs: now - started, commitMs: now - builtAt });
  }
}

async function execute(
  { builder, checkSignature }: ApplyOptions,
  { header, hash, transactions }: CertifiedBlock,
): Promise<BuiltBlock> {
  const verdicts = await Promise.all(transactions.map(checkSignature));
  const bad = verdicts.indexOf(false);
  if (bad >= 0) throw diverged(header.height, `signature of transaction ${bad}`, 'good', 'bad');
  const env = builder.environment(header.timestamp_ms);
  const outcome = await builder.executeDecided(env, transactions);
  const [refused] = outcome.leftOut;
  if (refused !== undefined) {
    const what = `transaction 0x${refused.transaction.hashHex}`;
    throw diverged(header.height, what, 'included', `cannot be included: ${refused.problem}`);
  }
  const built = await builder.build(env, outcome);
  for (const member of Object.keys(built.header) as (keyof BlockHeader)[]) {
    const [theirs, own] = [text(header[member]), text(built.header[member])];
    if (theirs !== own) throw diverged(header.height, member, theirs, own);
  }
  if (Buffer.compare(hash, built.hash) !== 0) {
    throw diverged(header.height, 'hash', toHex(hash), toHex(built.hash));
  }
  return built;
}

async function commit(
  { chain, store, storeCertificate }: ApplyOptions,
  segment: Segment,
  block: BuiltBlock,
  last: boolean,
): Promise<void> {
  const batch = await commitBatch(block);
  const certificate = segment.certificates.get(block.header.height);
  if (certificate !== undefined) storeCertificate(batch, block.header.height, certificate);
  await store.write(batch, { sync: last });
  chain.commit(committedBlock(block));
  await writeTree(store, block.roots.treeBatch);
}

function diverged(height: bigint, what: string, certified: string, computed: string): FollowError {
  return new FollowError(
    'diverged',
    `block ${height} is certified, but executing it gives something else: ${what} is ${certified} there and ${computed} ` +
      'here. Nothing of it was stored. Check with heddle verify that this node is not damaged, and that it runs the ' +
      "validators' version",
  );
}

function text(value: BlockHeader[keyof BlockHeader]): string {
  return value instanceof Uint8Array ? toHex(value) : String(value);
}
