import { clientOfAddress } from '../../config/host.js';

/** The identity of a caller, as known without any lookup. */
export interface CallerIdentity {
  /** The peer's address as text. */
  readonly remoteAddress: string;
  /** `sub` of the token; undefined without a token. */
  readonly subject: string | undefined;
}

/** The key under which calls are counted together: the token's subject, else the address, of IPv6 its /64. */
export function clientOf({ subject, remoteAddress }: CallerIdentity): string {
  return subject === undefined ? `address ${clientOfAddress(remoteAddress)}` : `subject ${subject}`;
}
