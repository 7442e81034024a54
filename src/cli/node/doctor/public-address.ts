import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { paidAccessOf } from '../../../node/access-rules.js';
import { isLoopback } from '../../../rpc/http/allowed-hosts.js';
import type { DoctorContext } from './doctor-context.js';
import { type Finding, ok, warning } from './finding.js';

const EXPECTED = 'a loopback or private address, with a proxy in front that provides TLS and limits';
const ADVICE =
  'listen on 127.0.0.1 behind a proxy with TLS (deploy/nginx.conf); if the address must be public, limit callers with --public-rate and --paid-access metered or token';

/** Addresses that the internet does not route: private, shared, link-local and unique local ones. */
const PRIVATE = new BlockList();
PRIVATE.addSubnet('10.0.0.0', 8, 'ipv4');
PRIVATE.addSubnet('172.16.0.0', 12, 'ipv4');
PRIVATE.addSubnet('192.168.0.0', 16, 'ipv4');
PRIVATE.addSubnet('100.64.0.0', 10, 'ipv4');
PRIVATE.addSubnet('169.254.0.0', 16, 'ipv4');
PRIVATE.addSubnet('fc00::', 7, 'ipv6');
PRIVATE.addSubnet('fe80::', 10, 'ipv6');

/** Checks whether the node listens on public addresses. The check cannot see firewalls. */
export async function checkPublicAddress({ config }: DoctorContext): Promise<Finding> {
  const { host } = config;
  const addresses = await addressesOf(host);
  const open = addresses.filter(isPublic);
  const where = addresses.length === 0 ? host : `${host} (${addresses.join(', ')})`;
  if (addresses.length === 0) {
    return warning('public address', `${host} has no address here`, EXPECTED, 'choose another --host');
  }
  if (open.length === 0)
    return ok('public address', `the node listens on ${where}, which is not public`, EXPECTED);
  const paid = paidAccessOf(config) === 'open' ? ', with paid methods open to everyone' : '';
  return warning(
    'public address',
    `the node listens on public addresses: ${open.join(', ')}${paid}`,
    EXPECTED,
    ADVICE,
  );
}

function isPublic(address: string): boolean {
  return !isLoopback(address) && !PRIVATE.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}

/** The addresses that a node with this --host listens on. */
async function addressesOf(host: string): Promise<readonly string[]> {
  if (host === '0.0.0.0' || host === '::') {
    const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
    return all.filter(({ family }) => host === '::' || family === 'IPv4').map(({ address }) => address);
  }
  if (isIP(host) !== 0) return [host];
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch {
    return [];
  }
}
