import { appendBlock, NO_CONTENT } from '../ledger/block-store.js';
import { putGenesis, putSnapshotBase, putTip, readGenesis, readSnapshotBase } from '../ledger/chain-meta.js';
import { ledger } from '../ledger/codecs.js';
import { putValidatorSet, ValidatorSets } from '../ledger/validators/validator-sets.js';
import { peakPositions } from '../proofs/mmr.js';
import type { Tip } from '../proofs/proof-messages.js';
import { storedNode } from '../proofs/stored-history.js';
import { be64 } from '../storage/big-endian.js';
import { oldestHeight, rawOf, setOldestHeight } from '../storage/state.js';
import { scanStateAt } from '../storage/state-scan.js';
import type { Store, StoreReader } from '../storage/store.js';
import { WriteBatch } from '../storage/write-batch.js';
import { ChainError } from './chain-error.js';
import { blockAt } from './open-chain.js';

const BATCH_BYTES = 4 * 1024 * 1024;

/**
 * Copies the block that a chain begins with, and the state after it, to an empty store; the chain can be executed from
 * there.
 * @returns the block; undefined if the chain began with its genesis, and nothing was copied
 * @throws ChainError `no_chain` if the state of the block has been dropped; `damaged`; ProofError `damaged`
 */
export async function copyBase(from: StoreReader, to: Store, signal?: AbortSignal): Promise<Tip | undefined> {
  const height = readSnapshotBase(from);
  const genesis = readGenesis(from);
  if (height === undefined || genesis === undefined) return undefined;
  const oldest = oldestHeight(from);
  if (oldest > height) {
    throw new ChainError(
      'no_chain',
      `the chain began with the snapshot of block ${height}, and the state before block ${oldest} has been dropped: ` +
        'nothing is left to execute its blocks on',
    );
  }
  const base = blockAt(from, height);
  const copy = new Copy(to, signal);
  for (const [key, value] of scanStateAt(from, height)) await copy.put('state', key, rawOf(height, value));
  for (const column of ['code', 'idl'] as const) {
    for (const [key, value] of from.scan(column, {})) await copy.put(column, key, value);
  }
  for (const position of peakPositions(height))
    await copy.put('mmr', be64(position), storedNode(from, position));

  const { batch } = copy;
  putGenesis(batch, genesis);
  for (const { header, hash } of [blockAt(from, 0n), base]) {
    appendBlock(batch, { header, encodedHeader: ledger.BlockHeader.encode(header), hash, ...NO_CONTENT });
  }
  const sets = new ValidatorSets(from);
  const { epoch } = base.header;
  for (const set of [sets.of(epoch), sets.of(epoch + 1n)]) if (set !== undefined) putValidatorSet(batch, set);
  putSnapshotBase(batch, height);
  setOldestHeight(batch, height);
  putTip(batch, { height, hash: base.hash });
  await copy.write();
  return { height, hash: base.hash, stateRoot: base.header.state_root };
}

/** Writes entries to a store in batches of a limited size. */
class Copy {
  batch = new WriteBatch();

  constructor(
    readonly to: Store,
    readonly signal: AbortSignal | undefined,
  ) {}

  async put(...entry: Parameters<WriteBatch['put']>): Promise<void> {
    this.batch.put(...entry);
    if (this.batch.byteLength >= BATCH_BYTES) await this.write();
  }

  async write(): Promise<void> {
    this.signal?.throwIfAborted();
    const { batch } = this;
    this.batch = new WriteBatch();
    await this.to.write(batch, { sync: false });
  }
}
