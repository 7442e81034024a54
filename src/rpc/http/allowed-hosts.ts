import { BlockList, isIP } from 'node:net';
import { type Host, parseHost } from '../../config/host.js';

const MAX_REMEMBERED = 256;

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');
LOOPBACK.addSubnet('::ffff:127.0.0.0', 104, 'ipv6');

/**
 * The host names under which the node may be addressed. In a "DNS rebinding" attack, a web page's domain is pointed at
 * 127.0.0.1, so that the browser takes requests to this node for same-origin requests of the page; the `Host` header
 * reveals it.
 *
 * Loopback names and addresses are always allowed: `localhost` and names under it, 127.0.0.0/8 and ::1, with any port.
 */
export class AllowedHosts {
  readonly #any: boolean;
  readonly #entries: readonly Host[];
  readonly #remembered = new Set<string>();
  /** The last allowed header: most clients use one name, and a comparison takes a third of a look-up. */
  #last: string | undefined;

  /** @param entries as in `--allowed-hosts`: see `isHostEntry` */
  constructor(entries: readonly string[]) {
    this.#any = entries.includes('*');
    this.#entries = entries.flatMap((entry) => parseHost(entry) ?? []);
  }

  /**
   * @param listen the name or address the node listens on
   * @returns undefined if every host is allowed: nothing is configured, and the node listens on more than loopback
   */
  static of(listen: string, entries: readonly string[]): AllowedHosts | undefined {
    if (entries.length === 0 && !isLoopback(listen.toLowerCase())) return undefined;
    return new AllowedHosts(entries);
  }

  allows(header: string): boolean {
    if (this.#any || header === this.#last) return true;
    if (!this.#isAllowed(header)) return false;
    this.#last = header;
    return true;
  }

  #isAllowed(header: string): boolean {
    if (this.#remembered.has(header)) return true;
    const host = parseHost(header);
    if (host === undefined || !(isLoopback(host.name) || this.#isListed(host))) return false;
    if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.clear();
    this.#remembered.add(header);
    return true;
  }

  #isListed({ name, port }: Host): boolean {
    return this.#entries.some(
      (entry) =>
        (entry.port === undefined || entry.port === (port ?? '80')) &&
        (entry.name.startsWith('*.') ? name.endsWith(entry.name.slice(1)) : name === entry.name),
    );
  }
}

/** @param name host name or address in lowercase */
export function isLoopback(name: string): boolean {
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  const family = isIP(name);
  return family !== 0 && LOOPBACK.check(name, family === 4 ? 'ipv4' : 'ipv6');
}
