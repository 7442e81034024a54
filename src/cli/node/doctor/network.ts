import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Config } from '../../../config/config.js';
import { ConfigError } from '../../../config/config-error.js';
import { parseHost } from '../../../config/host.js';
import { paidAccessOf } from '../../../node/access-rules.js';
import { listenEndpoint } from '../../../node/validator/own-endpoint.js';
import { isLoopback } from '../../../rpc/http/allowed-hosts.js';
import { type HttpServerError, listenError } from '../../../rpc/http/http-server-error.js';
import { probePort } from '../../../rpc/http/probe-port.js';
import { type DoctorContext, type Finding, ok, problem, warning } from './doctor-context.js';
import { processOnPort } from './listening-process.js';
import { validatorFiles } from './secrets.js';

export function checkRpcPort({ config, owner }: DoctorContext): Promise<Finding> {
  return checkPort(config, owner, '--port');
}

export async function checkP2pPort(context: DoctorContext): Promise<Finding[]> {
  const { config, owner } = context;
  const files = await validatorFiles(context);
  if (files === undefined) return [];
  try {
    const endpoint = listenEndpoint(config, files.peers, files.identity.publicKey);
    return [await checkPort(endpoint, owner, '--p2p-port')];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [problem(error.message, 'a port for the other validators', 'give --p2p-port')];
  }
}

async function checkPort(
  { host, port }: { readonly host: string; readonly port: number },
  owner: number | undefined,
  flag: string,
): Promise<Finding> {
  const where = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const expected = `${where} free for the node, or used by it`;
  if (port === 0) return ok('the node picks a free port', expected);
  const refusal = await refusalOf(host, port);
  if (refusal === undefined) return ok(`${where} is free`, expected);
  if (refusal.code !== 'port_in_use') {
    return problem(refusal.message, expected, `choose another host or ${flag}`);
  }
  const holder = await processOnPort(port);
  if (holder?.pid !== undefined && holder.pid === owner) {
    return ok(`${where} is used by the running node (process ${owner})`, expected);
  }
  const by =
    holder?.pid === undefined
      ? 'a process that cannot be identified'
      : `process ${holder.pid} (${holder.name})`;
  const found = `${where} is in use by ${by}`;
  const advice = `stop the process that listens there, or choose another ${flag}`;
  // That process may be the node of this directory.
  if (owner !== undefined && holder?.pid === undefined) {
    return warning(
      found,
      expected,
      `run the doctor as root or as the user of the node to identify it; ${advice}`,
    );
  }
  return problem(found, expected, advice);
}

/** Listens briefly. Returns the error that the node would get, or undefined if it could listen. */
async function refusalOf(host: string, port: number): Promise<HttpServerError | undefined> {
  try {
    await probePort(host, port);
    return undefined;
  } catch (error) {
    return listenError(host, port, error);
  }
}

const PRIVATE_ADDRESS = 'a loopback or private address, with a proxy in front that provides TLS and limits';
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
    return warning(`${host} has no address here`, PRIVATE_ADDRESS, 'choose another --host');
  }
  if (open.length === 0) return ok(`the node listens on ${where}, which is not public`, PRIVATE_ADDRESS);
  const paid = paidAccessOf(config) === 'open' ? ', with paid methods open to everyone' : '';
  return warning(`the node listens on public addresses: ${open.join(', ')}${paid}`, PRIVATE_ADDRESS, ADVICE);
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

const PROXIES = 'the reverse proxies in front of the node in --trusted-proxies';

/**
 * Checks whether a node behind a proxy distinguishes the clients of the proxy. A node that listens on loopback and
 * expects public host names has a proxy on its machine.
 */
export function checkProxy({ host, allowedHosts, trustedProxies }: Config): Finding {
  if (trustedProxies.length > 0)
    return ok(`the node believes the proxies ${trustedProxies.join(', ')}`, PROXIES);
  const name = allowedHosts.find((entry) => !isLoopback(parseHost(entry)?.name ?? entry));
  if (name === undefined || !isLoopback(host)) {
    return ok('none, judging by --host and --allowed-hosts', PROXIES);
  }
  return warning(
    `clients use the name ${name} and reach ${host} by a proxy that the node does not believe: all clients without a token share one rate`,
    PROXIES,
    `set --trusted-proxies ${host === 'localhost' ? '127.0.0.1' : host}`,
  );
}
