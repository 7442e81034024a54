import type { BlockReader } from '../ledger/block-store.js';
import { readBaseFinality, storedCertificateFrom } from '../ledger/certificate-store.js';
import type { StoreReader } from '../storage/store.js';
import { type Certificates, type Finality, MAX_DESCENDANTS } from './certificates.js';
import type { FinalizedSegment } from './pending-blocks.js';

/**
 * The certificates stored with blocks. A block without a certificate is proved by its nearest certified descendant's.
 */
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
  return {
    certificate: line.certificate,
    descendants: line.headers.filter((header) => header.height > height),
  };
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
