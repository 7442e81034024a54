import type { FinalityCertificate } from '../generated/node-rpc-v1.js';
import { storedCertificate } from '../ledger/certificate-store.js';
import type { StoreReader } from '../storage/store.js';
import type { Certificates } from './certificates.js';

/** The certificates that a node without the validator's key got from elsewhere and stored. */
export class StoredCertificates implements Certificates {
  readonly #store: StoreReader;

  constructor(store: StoreReader) {
    this.#store = store;
  }

  async of(height: bigint): Promise<FinalityCertificate | undefined> {
    return storedCertificate(this.#store, height);
  }
}
