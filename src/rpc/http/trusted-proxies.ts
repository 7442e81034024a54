import { BlockList, isIP } from 'node:net';

export class TrustedProxies {
  readonly #trusted = new BlockList();

  private constructor(networks: readonly string[]) {
    for (const network of networks) {
      const [address = '', bits] = network.split('/');
      const family = familyOf(address);
      if (bits === undefined) this.#trusted.addAddress(address, family);
      else this.#trusted.addSubnet(address, Number(bits), family);
    }
  }

  /** @param networks addresses or CIDR networks, see `isNetwork`; undefined is returned if there are none */
  static of(networks: readonly string[]): TrustedProxies | undefined {
    return networks.length === 0 ? undefined : new TrustedProxies(networks);
  }

  /**
   * The address of a client behind trusted proxies: the last one in the header that is not a trusted proxy.
   * @param forwardedFor the header's value, or the empty string
   */
  clientOf(peer: string, forwardedFor: string): string {
    let client = peer;
    for (const hop of forwardedFor.split(',').reverse()) {
      if (!this.#isTrusted(client)) break;
      const address = withoutMapping(withoutPort(hop.trim()));
      // An entry that is not an address ends the search.
      if (isIP(address) === 0 || address.includes('%')) break;
      client = address;
    }
    return client;
  }

  #isTrusted(address: string): boolean {
    return isIP(address) !== 0 && this.#trusted.check(address, familyOf(address));
  }
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}

/** Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  return /^\[([^\]]+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(hop)?.[1] ?? hop;
}

/** The IPv4 address that an IPv4-mapped IPv6 address stands for: `::ffff:192.0.2.1`, also in hexadecimal. */
function withoutMapping(address: string): string {
  // An address with a zone is for one machine only, and no URL takes it.
  if (!address.includes(':') || address.includes('%') || isIP(address) === 0) return address;
  const [, high, low] =
    /^\[::ffff:([0-9a-f]+):([0-9a-f]+)\]$/.exec(new URL(`http://[${address}]`).hostname) ?? [];
  if (high === undefined || low === undefined) return address;
  const bits = Number.parseInt(high, 16) * 0x1_0000 + Number.parseInt(low, 16);
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 0xff).join('.');
}
