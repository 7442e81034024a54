import { Buffer } from 'node:buffer';
import type { ChainTip } from '../../chain/committed-chain.js';
import type { Crypto } from '../../crypto/crypto.js';
import type { ExecutionPool } from '../../execution/pool/execution-pool.js';
import { ledger } from '../../ledger/codecs.js';
import { blockHash } from '../../ledger/header.js';
import { finalizeMessage } from '../../proofs/verify/certificate-message.js';
import { certifiedDescendant, type FinalityOf, isCertificateOf } from '../../proofs/verify/descendants.js';

/**
 * The block that the trusted validators certified where that makes `block` final: itself, or a descendant of it. A worker checks
 * the signature: the pure implementation takes 14 ms.
 * @param block with the hash of its header
 * @param groupPublicKey the key that is trusted, 48 bytes; that in the certificate must be the same
 * @returns undefined where the certificate is not theirs, or the headers do not lead from the block to the certified one
 */
export async function certifiedBlock(
  parts: {
    readonly crypto: Crypto;
    readonly workers: Pick<ExecutionPool, 'run'>;
    readonly groupPublicKey: Uint8Array;
  },
  block: ChainTip,
  { certificate, descendants }: FinalityOf,
): Promise<ChainTip | undefined> {
  const { crypto, workers, groupPublicKey } = parts;
  if (Buffer.compare(certificate.group_public_key, groupPublicKey) !== 0) return undefined;
  const certified = certifiedDescendant(block, descendants, (header) =>
    blockHash(crypto, ledger.BlockHeader.encode(header)),
  );
  if (certified === undefined || !isCertificateOf(certificate, certified)) return undefined;
  const { epoch, view, parent_view: parentView, signature } = certificate;
  const { chain_id: chainId } = certified.header;
  const message = finalizeMessage({ chainId, epoch, view, parentView, hash: certified.hash });
  const [good] = await workers.run('verify_bls', {
    publicKey: groupPublicKey,
    signed: [{ message, signature }],
  });
  return good === true ? certified : undefined;
}
