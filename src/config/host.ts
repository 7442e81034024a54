import { isIP, isIPv4 } from 'node:net';

/** A name or address and, where one is given, a port. */
export interface Host {
  /** Lower case, without a final dot; IPv6 without brackets. */
  readonly name: string;
  readonly port: string | undefined;
}

/** Whether a text is `*`, a name, `*.` and a name, or an address, each with a port where one is meant. */
export function isHostEntry(text: string): boolean {
  return text === '*' || parseHost(text.startsWith('*.') ? text.slice(2) : text) !== undefined;
}

/** The grammar of `Host` (RFC 9110, section 7.2), with `*.` in front for entries. */
export function parseHost(text: string): Host | undefined {
  const [, bracketed, plain, port] =
    /^(?:\[([0-9a-f:.]{2,45})\]|((?:\*\.)?[a-z0-9_.-]{1,255}))(?::(\d{1,5}))?$/i.exec(text) ?? [];
  if (bracketed !== undefined) {
    return isIP(bracketed) === 6 ? { name: canonicalIpv6(bracketed), port } : undefined;
  }
  if (plain === undefined) {
    // An entry may leave the brackets out, as --host does.
    return isIP(text) === 6 ? { name: canonicalIpv6(text), port: undefined } : undefined;
  }
  const name = plain.toLowerCase().replace(/\.$/, '');
  // What looks like an address is one, written as it should be.
  if (name === '' || (/^[0-9.]+$/.test(name) && !isIPv4(name))) return undefined;
  return { name, port };
}

/** Of the ways to write an IPv6 address, the one that the URL standard gives. */
function canonicalIpv6(address: string): string {
  return new URL(`http://[${address}]/`).hostname.slice(1, -1);
}

/** An IPv6 client is its network: it has 2^64 addresses to call from. */
export function clientOfAddress(address: string): string {
  if (!address.includes(':')) return address;
  const zeros = address.indexOf('::');
  const written = (zeros < 0 ? address : address.slice(0, zeros)).split(':');
  const groups = [...written, '0', '0', '0', '0'].slice(0, 4);
  return groups.map((group) => Number.parseInt(group || '0', 16).toString(16)).join(':');
}
