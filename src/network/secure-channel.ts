import { constants } from 'node:crypto';
import type { SecureContextOptions, TLSSocket } from 'node:tls';
import { identityKeyOf, type KeyAndCertificate } from './identity-certificate.js';

/** The protocol's name in the handshake (ALPN). */
export const MESH_PROTOCOL = 'heddle-mesh/1';

/** TLS 1.3 with ed25519 on both sides, each handshake in full. */
export interface ChannelOptions extends SecureContextOptions {
  readonly requestCert: true;
  readonly rejectUnauthorized: false;
  readonly ALPNProtocols: string[];
}

/**
 * How both ends set up TLS. No authority signs the certificates, so TLS is told to go on with any; the caller has to ask
 * {@link verifiedIdentity} before it reads or writes a byte.
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
 * The ed25519 key, 32 bytes, that the other end has shown to hold; undefined where the channel is not what it must be.
 * @param socket after its handshake
 */
export function verifiedIdentity(socket: TLSSocket): Uint8Array | undefined {
  if (socket.getProtocol() !== 'TLSv1.3' || socket.alpnProtocol !== MESH_PROTOCOL) return undefined;
  // A resumed session proves the key of another handshake.
  if (socket.isSessionReused()) return undefined;
  const certificate = socket.getPeerX509Certificate();
  return certificate === undefined ? undefined : identityKeyOf(certificate);
}
