import { parseHost } from '../../../config/host.js';
import { isLoopback } from '../../../rpc/http/allowed-hosts.js';
import type { DoctorContext } from './doctor-context.js';
import { type Finding, ok, warning } from './finding.js';

const EXPECTED = 'the reverse proxies in front of the node in --trusted-proxies';

/**
 * Checks whether a node behind a proxy distinguishes the clients of the proxy. A node that listens on loopback and
 * expects public host names has a proxy on its machine.
 */
export function checkProxy({ config }: Pick<DoctorContext, 'config'>): Finding {
  const { host, allowedHosts, trustedProxies } = config;
  if (trustedProxies.length > 0)
    return ok('proxy', `the node believes the proxies ${trustedProxies.join(', ')}`, EXPECTED);
  const name = allowedHosts.find((entry) => !isLoopback(parseHost(entry)?.name ?? entry));
  if (name === undefined || !isLoopback(host)) {
    return ok('proxy', 'none, judging by --host and --allowed-hosts', EXPECTED);
  }
  return warning(
    'proxy',
    `clients use the name ${name} and reach ${host} by a proxy that the node does not believe: all clients without a token share one rate`,
    EXPECTED,
    `set --trusted-proxies ${host === 'localhost' ? '127.0.0.1' : host}`,
  );
}
