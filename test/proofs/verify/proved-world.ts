import { createHash } from 'node:crypto';
import { nobleBls } from '../../../native-free/crypto/bls.js';
import type { BlockHeader } from '../../../src/generated/ledger.js';
import type { FinalityCertificate, TreeProof } from '../../../src/generated/node-rpc-v1.js';
import { ledger } from '../../../src/ledger/codecs.js';
import { hex } from '../../support/hex.js';

// The prover for the verifier's tests, written from the definitions alone; it shares nothing with src/proofs.

export const sha256 = (...parts: readonly Uint8Array[]): Uint8Array =>
  new Uint8Array(createHash('sha256').update(Buffer.concat(parts)).digest());

/** 32 bytes that depend only on a number. */
export const digest = (seed: number): Uint8Array => sha256(Buffer.from(`digest ${seed}`));

export const GROUP_KEY = new Uint8Array(32).fill(7);
export const GROUP_PUBLIC_KEY = nobleBls().publicKey(GROUP_KEY);
export const CHAIN_ID = 9545n;

export function headerWith(parts: Partial<BlockHeader> = {}): BlockHeader {
  return {
    chain_id: CHAIN_ID,
    height: 11n,
    parent_hash: digest(1),
    epoch: 0n,
    view: 13n,
    timestamp_ms: 1_767_225_600_000n,
    proposer: 0,
    transactions_root: digest(2),
    receipts_root: digest(3),
    state_root: digest(4),
    history_root: digest(5),
    validators_hash: digest(6),
    gas_used: 21_000n,
    gas_limit: 500_000_000n,
    base_fee: 1n,
    seal_excess: 0n,
    extra: Uint8Array.of(1, 2, 3),
    ...parts,
  };
}

export function hashOf(header: BlockHeader): Uint8Array {
  return sha256(Buffer.from('heddle/block/1'), ledger.BlockHeader.encode(header));
}

export function certify(
  header: BlockHeader,
  { parentView = 12n, key = GROUP_KEY, kind = 'finalize', view = header.view } = {},
): FinalityCertificate {
  const numbers = Buffer.alloc(32);
  for (const [index, value] of [header.chain_id, header.epoch, view, parentView].entries()) {
    numbers.writeBigUInt64LE(value, index * 8);
  }
  const message = Buffer.concat([Buffer.from(`heddle/${kind}/1`), numbers, hashOf(header)]);
  return {
    epoch: header.epoch,
    view,
    block_hash: hashOf(header),
    parent_view: parentView,
    signature: nobleBls().sign(message, key),
    group_public_key: nobleBls().publicKey(key),
  };
}

/** A tree by its definition, every node computed on demand. */
export class PlainTree {
  readonly #entries: readonly { readonly key: Uint8Array; readonly value: Uint8Array }[];

  constructor(entries: readonly { readonly key: Uint8Array; readonly value: Uint8Array }[]) {
    this.#entries = entries;
  }

  get root(): Uint8Array {
    return node(this.#entries, 0);
  }

  prove(key: Uint8Array): TreeProof {
    let below = this.#entries;
    const path: Uint8Array[] = [];
    while (below.length > 1) {
      const depth = path.length;
      path.push(
        node(
          below.filter((entry) => bit(entry.key, depth) !== bit(key, depth)),
          depth + 1,
        ),
      );
      below = below.filter((entry) => bit(entry.key, depth) === bit(key, depth));
    }
    const bitmap = new Uint8Array(Math.ceil(path.length / 8));
    for (const [depth, sibling] of path.entries()) {
      if (sibling.some((byte) => byte !== 0))
        bitmap[depth >> 3] = (bitmap[depth >> 3] ?? 0) | (1 << (depth & 7));
    }
    const proof = {
      key,
      depth: path.length,
      bitmap,
      siblings: path.filter((sibling) => sibling.some((byte) => byte !== 0)).reverse(),
    };
    const [leaf] = below;
    if (leaf === undefined) return proof;
    if (hex(leaf.key) === hex(key)) return { ...proof, value: leaf.value };
    return { ...proof, neighbour: { key: leaf.key, value_hash: sha256(leaf.value) } };
  }
}

function node(
  entries: readonly { readonly key: Uint8Array; readonly value: Uint8Array }[],
  depth: number,
): Uint8Array {
  const [first] = entries;
  if (first === undefined) return new Uint8Array(32);
  if (entries.length === 1) return sha256(Uint8Array.of(0), first.key, sha256(first.value));
  const half = (side: number) => entries.filter(({ key }) => bit(key, depth) === side);
  return sha256(node(half(0), depth + 1), node(half(1), depth + 1));
}

const bit = (key: Uint8Array, index: number): number => ((key[index >> 3] ?? 0) >> (7 - (index & 7))) & 1;

/** A list's root, padded and mixed with the length, and the paths of its items. */
export function plainList(items: readonly Uint8Array[]): {
  root: Uint8Array;
  path: (index: number) => Uint8Array[];
} {
  const layers: Uint8Array[][] = [items.map((item) => sha256(item))];
  const [leaves] = layers;
  if (leaves === undefined || leaves.length === 0) throw new Error('an empty list has no paths');
  while ((leaves.length & (leaves.length - 1)) !== 0) leaves.push(new Uint8Array(32));
  for (let layer = leaves; layer.length > 1; ) {
    const below = layer;
    layer = Array.from({ length: below.length / 2 }, (_, i) => sha256(...below.slice(2 * i, 2 * i + 2)));
    layers.push(layer);
  }
  const length = Buffer.alloc(32);
  length.writeUInt32LE(items.length);
  return {
    root: sha256(layers.at(-1)?.[0] ?? new Uint8Array(32), length),
    path: (index) =>
      layers.slice(0, -1).map((layer, level) => layer[(index >> level) ^ 1] ?? new Uint8Array(32)),
  };
}
