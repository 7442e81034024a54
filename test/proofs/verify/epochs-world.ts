import type { BlockHeader } from '../../../src/generated/ledger.js';
import type { FinalityCertificate } from '../../../src/generated/node-rpc-v1.js';
import { certify, digest, hashOf, headerWith } from './proved-world.js';

/** Number of blocks in an epoch. */
export const EPOCH_LENGTH = 7;

/** A made-up chain of three epochs with different validators, in which views were skipped. */
export interface EpochsWorld {
  /** By height, from genesis on. */
  readonly headers: readonly BlockHeader[];
  /** By height: only some blocks were certified themselves, always including the last. */
  readonly certificates: ReadonlyMap<number, FinalityCertificate>;
}

/** The result depends on `epochs` only. */
export function epochsWorld(epochs = 3): EpochsWorld {
  const headers: BlockHeader[] = [];
  const certificates = new Map<number, FinalityCertificate>();
  let parent: BlockHeader | undefined;
  for (let height = 0; height <= epochs * EPOCH_LENGTH; height++) {
    const epoch = Math.floor(Math.max(0, height - 1) / EPOCH_LENGTH);
    const place = height === 0 ? 0 : (height - 1) % EPOCH_LENGTH;
    const parentView = place === 0 || parent === undefined ? 0n : parent.view;
    const header = headerWith({
      height: BigInt(height),
      epoch: BigInt(epoch),
      // One view is skipped before every third block.
      view: height === 0 ? 0n : parentView + (height % 3 === 0 ? 2n : 1n),
      proposer: height % 4,
      state_root: digest(1_000 + height),
      validators_hash: digest(2_000 + epoch),
      parent_hash: parent === undefined ? new Uint8Array(32) : hashOf(parent),
    });
    headers.push(header);
    // The last block of an epoch was proposed again two views later, until it was final.
    if (place === EPOCH_LENGTH - 1) {
      certificates.set(height, certify(header, { parentView: header.view, view: header.view + 2n }));
    } else if (height % 4 === 2) certificates.set(height, certify(header, { parentView }));
    parent = header;
  }
  return { headers, certificates };
}

/** The nearest certificate at or above a height, and the headers from the next height to the certified block. */
export function finalityAt(
  { headers, certificates }: EpochsWorld,
  height: number,
): { readonly certificate: FinalityCertificate; readonly descendants: readonly BlockHeader[] } {
  for (let at = height; at < headers.length; at++) {
    const certificate = certificates.get(at);
    if (certificate !== undefined) return { certificate, descendants: headers.slice(height + 1, at + 1) };
  }
  throw new Error(`nothing makes block ${height} final`);
}
