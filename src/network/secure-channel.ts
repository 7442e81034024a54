import { constants } from 'node:crypto';
import type { SecureContextOptions, TLSSocket } from 'node:tls';
import { identityKeyOf, type KeyAndCertificate } from './identity-certificate.js';

/** The ALPN protocol name. */
export const MESH_PROTOCOL = 'heddle-mesh/1';

/** TLS options for mutual ed25519 authentication over TLS 1.3, without session resumption. */
export interface ChannelOptions extends SecureContextOptions {
  readonly requestCert: true;
  readonly rejectUnauthorized: false;
  readonly ALPNProtocols: string[];
}

/**
 * TLS options for both ends. The certificates are self-signed, so TLS accepts any; callers must check {@link
 * verifiedIdentity} before they read or write a byte.
 */
export function channelOptions(own: KeyAndCertificate): ChannelOptions {
  return {
    key: own.key,
    cert: own.cert,
    minVersion: 'TLSv1.3',
    maxVersion: 'TLSv1.3',
    sigalgs: 'ed25519',
    ecdhCurve: 'X25519',
    secureOptions: constants.SSL_OP_NO_TICKET,
    requestCert: true,
    rejectUnauthorized: false,
    ALPNProtocols: [MESH_PROTOCOL],
  };
}

/**
 * The peer's proven ed25519 key, 32 bytes; undefined if the channel does not meet the requirements.
 * @param socket a socket whose handshake is complete
 */
export function verifiedIdentity(socket: TLSSocket): Uint8Array | undefined {
  if (socket.getProtocol() !== 'TLSv1.3' || socket.alpnProtocol !== MESH_PROTOCOL) return undefined;
  // A resumed session proves only the key of an earlier handshake.
  if (socket.isSessionReused()) return undefined;
  const certificate = socket.getPeerX509Certificate();
  return certificate === undefined ? undefined : identityKeyOf(certificate);
}
