import type { BlockHeader } from '../generated/ledger.js';
import type { FinalityCertificate } from '../generated/node-rpc-v1.js';
import type { BlockReader } from '../ledger/block-store.js';
import { readBaseFinality, storedCertificateFrom } from '../ledger/certificate-store.js';
import { finalizeMessage } from '../proofs/verify/certificate-message.js';
import type { StoreReader } from '../storage/store.js';
import type { ChainTip } from './committed-chain.js';
import type { FinalizedSegment } from './pending-blocks.js';

/** Maximum number of headers between a block and its certified descendant; older blocks are proved by the history. */
export const MAX_DESCENDANTS = 1_000;

/** A proof that a block is final. */
export interface Finality {
  /** The certificate of the block, or of its nearest certified descendant. */
  readonly certificate: FinalityCertificate;
  /** Headers from the block's child up to the certified block; empty if the block itself is certified. */
  readonly descendants: readonly BlockHeader[];
}

/** The parent view in a certificate: 0 in an epoch's first block; undefined without a needed parent. */
export function parentViewOf(header: BlockHeader, parent: BlockHeader | undefined): bigint | undefined {
  if (header.height === 0n) return 0n;
  if (parent === undefined) return undefined;
  return parent.epoch === header.epoch ? parent.view : 0n;
}

/** The certificate of a block, signed with the group's private key. */
export async function signedCertificate(
  { header, hash }: ChainTip,
  parentView: bigint,
  groupPublicKey: Uint8Array,
  sign: (message: Uint8Array) => Uint8Array | Promise<Uint8Array>,
): Promise<FinalityCertificate> {
  const { chain_id: chainId, epoch, view } = header;
  return {
    epoch,
    view,
    block_hash: hash,
    parent_view: parentView,
    signature: await sign(finalizeMessage({ chainId, epoch, view, parentView, hash })),
    group_public_key: groupPublicKey,
  };
}

export interface Certificates {
  /**
   * Returns a proof that the block at a height is final, or undefined above the tip. A node without the validator's
   * key also returns undefined if it got no certificate from its source for that block or one at most
   * {@link MAX_DESCENDANTS} above it.
   */
  of(height: bigint): Promise<Finality | undefined>;
}

/** The certificates stored with blocks; one without is proved by its nearest certified descendant's. */
export class StoredCertificates implements Certificates {
  readonly #store: StoreReader;
  readonly #blocks: Pick<BlockReader, 'headers'>;
  readonly #committing: () => FinalizedSegment | undefined;

  /** @param committing the blocks being written; their common certificate is stored with the last one */
  constructor(
    store: StoreReader,
    blocks: Pick<BlockReader, 'headers'>,
    committing: () => FinalizedSegment | undefined = () => undefined,
  ) {
    this.#store = store;
    this.#blocks = blocks;
    this.#committing = committing;
  }

  async of(height: bigint): Promise<Finality | undefined> {
    const line = this.#committing();
    return storedFinality(this.#store, this.#blocks, height) ?? finalityInSegment(line, height);
  }
}

function finalityInSegment(line: FinalizedSegment | undefined, height: bigint): Finality | undefined {
  const [lowest] = line?.headers ?? [];
  const last = line?.headers.at(-1);
  if (line === undefined || lowest === undefined || last === undefined) return undefined;
  if (height + 1n < lowest.height || height > last.height) return undefined;
  if (last.height - height > BigInt(MAX_DESCENDANTS)) return undefined;
  const descendants = line.headers.filter((header) => header.height > height);
  return { certificate: line.certificate, descendants };
}

/** The stored finality proof of the block at a height; costs one certificate lookup and the headers in between. */
export function storedFinality(
  store: StoreReader,
  blocks: Pick<BlockReader, 'headers'>,
  height: bigint,
): Finality | undefined {
  const nearest = storedCertificateFrom(store, height);
  if (nearest !== undefined && nearest.height - height <= BigInt(MAX_DESCENDANTS)) {
    const { certificate } = nearest;
    const count = Number(nearest.height - height);
    const heights = Array.from({ length: count }, (_, place) => height + BigInt(place) + 1n);
    const headers = count === 0 ? [] : blocks.headers(heights);
    if (headers.length === count) return { certificate, descendants: headers.map(({ header }) => header) };
  }
  // The proof imported with a snapshot's block may extend beyond the blocks stored so far.
  const base = readBaseFinality(store);
  if (base?.header.height !== height) return undefined;
  return { certificate: base.certificate, descendants: base.descendants };
}
