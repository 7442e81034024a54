import { RpcError } from '../errors.js';
import type { AllowedHosts } from '../http/allowed-hosts.js';
import type { Cors } from '../http/cors.js';
import type { HttpResponse, UpgradeRequest } from '../http/http-server.js';
import { REQUEST_ID_HEADER } from '../http/request-id.js';
import { plainError } from '../rpc-answer.js';

/** The subprotocol of JSON-RPC over a WebSocket. */
export const PROTOCOL = 'heddle.v2';
/** Prefix of the subprotocol with a token. Browsers use it because they cannot set the `Authorization` header. */
const BEARER = 'bearer.';
const VERSION = '13';
const MAX_SHOWN = 100;

/** Headers that the node reads from an upgrade request. */
export const UPGRADE_HEADERS = [
  'host',
  'origin',
  'authorization',
  'upgrade',
  'connection',
  'sec-websocket-key',
  'sec-websocket-version',
  'sec-websocket-protocol',
  'x-forwarded-for',
  REQUEST_ID_HEADER,
] as const;

export interface UpgradeRules {
  /** Absent to allow every host. */
  readonly allowedHosts: AllowedHosts | undefined;
  readonly cors: Cors;
}

interface RefusedUpgrade {
  readonly refusal: HttpResponse;
}

/** A request that may be upgraded, if its token is valid. */
export interface CheckedUpgrade {
  /** The subprotocol to answer with; empty if the client offered none. */
  readonly protocol: string;
  /** The `Authorization` header, or one made from the token in a subprotocol. Empty without a token. */
  readonly authorization: string;
}

/**
 * Checks the head of an upgrade request. Refuses pages of other origins: browsers do not apply the same-origin policy
 * to WebSockets, so any page could otherwise use a node that its visitor's browser can reach.
 */
export function checkUpgrade(
  request: UpgradeRequest,
  { allowedHosts, cors }: UpgradeRules,
): CheckedUpgrade | RefusedUpgrade {
  const host = request.header('host');
  if (allowedHosts !== undefined && host !== '' && !allowedHosts.allows(host)) {
    const message = `host ${shown(host)} is not allowed; the operator can allow it with --allowed-hosts`;
    return forbidden(message, { host: host.slice(0, MAX_SHOWN) });
  }
  const origin = request.header('origin');
  if (origin !== '' && !cors.allows(origin) && !isSameOrigin(origin, host)) {
    const message = `pages of ${shown(origin)} may not connect; the operator can allow it with --cors-origin`;
    return forbidden(message, {});
  }
  if (request.header('sec-websocket-version') !== VERSION) {
    return invalid(426, `Sec-WebSocket-Version: expected ${VERSION}`);
  }
  if (!lists(request.header('connection'), 'upgrade') || !lists(request.header('upgrade'), 'websocket')) {
    return { refusal: upgradeRequired() };
  }
  if (!/^[A-Za-z0-9+/]{22}==$/.test(request.header('sec-websocket-key'))) {
    return invalid(400, 'Sec-WebSocket-Key: expected 16 bytes in base64');
  }
  return checkProtocols(request);
}

function checkProtocols(request: UpgradeRequest): CheckedUpgrade | RefusedUpgrade {
  const given = request.header('authorization');
  const offered = itemsOf(request.header('sec-websocket-protocol'));
  if (offered.length === 0) return { protocol: '', authorization: given };
  if (!offered.includes(PROTOCOL)) {
    return invalid(400, `Sec-WebSocket-Protocol: expected ${PROTOCOL}, alone or beside ${BEARER}<token>`);
  }
  const tokens = offered.filter((protocol) => protocol.startsWith(BEARER));
  const [token] = tokens;
  if (token === undefined) return { protocol: PROTOCOL, authorization: given };
  if (tokens.length > 1 || given !== '') return invalid(400, 'a connection has one token');
  return { protocol: PROTOCOL, authorization: `Bearer ${token.slice(BEARER.length)}` };
}

/** True if a page's origin is the host that it connects to. A proxy may add TLS, so either scheme matches. */
function isSameOrigin(origin: string, host: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, host: page } = new URL(origin);
  if (protocol !== 'http:' && protocol !== 'https:') return false;
  const own = `${protocol}//${host}`;
  return URL.canParse(own) && new URL(own).host === page;
}

function lists(header: string, item: string): boolean {
  return itemsOf(header.toLowerCase()).includes(item);
}

function itemsOf(header: string): string[] {
  return header
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function shown(header: string): string {
  return JSON.stringify(header.length > MAX_SHOWN ? `${header.slice(0, MAX_SHOWN)}…` : header);
}

function forbidden(message: string, details: { readonly host?: string }): RefusedUpgrade {
  return { refusal: plainError(403, new RpcError('forbidden', message, details)) };
}

function invalid(status: number, message: string): RefusedUpgrade {
  const upgrade = [['upgrade', 'websocket'] as const, ['sec-websocket-version', VERSION] as const];
  const error = new RpcError('invalid_request', message, {});
  return { refusal: plainError(status, error, status === 426 ? upgrade : []) };
}

/** The answer to a plain request on the path of the WebSockets. */
export function upgradeRequired(): HttpResponse {
  return invalid(426, 'this path takes WebSocket connections only').refusal;
}
