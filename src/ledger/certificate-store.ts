import type { FinalityCertificate, FinalityProofResult } from '../generated/node-rpc-v1.js';
import { be64, readBe64 } from '../storage/big-endian.js';
import type { StoreReader } from '../storage/store.js';
import type { WriteBatch } from '../storage/write-batch.js';
import { rpcTypes } from './rpc-codecs.js';

/** In column `meta`: borsh(FinalityProofResult) of a snapshot chain's base block. */
const BASE_FINALITY = Buffer.from('base_finality');

/** Stores a block's verified certificate: be64(height) → borsh(FinalityCertificate). */
export function appendCertificate(batch: WriteBatch, height: bigint, certificate: FinalityCertificate): void {
  batch.put('certificates', be64(height), rpcTypes.FinalityCertificate.encode(certificate));
}

/** The certificate stored for exactly this height. */
export function storedCertificate(
  store: Pick<StoreReader, 'get'>,
  height: bigint,
): FinalityCertificate | undefined {
  const value = store.get('certificates', be64(height));
  return value === undefined ? undefined : rpcTypes.FinalityCertificate.decode(value);
}

/** The stored certificate of the lowest certified block at or above a height, and that block's height. */
export function storedCertificateFrom(
  store: StoreReader,
  height: bigint,
): { readonly height: bigint; readonly certificate: FinalityCertificate } | undefined {
  for (const [key, value] of store.scan('certificates', { gte: be64(height), limit: 1 })) {
    return { height: readBe64(key, 0), certificate: rpcTypes.FinalityCertificate.decode(value) };
  }
  return undefined;
}

/** Stores the finality proof of a snapshot chain's base block; whole if it needs blocks not stored yet. */
export function putBaseFinality(batch: WriteBatch, base: FinalityProofResult): void {
  const { header, certificate, descendants } = base;
  if (descendants.length === 0) appendCertificate(batch, header.height, certificate);
  else batch.put('meta', BASE_FINALITY, rpcTypes.FinalityProofResult.encode(base));
}

/** The proof stored by {@link putBaseFinality}, if it has descendants. */
export function readBaseFinality(store: StoreReader): FinalityProofResult | undefined {
  const encoded = store.get('meta', BASE_FINALITY);
  return encoded === undefined ? undefined : rpcTypes.FinalityProofResult.decode(encoded);
}
