import { IssuerKeys } from '../../../rpc/access/issuer-keys.js';
import { AccessError } from '../../../rpc/access/token-files.js';
import type { DoctorContext } from './doctor-context.js';
import { type Finding, ok, problem } from './finding.js';

const EXPECTED = 'public Ed25519 keys as PEM (SPKI), JWK or JWK Set';

/** Checks the files of `--token-issuer-key`. */
export async function checkIssuerKeys({ config }: DoctorContext): Promise<Finding[]> {
  const { tokenIssuerKeys: files } = config;
  if (files.length === 0) return [];
  try {
    const { ids } = await IssuerKeys.read(files);
    return [ok('issuer keys', `${files.join(', ')}: keys ${ids.join(', ')}`, EXPECTED)];
  } catch (error) {
    if (!(error instanceof AccessError)) throw error;
    const advice =
      'name files with public keys in --token-issuer-key; openssl pkey -in KEY -pubout prints the public part';
    return [problem('issuer keys', error.message, EXPECTED, advice)];
  }
}
