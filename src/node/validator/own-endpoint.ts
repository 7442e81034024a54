import { sameBytes } from '../../base/same-bytes.js';
import type { Config } from '../../config/config.js';
import { badFlag, missingFlag } from '../../config/config-error.js';
import type { NewValidator, ValidatorSet } from '../../generated/ledger.js';
import { toHex } from '../../idl/hex.js';
import { type Endpoint, parseEndpoint } from '../../network/endpoint.js';

/**
 * The address on which this validator listens for others. The default port is that of its published endpoint; the
 * default host is loopback if that endpoint is on loopback.
 * @throws ConfigError if the port is unknown
 */
export function listenEndpoint(
  { p2pHost, p2pPort }: Config,
  peers: readonly NewValidator[],
  identityKey: Uint8Array,
): Endpoint {
  const own = peers.find(({ identity_key }) => sameBytes(identity_key, identityKey));
  const endpoint = own === undefined ? undefined : parseEndpoint(own.endpoint);
  const port = p2pPort ?? endpoint?.port;
  if (port === undefined) {
    throw missingFlag('p2p-port', 'peers.json does not list this validator, so the port must be given');
  }
  const isOnLoopback = endpoint !== undefined && /^(127\.|localhost$|::1$)/.test(endpoint.host);
  return { host: p2pHost ?? (isOnLoopback ? '127.0.0.1' : '0.0.0.0'), port };
}

/**
 * The endpoints of `--peers`, by identity in hexadecimal.
 * @param set the validators that the indices refer to
 * @throws ConfigError if an index is invalid, or if endpoints without an index do not cover the whole set
 */
export function configuredEndpoints(
  { peers }: Config,
  { validators }: ValidatorSet,
): ReadonlyMap<string, Endpoint> {
  const given = new Map<string, Endpoint>();
  const indexed = peers.filter((peer) => /^\d+@/.test(peer));
  const isInOrder = indexed.length === 0 && peers.length === validators.length;
  if (indexed.length < peers.length && !isInOrder) {
    const expected = `${validators.length} endpoints in the order of the set, or each with its index`;
    throw badFlag('peers', peers, expected);
  }
  for (const [place, peer] of peers.entries()) {
    const at = peer.indexOf('@');
    const index = at < 0 ? place : Number(peer.slice(0, at));
    const validator = validators[index];
    if (validator === undefined) throw badFlag('peers', peer, `indices below ${validators.length}`);
    given.set(toHex(validator.identity_key), parseEndpoint(peer.slice(at + 1)));
  }
  return given;
}
