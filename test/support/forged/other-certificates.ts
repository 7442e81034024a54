import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { AsnConvert } from '@peculiar/asn1-schema';
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  Certificate,
  Name,
  RelativeDistinguishedName,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509';

export type OtherKeyKind = 'rsa' | 'ec' | 'ed448';

/** Signature algorithms: sha256WithRSAEncryption, ecdsa-with-SHA256, id-Ed448. */
const ALGORITHMS: Readonly<Record<OtherKeyKind, string>> = {
  rsa: '1.2.840.113549.1.1.11',
  ec: '1.2.840.10045.4.3.2',
  ed448: '1.3.101.113',
};

function newKey(kind: OtherKeyKind): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  switch (kind) {
    case 'rsa':
      return generateKeyPairSync('rsa', { modulusLength: 2048 });
    case 'ec':
      return generateKeyPairSync('ec', { namedCurve: 'P-256' });
    case 'ed448':
      return generateKeyPairSync('ed448');
  }
}

/** A self-signed certificate with a new key of a kind that the mesh refuses; both in PEM. */
export function otherCertificate(kind: OtherKeyKind): { readonly key: string; readonly cert: string } {
  const { publicKey, privateKey } = newKey(kind);
  const algorithm = new AlgorithmIdentifier({ algorithm: ALGORITHMS[kind] });
  const value = new AttributeValue({ utf8String: 'somebody' });
  const name = new Name([
    new RelativeDistinguishedName([new AttributeTypeAndValue({ type: '2.5.4.3', value })]),
  ]);
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const tbsCertificate = new TBSCertificate({
    version: Version.v3,
    serialNumber: Uint8Array.of(1).buffer,
    signature: algorithm,
    issuer: name,
    subject: name,
    validity: new Validity({ notBefore: new Date(0), notAfter: new Date('2100-01-01T00:00:00Z') }),
    subjectPublicKeyInfo: AsnConvert.parse(spki, SubjectPublicKeyInfo),
  });
  const digest = kind === 'ed448' ? null : 'sha256';
  const signature = sign(digest, Buffer.from(AsnConvert.serialize(tbsCertificate)), privateKey);
  const certificate = new Certificate({
    tbsCertificate,
    signatureAlgorithm: algorithm,
    signatureValue: new Uint8Array(signature).buffer,
  });
  const lines =
    Buffer.from(AsnConvert.serialize(certificate))
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  };
}
