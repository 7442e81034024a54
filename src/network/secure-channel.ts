import { constants, createPrivateKey, type X509Certificate } from 'node:crypto';
import type { SecureContextOptions, TLSSocket } from 'node:tls';
import type { Ed25519 } from '../crypto/crypto.js';

export const MESH_PROTOCOL = 'heddle-mesh/1';

const ED25519_OID = '1.3.101.112';
const COMMON_NAME_OID = '2.5.4.3';
const NOT_BEFORE = new Date('2000-01-01T00:00:00Z');
/** The date for "does not expire" (RFC 5280, section 4.1.2.5). */
const NOT_AFTER = new Date('9999-12-31T23:59:59Z');

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

/** The ed25519 key, 32 bytes, that the peer proved in the handshake; undefined if the channel is unfit. */
export function verifiedIdentity(socket: TLSSocket): Uint8Array | undefined {
  if (socket.getProtocol() !== 'TLSv1.3' || socket.alpnProtocol !== MESH_PROTOCOL) return undefined;
  // A resumed session proves only the key of an earlier handshake.
  if (socket.isSessionReused()) return undefined;
  const certificate = socket.getPeerX509Certificate();
  return certificate === undefined ? undefined : identityKeyOf(certificate);
}

/** Key and certificate for TLS, both in PEM. */
export interface KeyAndCertificate {
  readonly key: string;
  readonly cert: string;
}

/**
 * The key and certificate of an identity, deterministic for a seed: X.509 (RFC 5280) with an ed25519 key (RFC 8410),
 * self-signed. Its names and dates are ignored; only the key counts, and TLS makes the node prove that it holds the
 * private key.
 */
export async function identityCertificate(ed25519: Ed25519, seed: Uint8Array): Promise<KeyAndCertificate> {
  const publicKey = ed25519.publicKey(seed);
  const der = await selfSigned(publicKey, (bytes) => ed25519.sign(bytes, seed));
  const base64 = Buffer.from(der).toString('base64');
  const lines = base64.match(/.{1,64}/g) ?? [];
  return {
    key: privateKeyPem(seed, publicKey),
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  };
}

/** The ed25519 key of a certificate, 32 bytes; undefined if its key is of another type. */
export function identityKeyOf({ publicKey }: X509Certificate): Uint8Array | undefined {
  if (publicKey.asymmetricKeyType !== 'ed25519') return undefined;
  const { x } = publicKey.export({ format: 'jwk' });
  const key = Buffer.from(x ?? '', 'base64url');
  return key.length === 32 ? new Uint8Array(key) : undefined;
}

async function selfSigned(
  publicKey: Uint8Array,
  sign: (bytes: Uint8Array) => Uint8Array,
): Promise<ArrayBuffer> {
  // Imported lazily, since only validators need it.
  const [{ AsnConvert }, x509] = await Promise.all([
    import('@peculiar/asn1-schema'),
    import('@peculiar/asn1-x509'),
  ]);
  const algorithm = new x509.AlgorithmIdentifier({ algorithm: ED25519_OID });
  const value = new x509.AttributeValue({ utf8String: 'heddle validator' });
  const name = new x509.Name([
    new x509.RelativeDistinguishedName([new x509.AttributeTypeAndValue({ type: COMMON_NAME_OID, value })]),
  ]);
  const tbsCertificate = new x509.TBSCertificate({
    version: x509.Version.v3,
    serialNumber: bufferOf(Uint8Array.of(1)),
    signature: algorithm,
    issuer: name,
    validity: new x509.Validity({ notBefore: NOT_BEFORE, notAfter: NOT_AFTER }),
    subject: name,
    subjectPublicKeyInfo: new x509.SubjectPublicKeyInfo({ algorithm, subjectPublicKey: bufferOf(publicKey) }),
  });
  const signatureValue = bufferOf(sign(new Uint8Array(AsnConvert.serialize(tbsCertificate))));
  const certificate = new x509.Certificate({ tbsCertificate, signatureAlgorithm: algorithm, signatureValue });
  return AsnConvert.serialize(certificate);
}

function bufferOf(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

function privateKeyPem(seed: Uint8Array, publicKey: Uint8Array): string {
  const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
  const jwk = { kty: 'OKP', crv: 'Ed25519', d: base64url(seed), x: base64url(publicKey) };
  return createPrivateKey({ key: jwk, format: 'jwk' }).export({ type: 'pkcs8', format: 'pem' }).toString();
}
