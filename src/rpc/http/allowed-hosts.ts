import { BlockList, isIP } from 'node:net';
import { type Host, parseHost } from '../../config/host.js';

/** Verdicts that are remembered; then all are forgotten. */
const MAX_REMEMBERED = 256;

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');
LOOPBACK.addSubnet('::ffff:127.0.0.0', 104, 'ipv6');

/**
 * By which names the node may be addressed. A web page whose own name its owner lets point to 127.0.0.1 gets a browser to
 * send requests here that the browser takes for requests to that page's own site ("DNS rebinding"); what gives them away
 * is the `Host` header.
 *
 * Loopback names and addresses are always allowed: `localhost`, names under it, 127.0.0.0/8 and ::1, with any port.
 */
export class AllowedHosts {
  readonly #any: boolean;
  readonly #entries: readonly Host[];
  readonly #remembered = new Set<string>();

  /** @param entries as `--allowed-hosts` takes them: see `isHostEntry` */
  constructor(entries: readonly string[]) {
    this.#any = entries.includes('*');
    this.#entries = entries.flatMap((entry) => parseHost(entry) ?? []);
  }

  /**
   * The rule of a node.
   * @param listen the name or address that it listens on
   * @param entries those configured, if any
   * @returns undefined where every host is allowed: where nothing is configured and more than loopback is listened on
   */
  static of(listen: string, entries: readonly string[]): AllowedHosts | undefined {
    if (entries.length === 0 && !isLoopback(listen.toLowerCase())) return undefined;
    return new AllowedHosts(entries);
  }

  /** @param header the value of `Host` as it came */
  allows(header: string): boolean {
    if (this.#any || this.#remembered.has(header)) return true;
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

function isLoopback(name: string): boolean {
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  const family = isIP(name);
  return family !== 0 && LOOPBACK.check(name, family === 4 ? 'ipv4' : 'ipv6');
}
