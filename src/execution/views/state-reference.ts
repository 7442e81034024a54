import { LRUCache } from 'lru-cache';
import type { Crypto } from '../../crypto/crypto.js';
import type { BlockRef } from '../../generated/node-rpc-v1.js';
import { toHex } from '../../idl/hex.js';
import { BlockReader } from '../../ledger/block-store.js';
import { readSnapshotBase } from '../../ledger/chain-meta.js';
import { isDevelopmentChain } from '../../ledger/dev-genesis.js';
import { nextBaseFee } from '../../ledger/fees.js';
import type { LogPositionJson } from '../../ledger/log-json.js';
import { slotPrice } from '../../ledger/opening-slots.js';
import { ValidatorSets } from '../../ledger/validators/validator-sets.js';
import { oldestHeight } from '../../storage/state.js';
import type { StoreReader } from '../../storage/store.js';
import type { BlockEnvironment } from '../block-environment.js';
import type { ContractMachine } from '../contract-machine.js';
import type { StateSource } from '../state-source.js';
import type { BatchHead } from './batched-calls.js';
import { BlockReplays } from './block-replays.js';
import { CallError } from './call-error.js';
import type { StateCache } from './state-cache.js';

/** The block whose state a call runs on, as the call sees it. */
export interface StateBlock {
  readonly env: BlockEnvironment;
  readonly hash: Uint8Array;
  readonly nextBaseFee: bigint;
  /** The members `height` and `block_hash` of a result, as JSON without braces. */
  readonly json: string;
  /** The position of a log that belongs to no transaction, in this block. */
  readonly logPlace: LogPositionJson;
}

export interface ResolvedState {
  readonly source: StateSource;
  readonly block: StateBlock;
  /** The block that a view call sees: the next one for the latest state, otherwise that of the state. */
  readonly env: BlockEnvironment;
  /** Whether it is a state between two transactions of the block. */
  readonly isInside: boolean;
}

const KEPT_BLOCKS = 64;
const NO_TRANSACTION = `"tx_hash":"${'0'.repeat(64)}","tx_index":0`;
/** For an epoch whose validators are unknown. */
const UNKNOWN_PROPOSER = '00'.repeat(20);

export class StateReferences {
  readonly #store: StoreReader;
  readonly #blocks: BlockReader;
  readonly #cache: StateCache;
  readonly #replays: BlockReplays;
  readonly #sets: ValidatorSets;
  readonly #known = new LRUCache<number, StateBlock>({ max: KEPT_BLOCKS });
  /** The last result of {@link #next}: the calls of a batch share it. */
  #built: { readonly block: StateBlock; readonly nowMs: number; readonly env: BlockEnvironment } | undefined;

  constructor(options: {
    readonly store: StoreReader;
    readonly crypto: Crypto;
    readonly machine: ContractMachine;
    readonly cache: StateCache;
  }) {
    this.#sets = new ValidatorSets(options.store);
    this.#store = options.store;
    this.#blocks = new BlockReader(options.store);
    this.#cache = options.cache;
    this.#replays = new BlockReplays({ ...options, blocks: this.#blocks });
  }

  latest(head: BatchHead): ResolvedState {
    const block = this.#block(head.tipHeight);
    return { source: this.#cache.at(block.env.height), block, env: this.#next(block, head), isInside: false };
  }

  /** @throws CallError `not_found`, `state_unavailable`; StateUnavailableError if pruned meanwhile */
  find(at: BlockRef, head: BatchHead): ResolvedState {
    switch (at.type) {
      case 'latest':
        return this.latest(head);
      case 'finalized':
        return this.#at(head.finalizedHeight, head);
      case 'height':
        return this.#at(Number(at.value), head);
      case 'hash':
        return this.#at(this.#heightOf(at.value, head), head);
      case 'after_tx':
        return this.#after(at.value, head);
    }
  }

  /**
   * Returns the block of a transaction on top of a state: the same block inside a block, else the next one, from the
   * store if it exists, or built with the time of the batch.
   */
  blockAfter({ block, isInside }: ResolvedState, head: BatchHead): BlockEnvironment {
    if (isInside) return block.env;
    const height = Number(block.env.height);
    return height < head.tipHeight ? this.#block(height + 1).env : this.#next(block, head);
  }

  /** Returns a block, and the state that it was executed on. @throws CallError `state_unavailable` */
  executed(height: number, head: BatchHead): { readonly parent: StateSource; readonly block: StateBlock } {
    this.#expectKept(height - 1, head);
    return { parent: this.#cache.at(BigInt(height) - 1n), block: this.#block(height) };
  }

  #at(height: number, head: BatchHead): ResolvedState {
    this.#expectKept(height, head);
    const block = this.#block(height);
    return { source: this.#cache.at(block.env.height), block, env: block.env, isInside: false };
  }

  /** Returns the block after the last committed one, as it would be built at the time of the batch. */
  #next(block: StateBlock, { nowMs }: BatchHead): BlockEnvironment {
    if (this.#built?.block === block && this.#built.nowMs === nowMs) return this.#built.env;
    const { env, nextBaseFee } = block;
    const soonest = env.timestampMs + 1n;
    const now = BigInt(nowMs);
    const next = {
      ...env,
      height: env.height + 1n,
      timestampMs: now > soonest ? now : soonest,
      baseFee: nextBaseFee,
    };
    this.#built = { block, nowMs, env: next };
    return next;
  }

  #heightOf(hash: Uint8Array, { tipHeight }: BatchHead): number {
    const height = Number(this.#blocks.heightOf(hash) ?? Number.POSITIVE_INFINITY);
    // A block is in the store shortly before it becomes the tip.
    if (height > tipHeight) throw notFound('block', hash, this.#store);
    return height;
  }

  #after(hash: Uint8Array, head: BatchHead): ResolvedState {
    const place = this.#blocks.receiptPositionOf(hash);
    const height = Number(place?.height ?? Number.POSITIVE_INFINITY);
    if (place === undefined || height > head.tipHeight)
      throw notFound('included transaction', hash, this.#store);
    const { parent, block } = this.executed(height, head);
    const after = { height: place.height, index: place.index + 1 };
    const source = this.#replays.before(after, { env: block.env, parent });
    return { source, block, env: block.env, isInside: true };
  }

  #expectKept(height: number, { tipHeight }: BatchHead): void {
    if (height === tipHeight) return;
    const oldest = Number(oldestHeight(this.#store));
    if (height >= oldest && height < tipHeight) return;
    throw new CallError({ code: 'state_unavailable', height, oldest, newest: tipHeight });
  }

  #block(height: number): StateBlock {
    const known = this.#known.get(height);
    if (known !== undefined) return known;
    const stored = this.#blocks.header(BigInt(height));
    if (stored === undefined) throw new Error(`block ${height} is missing from the store`);
    const { header, hash } = stored;
    const set = this.#sets.of(header.epoch);
    const proposer = set?.validators[header.proposer]?.address;
    // A template would give a tree of pieces, which V8 flattens again for each answer that contains it.
    const json = ['"height":', height, ',"block_hash":"', toHex(hash), '"'].join('');
    const block: StateBlock = {
      env: {
        chainId: header.chain_id,
        height: header.height,
        timestampMs: header.timestamp_ms,
        baseFee: header.base_fee,
        slotPrice: slotPrice(header),
        gasLimit: header.gas_limit,
        // Contracts may read it; no priority fees are credited here.
        proposer: proposer === undefined ? UNKNOWN_PROPOSER : toHex(proposer),
        ...(set !== undefined && isDevelopmentChain(set) ? { isDevelopment: true } : {}),
      },
      hash,
      nextBaseFee: nextBaseFee(header),
      json,
      logPlace: [json, NO_TRANSACTION].join(','),
    };
    this.#known.set(height, block);
    return block;
  }
}

/** Creates the error for an unknown hash; names the oldest known height if the store began with a snapshot. */
export function notFound(what: string, hash: Uint8Array, store: StoreReader): CallError {
  const text = toHex(hash);
  const base = readSnapshotBase(store);
  const oldest = base === undefined ? undefined : Number(base) + 1;
  const from = oldest === undefined ? '' : ` from height ${oldest} on, where this node began`;
  return new CallError({
    code: 'not_found',
    message: `there is no ${what} ${text}${from}`,
    subject: { hash: text, ...(oldest === undefined ? {} : { oldest }) },
  });
}
