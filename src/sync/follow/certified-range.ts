import { sameBytes } from '../../base/same-bytes.js';
import type { ChainTip } from '../../chain/committed-chain.js';
import { type DecodedBlock, type DecodedBody, decodeBody } from '../../chain/decode-block.js';
import type { Crypto } from '../../crypto/crypto.js';
import type { ExecutionPool } from '../../execution/pool/execution-pool.js';
import type { Block, FinalityCertificate, FinalizedHistoryRootResult } from '../../generated/node-rpc-v1.js';
import { toHex } from '../../idl/hex.js';
import { ledger } from '../../ledger/codecs.js';
import { blockHash } from '../../ledger/header.js';
import { finalizeMessage } from '../../proofs/verify/certificate-message.js';
import { certifiedDescendant, type FinalityOf, isCertificateOf } from '../../proofs/verify/descendants.js';
import { FollowError } from './follow-error.js';
import { lied, SourceError } from './source-error.js';

/** Consecutive blocks made final by a certificate of the last block or of one of its descendants. */
export interface CertifiedRange {
  readonly blocks: readonly DecodedBlock[];
  /** Known certificates of the range's blocks, by height. */
  readonly certificates: ReadonlyMap<bigint, FinalityCertificate>;
  /** Certificate, stored in a later range, of the descendant that makes the last block final, if any. */
  readonly descendantCertificate: DescendantCertificate | undefined;
  /** The last block. */
  readonly end: ChainTip;
  /** Total size of borsh(BlockItem) of all items. */
  readonly bodyBytes: number;
}

/** A verified certificate of a block that has not been fetched yet. */
export interface DescendantCertificate {
  readonly height: bigint;
  readonly certificate: FinalityCertificate;
}

export interface RangeRules {
  readonly crypto: Crypto;
  readonly chainId: bigint;
  /** sha256(borsh(ValidatorSet)) of an epoch's set; undefined if only executing blocks makes it known. */
  readonly validatorsHash: (epoch: bigint) => Uint8Array | undefined;
  /** Returns the block whose certificate by the trusted validators makes this one final; undefined if there is none. */
  readonly certifiedBlock: (block: ChainTip, finality: FinalityOf) => Promise<ChainTip | undefined>;
}

/**
 * Checks a source's blocks after `after`:
 *
 * 1. Heights are consecutive from `after`'s height plus one, and each block's parent hash is the previous block's hash.
 * 2. A block's hash is its header's hash, and its items have the header's `transactions_root`.
 * 3. The header in the certified answer is the last block's, and the certificate is valid for it, or for the descendant
 *    that the answer's headers lead to. With rule 1, that makes every block of the range final.
 * 4. Certificates of other blocks, if any, are valid too.
 * 5. The first block's parent is `after`. If rules 1 to 4 hold and this one does not, the validators have certified two
 *    chains.
 *
 * @param certified answers for blocks of the range, the one for the last block at the end
 * @param ahead descendant certificate of the previous range
 * @throws SourceError if rules 1 to 4 do not hold; FollowError `other_chain` if only rule 5 does not
 */
export async function checkRange(
  rules: RangeRules,
  after: ChainTip,
  blocks: readonly Block[],
  certified: readonly FinalizedHistoryRootResult[],
  ahead?: DescendantCertificate,
): Promise<CertifiedRange> {
  const checked: DecodedBlock[] = [];
  let bodyBytes = 0;
  for (const block of blocks) {
    const previous = checked.at(-1);
    checkHeader(rules, after.header.height + BigInt(checked.length) + 1n, block, previous);
    const body = await checkBody(rules, block);
    checked.push({ header: block.header, hash: block.hash, ...body });
    bodyBytes += body.bytes;
  }
  const first = checked[0];
  const end = checked.at(-1);
  if (first === undefined || end === undefined)
    throw lied('get_blocks: none of the blocks it claims to have');
  const proved = await checkCertificates(rules, checked, end, certified);
  expectParent(first, after);
  const certificates = new Map<bigint, FinalityCertificate>();
  let next = ahead;
  for (const { height, certificate } of [...(ahead === undefined ? [] : [ahead]), ...proved]) {
    if (height > end.header.height) next = { height, certificate };
    else if (isOfRange(checked, certificate)) certificates.set(height, certificate);
  }
  return {
    blocks: checked,
    certificates,
    descendantCertificate: next !== undefined && next.height > end.header.height ? next : undefined,
    end,
    bodyBytes,
  };
}

/**
 * True if the certificate is for one of the blocks. A certificate from an earlier range always is, unless the
 * validators certified two chains.
 */
function isOfRange(blocks: readonly DecodedBlock[], { block_hash: hash }: FinalityCertificate): boolean {
  return blocks.some((block) => sameBytes(block.hash, hash));
}

function checkHeader(
  { crypto, chainId, validatorsHash }: RangeRules,
  height: bigint,
  { header, hash }: Block,
  previous: ChainTip | undefined,
): void {
  if (header.height !== height)
    throw lied(`get_blocks: expected block ${height}, got block ${header.height}`);
  if (header.chain_id !== chainId) {
    throw lied(`block ${height}: expected chain id ${chainId}, got ${header.chain_id}`);
  }
  const computed = blockHash(crypto, ledger.BlockHeader.encode(header));
  if (!sameBytes(computed, hash))
    throw lied(`block ${height}: its hash is ${toHex(computed)}, not ${toHex(hash)}`);
  if (previous !== undefined && !sameBytes(header.parent_hash, previous.hash)) {
    throw lied(`block ${height}: its parent is ${toHex(header.parent_hash)}, not ${toHex(previous.hash)}`);
  }
  const validators = validatorsHash(header.epoch);
  if (validators !== undefined && !sameBytes(header.validators_hash, validators)) {
    throw lied(`block ${height}: expected the known validator set, got another one`);
  }
}

async function checkBody({ crypto }: RangeRules, { header, items }: Block): Promise<DecodedBody> {
  const body = await decodeBody(crypto, items);
  if ('verdict' in body)
    throw lied(`block ${header.height}: ${body.what} is ${body.stored}, not ${body.computed}`);
  if (!sameBytes(body.itemsRoot, header.transactions_root)) {
    throw lied(
      `block ${header.height}: its ${items.length} items have the root ${toHex(body.itemsRoot)}, its header says ${toHex(header.transactions_root)}`,
    );
  }
  return body;
}

async function checkCertificates(
  rules: RangeRules,
  blocks: readonly DecodedBlock[],
  end: DecodedBlock,
  certified: readonly FinalizedHistoryRootResult[],
): Promise<readonly DescendantCertificate[]> {
  const last = certified.at(-1);
  if (last === undefined) throw lied(`finalized_history_root: no answer for block ${end.header.height}`);
  const checks = [checkFinality(rules, end, last)];
  for (const answer of certified.slice(0, -1)) {
    const block = blocks.find(({ header }) => header.height === answer.header.height);
    // Only the last certificate is required. A source may lack the others, and descendants' certificates arrive with
    // their own blocks.
    const isOwn = answer.certificate !== undefined && answer.descendants.length === 0;
    if (block !== undefined && isOwn) checks.push(checkFinality(rules, block, answer));
  }
  return Promise.all(checks);
}

/** @throws SourceError `refused` if there is no certificate, `lied` if it is invalid */
async function checkFinality(
  rules: RangeRules,
  block: ChainTip,
  { header: certifiedHeader, certificate, descendants }: FinalizedHistoryRootResult,
): Promise<DescendantCertificate> {
  const { height } = block.header;
  if (!sameBytes(blockHash(rules.crypto, ledger.BlockHeader.encode(certifiedHeader)), block.hash)) {
    throw lied(`finalized_history_root: not of block ${height} with the hash ${toHex(block.hash)}`);
  }
  if (certificate === undefined) {
    throw new SourceError('refused', `it has no certificate of block ${height}`, { kind: 'no_certificate' });
  }
  const certified = await rules.certifiedBlock(block, { certificate, descendants });
  if (certified === undefined) throw lied(`block ${height}: its certificate is not the trusted validators'`);
  return { height: certified.header.height, certificate };
}

/**
 * The block whose certificate by the trusted validators makes `block` final: the block or one of its descendants. A
 * worker checks the signature, which takes the pure implementation 14 ms.
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
  const signed = [{ message, signature }];
  const [good] = await workers.run('verify_bls', { publicKey: groupPublicKey, signed });
  return good === true ? certified : undefined;
}

function expectParent({ header }: ChainTip, after: ChainTip): void {
  if (sameBytes(header.parent_hash, after.hash)) return;
  throw chainConflict(after.header.height, after.hash, header.parent_hash);
}

/**
 * Error for a fork between two certified chains, after which the follower stops.
 * @param own the block's hash on this node
 * @param other its hash in the source's chain
 */
export function chainConflict(height: bigint, own: Uint8Array, other: Uint8Array): FollowError {
  return new FollowError(
    'other_chain',
    `the source has another chain, certified by the same key: block ${height} is ${toHex(own)} here and ${toHex(other)} ` +
      'there. If that chain was restarted on purpose, start this node with an empty --data-dir; ' +
      'otherwise trust neither until the validators say which one is theirs',
  );
}
