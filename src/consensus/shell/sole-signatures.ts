import type { Certificate, VoteMessage } from '../core/types.js';
import type { AssembledVotes, VoteSignatures } from './ports.js';

const NO_PARTIAL = new Uint8Array(96);
const NO_SIGNATURE = new Uint8Array(64);

/** A sole validator's placeholder signatures: no peer sees its votes, and `ValidatorCertificates` signs on demand. */
export class SoleSignatures implements VoteSignatures {
  async sign() {
    return { partial: NO_PARTIAL, signature: NO_SIGNATURE };
  }

  async assemble(_message: VoteMessage): Promise<AssembledVotes> {
    return { signature: NO_PARTIAL, bad: [] };
  }

  async isCertified(_certificate: Certificate): Promise<boolean> {
    return false;
  }

  isSigned(): boolean {
    return false;
  }
}
