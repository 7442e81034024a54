import { LRUCache } from 'lru-cache';
import type { Certificates } from '../../chain/certificates.js';
import type { Chain } from '../../chain/chain.js';
import type { BlockHeader } from '../../generated/ledger.js';
import type { FinalityCertificate, FinalityProofResult } from '../../generated/node-rpc-v1.js';
import type { BlockReader } from '../../ledger/block-store.js';
import { RpcError } from '../errors.js';

/** A block's header, and what shows that it is final where there is something. */
export interface CertifiedBlock {
  readonly header: BlockHeader;
  readonly certificate?: FinalityCertificate;
  readonly descendants: readonly BlockHeader[];
}

/** Headers kept in memory, some kilobytes each: proofs are asked for at few heights, many times at each. */
const KEPT_HEADERS = 2_048;
/** Where all blocks have certificates of their own. */
const KEPT_BLOCKS = 64;

/** Reads headers with what shows that they are final, once a block. */
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

  /** The block at a committed height. @throws RpcError `state_unavailable` where its header is not stored */
  async at(height: bigint): Promise<CertifiedBlock> {
    const kept = this.#kept.get(height);
    if (kept !== undefined) return kept;
    const { chain, blocks, certificates } = this.#sources;
    const header = height === chain.tip.header.height ? chain.tip.header : blocks.header(height)?.header;
    if (header === undefined) {
      throw new RpcError('state_unavailable', `the header of block ${height} is not on this node`, {
        oldest: chain.firstHeight,
        newest: chain.tip.header.height,
      });
    }
    const finality = await certificates.of(height);
    if (finality === undefined) return { header, descendants: [] };
    const block = { header, ...finality };
    this.#kept.set(height, block);
    return block;
  }

  /**
   * The block at a committed height, which can be shown to be final.
   * @throws RpcError `not_found` where it cannot, and as {@link at} says
   */
  async provedAt(height: bigint): Promise<FinalityProofResult> {
    const { header, certificate, descendants } = await this.at(height);
    if (certificate !== undefined) return { header, certificate, descendants };
    throw new RpcError(
      'not_found',
      `this node has no certificate of block ${height} or of one soon after it; finalized_history_proof proves it under a ` +
        'later block',
      { height },
    );
  }
}

export interface CertifiedBlockSources {
  readonly chain: Pick<Chain, 'tip' | 'firstHeight'>;
  readonly blocks: Pick<BlockReader, 'header'>;
  readonly certificates: Certificates;
}
