import type { EncodedBlock } from '../../chain/decode-block.js';
import type { BlockReader } from '../../ledger/block-store.js';
import { storedCertificate } from '../../ledger/certificate-store.js';
import { ledger } from '../../ledger/codecs.js';
import { MAX_BODY_BYTES } from '../../ledger/constants.js';
import type { StoreReader } from '../../storage/store.js';
import type { BlockHash, Certificate } from '../core/types.js';
import { encodedBlock, finalizationOf, hashBytes } from './conversions.js';
import type { KnownBlocks } from './known-blocks.js';
import type { FinalBlock } from './ports.js';
import { RateLimiter } from './rate-limiter.js';

/** Requests a peer may make. An honest one asks for what it misses, and again after a quarter of a second. */
const REQUESTS = {
  get_block: { perSecond: 100, burst: 200 },
  get_certificates: { perSecond: 20, burst: 40 },
  /** Each may take milliseconds to be answered. */
  get_finalized: { perSecond: 5, burst: 20 },
} as const;
/** Bytes of blocks; a node that catches up is to be done some time. */
const BYTES = { perSecond: 32 * 1024 * 1024, burst: 64 * 1024 * 1024 };
/** Milliseconds of this thread: old blocks may have to come from a slow disk. */
const TIME = { perSecond: 200, burst: 1_000 };
/** An answer goes out with the blocks that were read in this time. */
const MAX_ANSWER_MS = 25;
/** Blocks in one answer. */
const MAX_FINAL_BLOCKS = 256;
/** Bytes of blocks in one answer, but for its first. */
const MAX_ANSWER_BYTES = MAX_BODY_BYTES / 2;

export interface PeerRequestHandlerOptions {
  readonly known: Pick<KnownBlocks, 'get'>;
  readonly blocks: Pick<BlockReader, 'header' | 'heightOf' | 'encodedItems'>;
  readonly store: StoreReader;
  readonly tipHeight: () => number;
  /** Milliseconds of a clock that does not go back. */
  readonly now: () => number;
}

/** Answers peers' requests for blocks, within what each may have. */
export class PeerRequestHandler {
  readonly #options: PeerRequestHandlerOptions;
  readonly #requests: Readonly<Record<keyof typeof REQUESTS, RateLimiter>>;
  readonly #bytes: RateLimiter;
  readonly #time: RateLimiter;

  constructor(options: PeerRequestHandlerOptions) {
    this.#options = options;
    const { now } = options;
    this.#requests = {
      get_block: new RateLimiter(REQUESTS.get_block, now),
      get_certificates: new RateLimiter(REQUESTS.get_certificates, now),
      get_finalized: new RateLimiter(REQUESTS.get_finalized, now),
    };
    this.#bytes = new RateLimiter(BYTES, now);
    this.#time = new RateLimiter(TIME, now);
  }

  /** Whether a peer's request is to be looked at. */
  admit(peer: number, request: keyof typeof REQUESTS): boolean {
    return this.#requests[request].tryTake(peer);
  }

  /** A block, pending or final; undefined where it is not here or the peer has had enough. */
  block(peer: number, hash: BlockHash): EncodedBlock | undefined {
    const { known, blocks, now } = this.#options;
    if (!this.#isOpen(peer)) return undefined;
    const startedAt = now();
    const here = known.get(hash)?.encoded();
    const height = here === undefined ? blocks.heightOf(hashBytes(hash)) : undefined;
    const block = here ?? (height === undefined ? undefined : this.#finalBlock(height));
    if (block !== undefined) this.#bytes.charge(peer, sizeOf(block));
    this.#time.charge(peer, now() - startedAt);
    return block;
  }

  /** Final blocks from a height on, as many as fit. */
  finalized(peer: number, fromHeight: number, count: number): readonly FinalBlock[] {
    const { store, tipHeight, now } = this.#options;
    if (!this.#isOpen(peer)) return [];
    const startedAt = now();
    const last = Math.min(tipHeight(), fromHeight + Math.min(count, MAX_FINAL_BLOCKS) - 1);
    const found: FinalBlock[] = [];
    let bytes = 0;
    for (let height = Math.max(1, fromHeight); height <= last; height++) {
      if (!this.#bytes.hasTokens(peer) || now() - startedAt > MAX_ANSWER_MS) break;
      const block = this.#finalBlock(BigInt(height));
      if (block === undefined) break;
      bytes += sizeOf(block);
      if (found.length > 0 && bytes > MAX_ANSWER_BYTES) break;
      this.#bytes.charge(peer, sizeOf(block));
      const certificate = storedCertificate(store, BigInt(height));
      found.push({ block, certificate: certificate && finalizationOf(certificate) });
    }
    this.#time.charge(peer, now() - startedAt);
    return found;
  }

  /** That of a block that is pending or final here. */
  heightOf(hash: BlockHash): number | undefined {
    const { known, blocks } = this.#options;
    const pending = known.get(hash)?.facts.height;
    if (pending !== undefined) return pending;
    const height = blocks.heightOf(hashBytes(hash));
    return height === undefined ? undefined : Number(height);
  }

  /** The stored finalization of the block of a height. */
  finalization(height: number): Certificate | undefined {
    const stored = storedCertificate(this.#options.store, BigInt(height));
    return stored === undefined ? undefined : finalizationOf(stored);
  }

  #isOpen(peer: number): boolean {
    return this.#bytes.hasTokens(peer) && this.#time.hasTokens(peer);
  }

  #finalBlock(height: bigint): EncodedBlock | undefined {
    const { blocks } = this.#options;
    const stored = blocks.header(height);
    if (stored === undefined) return undefined;
    const encodedHeader = ledger.BlockHeader.encode(stored.header);
    return encodedBlock({ encodedHeader, items: blocks.encodedItems(height) });
  }
}

function sizeOf({ header, body }: EncodedBlock): number {
  return header.length + body.length;
}
