import { sameBytes } from '../../base/same-bytes.js';
import type { ChainTip } from '../../chain/committed-chain.js';
import type { Crypto } from '../../crypto/crypto.js';
import type { ExecutionPool } from '../../execution/pool/execution-pool.js';
import { ledger } from '../../ledger/codecs.js';
import { blockHash } from '../../ledger/header.js';
import { finalizeMessage } from '../../proofs/verify/certificate-message.js';
import { certifiedDescendant, type FinalityOf, isCertificateOf } from '../../proofs/verify/descendants.js';

/**
 * The block whose certificate by the trusted validators makes `block` final: the block or one of its descendants. A
 * worker checks the signature, which takes the pure implementation 14 ms.
 * @param block with its header's hash
 * @param groupPublicKey trusted key, 48 bytes; the certificate must name the same key
 * @returns undefined if the certificate is invalid, or the headers do not lead from the block to the certified one
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
  if (!sameBytes(certificate.group_public_key, groupPublicKey)) return undefined;
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
