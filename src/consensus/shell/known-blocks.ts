import type { Runtime } from '../../async/runtime.js';
import { sameBytes } from '../../base/same-bytes.js';
import { type DecodedBlock, decodeBlock, type EncodedBlock } from '../../chain/decode-block.js';
import type { Crypto } from '../../crypto/crypto.js';
import { BorshError } from '../../idl/codecs/codec-errors.js';
import { toHex } from '../../idl/hex.js';
import { MAX_BODY_BYTES } from '../../ledger/constants.js';
import { blockHash } from '../../ledger/header.js';
import type { BlockFacts, BlockHash } from '../core/types.js';
import { encodedBlock, factsOf, headerOf } from './conversions.js';
import type { ChainBlock } from './ports.js';

/** A header has about 400 bytes; `extra` is empty in every valid one. */
const MAX_HEADER_BYTES = 1_024;
/** Maximum number of blocks per peer being decoded; more are refused. */
const MAX_DECODING_A_PEER = 4;
/** Maximum bytes of pushed blocks; more are refused, but requested ones are always accepted. */
const MAX_PUSHED_BYTES = 256 * 1024 * 1024;

export interface KnownBlock {
  readonly facts: BlockFacts;
  readonly timestampMs: bigint;
  /** Arrival time on the clock of `Runtime.now`. */
  readonly arrivedAt: number;
  readonly encoded: () => EncodedBlock;
  /** Bytes charged to the limit; 0 for blocks proposed here, which the chain keeps anyway. */
  readonly bytes: number;
  /** The decoded block until it is verified, so that it is decoded only once. */
  decoded: DecodedBlock | undefined;
}

export type Arrival =
  | { readonly result: 'known' | 'unwanted' | 'busy' }
  | { readonly result: 'new'; readonly facts: BlockFacts }
  /** Never sent by an honest peer. */
  | { readonly result: 'bad'; readonly reason: string };

interface Announced {
  readonly facts: BlockFacts;
  readonly timestampMs: bigint;
  readonly transactionsRoot: Uint8Array;
}

/**
 * Bytes of the blocks known to the core, by hash. The header of an incoming block is decoded first; the body only if
 * the core wants the block, and it is kept only if it matches the header. Blocks that the core no longer needs are
 * dropped.
 */
export class KnownBlocks {
  readonly #crypto: Crypto;
  readonly #runtime: Runtime;
  readonly #known = new Map<BlockHash, KnownBlock>();
  readonly #decoding = new Map<BlockHash, number>();
  #bytes = 0;

  constructor(crypto: Crypto, runtime: Runtime) {
    this.#crypto = crypto;
    this.#runtime = runtime;
  }

  get size(): number {
    return this.#known.size;
  }

  get(hash: BlockHash): KnownBlock | undefined {
    return this.#known.get(hash);
  }

  /** Receives a block from a peer. */
  async take(
    from: number,
    block: EncodedBlock,
    isAsked: (hash: BlockHash) => boolean,
    wants: (facts: BlockFacts) => boolean,
  ): Promise<Arrival> {
    const announced = this.#announced(block);
    if ('result' in announced) return announced;
    const { facts, timestampMs, transactionsRoot } = announced;
    const { hash } = facts;
    if (this.#known.has(hash)) return { result: 'known' };
    if (!wants(facts)) return { result: 'unwanted' };
    if (this.#decoding.has(hash)) return { result: 'known' };
    if (!isAsked(hash) && this.#isFullFor(from, block)) return { result: 'busy' };
    this.#decoding.set(hash, from);
    try {
      const decoded = await decodeBlock(this.#crypto, block, this.#runtime.nextTurn);
      if ('verdict' in decoded) return bad(`${decoded.what}: ${decoded.stored}`);
      if (!sameBytes(decoded.itemsRoot, transactionsRoot)) return bad('header and body differ');
      this.#addReceived(block, facts, timestampMs, decoded);
      return { result: 'new', facts };
    } finally {
      this.#decoding.delete(hash);
    }
  }

  /** Adds a block proposed here; it is encoded on first use. */
  addOwn(block: ChainBlock, startedAt: number): BlockFacts {
    const facts = factsOf(block.header, toHex(block.hash));
    if (facts === undefined) throw new RangeError('a proposed block has a number beyond the safe integers');
    let encoded: EncodedBlock | undefined;
    this.#add({
      facts,
      timestampMs: block.header.timestamp_ms,
      arrivedAt: startedAt,
      encoded: () => {
        encoded ??= encodedBlock(block);
        return encoded;
      },
      bytes: 0,
      decoded: undefined,
    });
    return facts;
  }

  restore(block: EncodedBlock, facts: BlockFacts): void {
    this.#addReceived(block, facts, headerOf(block).timestamp_ms, undefined);
  }

  forget(hashes: readonly BlockHash[]): void {
    for (const hash of hashes) {
      const known = this.#known.get(hash);
      if (known === undefined) continue;
      this.#known.delete(hash);
      this.#bytes -= known.bytes;
    }
  }

  #announced(block: EncodedBlock): Announced | Arrival {
    if (block.header.length > MAX_HEADER_BYTES) return bad(`a header of ${block.header.length} bytes`);
    if (block.body.length > MAX_BODY_BYTES) return bad(`a body of ${block.body.length} bytes`);
    try {
      const header = headerOf(block);
      const facts = factsOf(header, toHex(blockHash(this.#crypto, block.header)));
      if (facts === undefined) return bad('a header with a number beyond the safe integers');
      return { facts, timestampMs: header.timestamp_ms, transactionsRoot: header.transactions_root };
    } catch (error) {
      if (error instanceof BorshError) return bad(`a malformed header: ${error.message}`);
      throw error;
    }
  }

  #isFullFor(from: number, block: EncodedBlock): boolean {
    let decoding = 0;
    for (const peer of this.#decoding.values()) if (peer === from) decoding++;
    return decoding >= MAX_DECODING_A_PEER || this.#bytes + block.body.length > MAX_PUSHED_BYTES;
  }

  #addReceived(
    block: EncodedBlock,
    facts: BlockFacts,
    timestampMs: bigint,
    decoded: DecodedBlock | undefined,
  ): void {
    const bytes = block.body.length;
    this.#add({ facts, timestampMs, arrivedAt: this.#runtime.now(), encoded: () => block, bytes, decoded });
  }

  #add(block: KnownBlock): void {
    if (this.#known.has(block.facts.hash)) return;
    this.#known.set(block.facts.hash, block);
    this.#bytes += block.bytes;
  }
}

function bad(reason: string): Arrival {
  return { result: 'bad', reason };
}
