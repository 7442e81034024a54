import type { FinalityCertificate } from '../generated/node-rpc-v1.js';
import { be64 } from '../storage/big-endian.js';
import type { StoreReader } from '../storage/store.js';
import type { WriteBatch } from '../storage/write-batch.js';
import { rpcTypes } from './rpc-codecs.js';

/** Adds the certificate of the block at a height: be64(height) → borsh(FinalityCertificate). It must have been verified. */
export function appendCertificate(batch: WriteBatch, height: bigint, certificate: FinalityCertificate): void {
  batch.put('certificates', be64(height), rpcTypes.FinalityCertificate.encode(certificate));
}

/** The stored certificate of the block at a height. */
export function storedCertificate(store: StoreReader, height: bigint): FinalityCertificate | undefined {
  const encoded = store.get('certificates', be64(height));
  return encoded === undefined ? undefined : rpcTypes.FinalityCertificate.decode(encoded);
}
