import { clientOfAddress } from '../../config/host.js';

/** Who calls, as far as it can be known without asking anybody. */
export interface Client {
  /** In text form. */
  readonly remoteAddress: string;
  /** `sub` of the token; undefined where none was sent. */
  readonly subject: string | undefined;
}

/** Whose calls count together: a token's owner, else the owner of an address. */
export function clientOf({ subject, remoteAddress }: Client): string {
  return subject === undefined ? `address ${clientOfAddress(remoteAddress)}` : `subject ${subject}`;
}
