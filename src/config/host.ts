import { isIP, isIPv4 } from 'node:net';

/** A host name or address with an optional port. */
export interface Host {
  /** Lowercase, without a trailing dot; IPv6 without brackets. */
  readonly name: string;
  readonly port: string | undefined;
}

/** True for `*`, or for a name, a name after `*.`, or an address, each with an optional port. */
export function isHostEntry(text: string): boolean {
  return text === '*' || parseHost(text.startsWith('*.') ? text.slice(2) : text) !== undefined;
}

/** Parses a `Host` value (RFC 9110, section 7.2); entries may start with `*.`. */
export function parseHost(text: string): Host | undefined {
  const [, bracketed, plain, port] =
    /^(?:\[([0-9a-f:.]{2,45})\]|((?:\*\.)?[a-z0-9_.-]{1,255}))(?::(\d{1,5}))?$/i.exec(text) ?? [];
  if (bracketed !== undefined) {
    return isIP(bracketed) === 6 ? { name: canonicalIpv6(bracketed), port } : undefined;
  }
  if (plain === undefined) {
    // Entries may omit the brackets, like --host.
    return isIP(text) === 6 ? { name: canonicalIpv6(text), port: undefined } : undefined;
  }
  const name = plain.toLowerCase().replace(/\.$/, '');
  // A name of only digits and dots must be a valid address.
  if (name === '' || (/^[0-9.]+$/.test(name) && !isIPv4(name))) return undefined;
  return { name, port };
}

/** The IPv6 address in the form of the URL standard. */
function canonicalIpv6(address: string): string {
  return new URL(`http://[${address}]/`).hostname.slice(1, -1);
}

/** The client key of an address: for IPv6 its /64 network, since one client has 2^64 addresses. */
export function clientOfAddress(address: string): string {
  if (!address.includes(':')) return address;
  const zeros = address.indexOf('::');
  const written = (zeros < 0 ? address : address.slice(0, zeros)).split(':');
  const groups = [...written, '0', '0', '0', '0'].slice(0, 4);
  return groups.map((group) => Number.parseInt(group || '0', 16).toString(16)).join(':');
}

/** True for an address or a CIDR network, such as 10.0.0.0/8 or fd00::/8. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
