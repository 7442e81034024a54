/** Who calls, as far as it can be known without asking anybody. */
export interface Client {
  /** In text form. */
  readonly remoteAddress: string;
  /** `sub` of the token; undefined where none was sent. */
  readonly subject: string | undefined;
}

/** Whose calls count together: a token's owner, else the owner of an address. */
export function clientOf({ subject, remoteAddress }: Client): string {
  return subject === undefined ? `address ${ownerOf(remoteAddress)}` : `subject ${subject}`;
}

/** An IPv6 client is its network: it has 2^64 addresses to call from. */
export function ownerOf(address: string): string {
  if (!address.includes(':')) return address;
  const zeros = address.indexOf('::');
  const written = (zeros < 0 ? address : address.slice(0, zeros)).split(':');
  const groups = [...written, '0', '0', '0', '0'].slice(0, 4);
  return groups.map((group) => Number.parseInt(group || '0', 16).toString(16)).join(':');
}
