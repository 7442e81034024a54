import type { FinalityCertificate } from '../generated/node-rpc-v1.js';

/** Who can show that blocks of the chain are final. */
export interface Certificates {
  /**
   * The certificate of the block at a height; undefined where there is none: beyond the tip, or on a node that neither holds
   * the validator's key nor got the certificate from its source.
   */
  of(height: bigint): Promise<FinalityCertificate | undefined>;
}
