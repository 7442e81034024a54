import { LeakyBuckets } from '../../async/gcra.js';
import type { Runtime } from '../../async/runtime.js';
import type { EncodedBlock } from '../../chain/decode-block.js';
import type { BlockHeader } from '../../generated/ledger.js';
import { storedCertificate } from '../../ledger/certificate-store.js';
import { ledger } from '../../ledger/codecs.js';
import { MAX_BODY_BYTES } from '../../ledger/constants.js';
import type { StoreReader } from '../../storage/store.js';
import type { BlockHash, Certificate } from '../core/types.js';
import { encodedBlock, finalizationOf, hashBytes } from './conversions.js';
import type { KnownBlocks } from './known-blocks.js';
import type { FinalBlock, FinalBlockReader } from './ports.js';

/** Request limits per peer. An honest peer requests what it lacks, and retries after a quarter of a second. */
const REQUESTS = {
  get_block: { perSecond: 100, burst: 200 },
  get_certificates: { perSecond: 20, burst: 40 },
  /** Each answer may take milliseconds. */
  get_finalized: { perSecond: 5, burst: 20 },
} as const;
/** Block bytes per peer, enough for a node to finish catching up. */
const BYTES = { perSecond: 32 * 1024 * 1024, burst: 64 * 1024 * 1024 };
/** Milliseconds of this thread per peer: old blocks may come from a slow disk. */
const TIME = { perSecond: 200, burst: 1_000 };
/** Time budget in milliseconds for reading an answer's blocks. */
const MAX_ANSWER_MS = 25;
const MAX_FINAL_BLOCKS = 256;
/** Maximum block bytes in one answer; a first block that exceeds it is sent alone. */
const MAX_ANSWER_BYTES = MAX_BODY_BYTES / 2;

export interface PeerRequestHandlerOptions {
  readonly known: Pick<KnownBlocks, 'get'>;
  readonly blocks: FinalBlockReader;
  readonly store: Pick<StoreReader, 'get'>;
  readonly chain: { readonly tip: { readonly header: Pick<BlockHeader, 'height'> } };
  readonly runtime: Runtime;
}

/** Answers peers' requests for blocks within per-peer limits. */
export class PeerRequestHandler {
  readonly #options: PeerRequestHandlerOptions;
  readonly #requests: Readonly<Record<keyof typeof REQUESTS, LeakyBuckets<number>>>;
  readonly #bytes: LeakyBuckets<number>;
  readonly #time: LeakyBuckets<number>;

  constructor(options: PeerRequestHandlerOptions) {
    this.#options = options;
    const { now } = options.runtime;
    this.#requests = {
      get_block: new LeakyBuckets(REQUESTS.get_block, now),
      get_certificates: new LeakyBuckets(REQUESTS.get_certificates, now),
      get_finalized: new LeakyBuckets(REQUESTS.get_finalized, now),
    };
    this.#bytes = new LeakyBuckets(BYTES, now);
    this.#time = new LeakyBuckets(TIME, now);
  }

  admit(peer: number, request: keyof typeof REQUESTS): boolean {
    return this.#requests[request].take(peer, 1);
  }

  /** A pending or final block; undefined if unknown or the peer is over its limits. */
  block(peer: number, hash: BlockHash): EncodedBlock | undefined {
    const { known, blocks, runtime } = this.#options;
    if (!this.#isOpen(peer)) return undefined;
    const startedAt = runtime.now();
    const here = known.get(hash)?.encoded();
    const height = here === undefined ? blocks.heightOf(hashBytes(hash)) : undefined;
    const block = here ?? (height === undefined ? undefined : this.#finalBlock(height));
    if (block !== undefined) this.#bytes.charge(peer, sizeOf(block));
    this.#time.charge(peer, runtime.now() - startedAt);
    return block;
  }

  /** Final blocks from a height on, up to the answer's limits. */
  finalized(peer: number, fromHeight: number, count: number): readonly FinalBlock[] {
    const { store, chain, runtime } = this.#options;
    if (!this.#isOpen(peer)) return [];
    const startedAt = runtime.now();
    const tip = Number(chain.tip.header.height);
    const last = Math.min(tip, fromHeight + Math.min(count, MAX_FINAL_BLOCKS) - 1);
    const found: FinalBlock[] = [];
    let bytes = 0;
    for (let height = Math.max(1, fromHeight); height <= last; height++) {
      if (!this.#bytes.hasRoom(peer) || runtime.now() - startedAt > MAX_ANSWER_MS) break;
      const block = this.#finalBlock(BigInt(height));
      if (block === undefined) break;
      bytes += sizeOf(block);
      if (found.length > 0 && bytes > MAX_ANSWER_BYTES) break;
      this.#bytes.charge(peer, sizeOf(block));
      const certificate = storedCertificate(store, BigInt(height));
      found.push({ block, certificate: certificate && finalizationOf(certificate) });
    }
    this.#time.charge(peer, runtime.now() - startedAt);
    return found;
  }

  heightOf(hash: BlockHash): number | undefined {
    const { known, blocks } = this.#options;
    const pending = known.get(hash)?.facts.height;
    if (pending !== undefined) return pending;
    const height = blocks.heightOf(hashBytes(hash));
    return height === undefined ? undefined : Number(height);
  }

  finalization(height: number): Certificate | undefined {
    const stored = storedCertificate(this.#options.store, BigInt(height));
    return stored === undefined ? undefined : finalizationOf(stored);
  }

  #isOpen(peer: number): boolean {
    return this.#bytes.hasRoom(peer) && this.#time.hasRoom(peer);
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
