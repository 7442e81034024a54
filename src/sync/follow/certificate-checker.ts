import { Buffer } from 'node:buffer';
import type { Crypto } from '../../crypto/crypto.js';
import type { ExecutionPool } from '../../execution/pool/execution-pool.js';
import type { BlockHeader } from '../../generated/ledger.js';
import type { FinalityCertificate } from '../../generated/node-rpc-v1.js';
import { ledger } from '../../ledger/codecs.js';
import { blockHash } from '../../ledger/header.js';
import { finalizeMessage } from '../../proofs/verify/certificate-message.js';

/**
 * Whether a certificate is the trusted validators' over the block of a header. A worker checks the signature: the pure
 * implementation takes 14 ms.
 * @param groupPublicKey the key that is trusted, 48 bytes; that in the certificate must be the same
 */
export async function isCertified(
  parts: {
    readonly crypto: Crypto;
    readonly workers: Pick<ExecutionPool, 'run'>;
    readonly groupPublicKey: Uint8Array;
  },
  certificate: FinalityCertificate,
  header: BlockHeader,
): Promise<boolean> {
  const { crypto, workers, groupPublicKey } = parts;
  const { epoch, view, parent_view: parentView, signature } = certificate;
  const hash = blockHash(crypto, ledger.BlockHeader.encode(header));
  if (Buffer.compare(certificate.block_hash, hash) !== 0) return false;
  if (Buffer.compare(certificate.group_public_key, groupPublicKey) !== 0) return false;
  if (epoch !== header.epoch || view !== header.view) return false;
  const message = finalizeMessage({ chainId: header.chain_id, epoch, view, parentView, hash });
  const [good] = await workers.run('verify_bls', {
    publicKey: groupPublicKey,
    signed: [{ message, signature }],
  });
  return good === true;
}
