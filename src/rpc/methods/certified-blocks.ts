import { LRUCache } from 'lru-cache';
import type { Certificates } from '../../chain/certificates.js';
import type { Chain } from '../../chain/chain.js';
import type { BlockHeader } from '../../generated/ledger.js';
import type { FinalityCertificate, FinalityProofResult } from '../../generated/node-rpc-v1.js';
import type { BlockReader } from '../../ledger/block-store.js';
import { RpcError } from '../errors.js';

/** A block's header, with evidence of its finality if there is any. */
export interface CertifiedBlock {
  readonly header: BlockHeader;
  readonly certificate?: FinalityCertificate;
  readonly descendants: readonly BlockHeader[];
}

/** Maximum number of cached headers, a few kilobytes each; most proof requests are for the same few heights. */
const KEPT_HEADERS = 2_048;
/** Maximum number of cached blocks; the effective limit if every block has its own certificate. */
const KEPT_BLOCKS = 64;

/** Reads headers with the evidence of their finality, cached per block. */
export class CertifiedBlocks {
  readonly #sources: CertifiedBlockSources;
  readonly #kept = new LRUCache<bigint, FinalityProofResult>({
    max: KEPT_BLOCKS,
    maxSize: KEPT_HEADERS,
    sizeCalculation: ({ descendants }) => 1 + descendants.length,
  });

  constructor(sources: CertifiedBlockSources) {
    this.#sources = sources;
  }

  /** The block at a committed height. @throws RpcError `state_unavailable` if its header is not stored */
  async at(height: bigint): Promise<CertifiedBlock> {
    const kept = this.#kept.get(height);
    if (kept !== undefined) return kept;
    const { chain, blocks, certificates } = this.#sources;
    const header = height === chain.tip.header.height ? chain.tip.header : blocks.header(height)?.header;
    if (header === undefined) {
      const range = { oldest: chain.firstHeight, newest: chain.tip.header.height };
      throw new RpcError('state_unavailable', `the header of block ${height} is not on this node`, range);
    }
    const finality = await certificates.of(height);
    if (finality === undefined) return { header, descendants: [] };
    const block = { header, ...finality };
    this.#kept.set(height, block);
    return block;
  }

  /** @throws RpcError `not_found` if there is no proof of finality; the errors of {@link at} */
  async provedAt(height: bigint): Promise<FinalityProofResult> {
    const { header, certificate, descendants } = await this.at(height);
    if (certificate !== undefined) return { header, certificate, descendants };
    const problem = `this node has no certificate of block ${height} or of one soon after it`;
    const advice = 'finalized_history_proof proves it under a later block';
    throw new RpcError('not_found', `${problem}; ${advice}`, { height });
  }
}

export interface CertifiedBlockSources {
  readonly chain: Chain;
  readonly blocks: BlockReader;
  readonly certificates: Certificates;
}
