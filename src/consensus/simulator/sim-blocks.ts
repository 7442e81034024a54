import { sameBytes } from '../../base/same-bytes.js';
import { type BlockRejection, type BlockRule, rejection } from '../../chain/block-rejection.js';
import type { EncodedBlock } from '../../chain/decode-block.js';
import type { BlockHeader, SealKey } from '../../generated/ledger.js';
import { toHex } from '../../idl/hex.js';
import { ledger } from '../../ledger/codecs.js';
import { MAX_SEAL_KEYS } from '../../ledger/constants.js';
import { blockHash } from '../../ledger/header.js';
import { listRoot } from '../../proofs/list-root.js';
import type { BlockFacts, BlockHash } from '../core/types.js';
import { encodedBlock } from '../shell/conversions.js';
import { SIM_CRYPTO } from './sim-crypto.js';

export const CHAIN_ID = 77n;
const GAS_LIMIT = 1_000_000n;
const EMPTY = new Uint8Array(0);
const ZERO = new Uint8Array(32);
const ADDRESS = new Uint8Array(20);
/** Time of the genesis, milliseconds since 1970. */
export const GENESIS_MS = 1_000_000;

export interface SimBlock {
  readonly header: BlockHeader;
  readonly encodedHeader: Uint8Array;
  readonly hash: Uint8Array;
  readonly facts: BlockFacts;
  readonly items: readonly Uint8Array[];
  readonly encoded: EncodedBlock;
  /** The highest height whose envelopes are open after this block, in a run with envelopes. */
  readonly openedTo: number;
}

type ParentBlock = Pick<SimBlock, 'header' | 'hash'>;

export interface BlockDraft {
  readonly epoch: number;
  readonly view: number;
  readonly proposer: number;
  readonly timestampMs: number;
  /** Numbers of the transactions. */
  readonly transactions: readonly number[];
  /** Keys of heights with envelopes, which come first. */
  readonly keys?: readonly SealKey[];
}

export interface SimContent {
  readonly keys: readonly SealKey[];
  /** Numbers of the transactions. */
  readonly transactions: readonly number[];
}

/** Encodes a simulated transaction as a change without approvals, which is cheap to decode. */
function transactionItem(transaction: number): Uint8Array {
  const change = { type: 'remove', value: ADDRESS } as const;
  return ledger.BlockItem.encode({
    type: 'change',
    value: { epoch: BigInt(transaction), change, approvals: [] },
  });
}

function keyItem(value: SealKey): Uint8Array {
  return ledger.BlockItem.encode({ type: 'seal_key', value });
}

export function contentOf(items: readonly Uint8Array[]): SimContent {
  const keys: SealKey[] = [];
  const transactions: number[] = [];
  for (const encoded of items) {
    const item = ledger.BlockItem.decode(encoded);
    if (item.type === 'seal_key') keys.push(item.value);
    else if (item.type === 'change') transactions.push(Number(item.value.epoch));
  }
  return { keys, transactions };
}

/** All blocks of a run by hash, with the rules for valid ones. */
export class SimBlocks {
  readonly genesis: SimBlock;
  readonly #epochLength: number;
  readonly #validators: number;
  readonly #byHash = new Map<BlockHash, SimBlock>();
  /** By identity of the encoded header, which saves most hashes. */
  readonly #byHeader = new WeakMap<Uint8Array, SimBlock>();
  readonly #validatorsHash: Uint8Array;
  readonly #isKey: ((key: SealKey) => boolean) | undefined;

  /** @param isKey tells the keys of heights from forgeries, if envelopes open at each height */
  constructor(epochLength: number, validators: number, isKey?: (key: SealKey) => boolean) {
    this.#isKey = isKey;
    this.#epochLength = epochLength;
    this.#validators = validators;
    this.#validatorsHash = new Uint8Array(32).fill(validators);
    this.genesis = this.#add(
      {
        chain_id: CHAIN_ID,
        height: 0n,
        parent_hash: ZERO,
        epoch: 0n,
        view: 0n,
        timestamp_ms: BigInt(GENESIS_MS),
        proposer: 0,
        transactions_root: listRoot(SIM_CRYPTO, []),
        receipts_root: ZERO,
        state_root: ZERO,
        history_root: ZERO,
        validators_hash: this.#validatorsHash,
        gas_used: 0n,
        gas_limit: GAS_LIMIT,
        base_fee: 1n,
        seal_excess: 0n,
        extra: EMPTY,
      },
      [],
      0,
    );
  }

  get(hash: BlockHash): SimBlock | undefined {
    return this.#byHash.get(hash);
  }

  ofHeader(encodedHeader: Uint8Array): SimBlock | undefined {
    return this.#byHeader.get(encodedHeader) ?? this.#byHash.get(toHex(blockHash(SIM_CRYPTO, encodedHeader)));
  }

  /** @param change alters the header, for a faulty proposal */
  build(
    parent: ParentBlock,
    draft: BlockDraft,
    change: (header: BlockHeader) => BlockHeader = (header) => header,
  ): SimBlock {
    const items = [...(draft.keys ?? []).map(keyItem), ...draft.transactions.map(transactionItem)];
    const { header } = parent;
    const timestampMs = BigInt(draft.timestampMs);
    const placed = {
      ...header,
      height: header.height + 1n,
      parent_hash: parent.hash,
      epoch: BigInt(draft.epoch),
      view: BigInt(draft.view),
      proposer: draft.proposer,
      timestamp_ms: timestampMs > header.timestamp_ms ? timestampMs : header.timestamp_ms + 1n,
      transactions_root: listRoot(SIM_CRYPTO, items),
      gas_used: BigInt(items.length),
    };
    const roots = { state_root: stateRoot(header, placed), history_root: historyRoot(parent) };
    return this.#add(change({ ...placed, ...roots }), items, draft.keys?.length ?? 0);
  }

  openedTo(hash: Uint8Array): number {
    return this.#byHash.get(toHex(hash))?.openedTo ?? 0;
  }

  /** Why a block on this parent is invalid, or undefined. */
  refusal(
    header: BlockHeader,
    content: SimContent,
    itemsRoot: Uint8Array,
    parent: ParentBlock,
  ): BlockRejection | undefined {
    const before = parent.header;
    const sameEpoch = header.epoch === before.epoch;
    const height = Number(header.height);
    const checks: readonly (readonly [BlockRule, boolean])[] = [
      ['chain_id', header.chain_id === before.chain_id],
      ['parent_hash', sameBytes(header.parent_hash, parent.hash)],
      ['height', header.height === before.height + 1n],
      ['epoch', Number(header.epoch) === Math.floor((height - 1) / this.#epochLength)],
      ['view', header.view > (sameEpoch ? before.view : 0n)],
      ['proposer', header.proposer < this.#validators],
      ['validators_hash', sameBytes(header.validators_hash, this.#validatorsHash)],
      ['timestamp_ms', header.timestamp_ms > before.timestamp_ms],
      ['gas_limit', header.gas_limit === before.gas_limit && header.base_fee === before.base_fee],
      ['extra', header.extra.length === 0],
      ['seal_keys', this.#isKey === undefined || this.#opensInOrder(content, parent, this.#isKey)],
      ['transactions_root', sameBytes(header.transactions_root, itemsRoot)],
      ['state_root', sameBytes(header.state_root, stateRoot(before, header))],
      ['history_root', sameBytes(header.history_root, historyRoot(parent))],
    ];
    const wrong = checks.find(([, holds]) => !holds);
    return wrong === undefined ? undefined : rejection(wrong[0], wrong[0], 'wrong', 'right');
  }

  /** The keys are those of the lowest due heights, and nothing follows them while a due height is not open. */
  #opensInOrder({ keys, transactions }: SimContent, parent: ParentBlock, isKey: (key: SealKey) => boolean) {
    const openedTo = this.openedTo(parent.hash);
    const dueTo = Number(parent.header.height);
    return (
      keys.length <= MAX_SEAL_KEYS &&
      openedTo + keys.length <= dueTo &&
      keys.every((key, at) => Number(key.height) === openedTo + 1 + at && isKey(key)) &&
      (transactions.length === 0 || openedTo + keys.length === dueTo)
    );
  }

  /** True if a block and its ancestors back to the genesis are valid. */
  isValid(hash: BlockHash): boolean {
    const known = this.#validity.get(hash);
    if (known !== undefined) return known;
    const block = this.#byHash.get(hash);
    const parent = block && this.#byHash.get(block.facts.parentHash);
    const isValid =
      block === this.genesis ||
      (block !== undefined &&
        parent !== undefined &&
        this.refusal(block.header, contentOf(block.items), listRoot(SIM_CRYPTO, block.items), parent) ===
          undefined &&
        this.isValid(block.facts.parentHash));
    this.#validity.set(hash, isValid);
    return isValid;
  }
  readonly #validity = new Map<BlockHash, boolean>();

  #add(header: BlockHeader, items: readonly Uint8Array[], keys: number): SimBlock {
    const encodedHeader = ledger.BlockHeader.encode(header);
    const hash = blockHash(SIM_CRYPTO, encodedHeader);
    const facts = {
      hash: toHex(hash),
      parentHash: toHex(header.parent_hash),
      height: Number(header.height),
      epoch: Number(header.epoch),
      view: Number(header.view),
      proposer: header.proposer,
    };
    const encoded = encodedBlock({ encodedHeader, items });
    const openedTo = this.openedTo(header.parent_hash) + keys;
    const block = { header, encodedHeader, hash, facts, items, encoded, openedTo };
    this.#byHash.set(facts.hash, block);
    this.#byHeader.set(encodedHeader, block);
    return block;
  }
}

/** The state is a chain of hashes over all items. */
function stateRoot(parent: BlockHeader, { transactions_root: items, height }: BlockHeader): Uint8Array {
  const input = new Uint8Array(72);
  input.set(parent.state_root);
  input.set(items, 32);
  new DataView(input.buffer).setBigUint64(64, height);
  return SIM_CRYPTO.sha256(input);
}

function historyRoot({ header, hash }: ParentBlock): Uint8Array {
  const input = new Uint8Array(64);
  input.set(header.history_root);
  input.set(hash, 32);
  return SIM_CRYPTO.sha256(input);
}
