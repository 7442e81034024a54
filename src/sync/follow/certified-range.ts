import { Buffer } from 'node:buffer';
import type { ChainTip } from '../../chain/committed-chain.js';
import { type DecodedBlock, type DecodedBody, decodeBody } from '../../chain/decode-block.js';
import type { Crypto } from '../../crypto/crypto.js';
import type { Block, FinalityCertificate, FinalizedHistoryRootResult } from '../../generated/node-rpc-v1.js';
import { toHex } from '../../idl/hex.js';
import { ledger } from '../../ledger/codecs.js';
import { blockHash } from '../../ledger/header.js';
import type { FinalityOf } from '../../proofs/verify/descendants.js';
import { FollowError, lied, SourceError } from './follow-error.js';

/** Consecutive blocks that are final through a certificate of the last one or of a descendant of it. */
export interface CertifiedRange {
  readonly blocks: readonly DecodedBlock[];
  /** By height: those of blocks of the range that are known. */
  readonly certificates: ReadonlyMap<bigint, FinalityCertificate>;
  /** That of the descendant, where the last block is final through one: it is stored with its block, in a range to come. */
  readonly descendantCertificate: DescendantCertificate | undefined;
  /** The last block. */
  readonly end: ChainTip;
  /** borsh(BlockItem) of all items together. */
  readonly bodyBytes: number;
}

/** A certificate that is good for a block which is not here yet. */
export interface DescendantCertificate {
  readonly height: bigint;
  readonly certificate: FinalityCertificate;
}

/** What blocks are checked against. */
export interface RangeRules {
  readonly crypto: Crypto;
  readonly chainId: bigint;
  /** sha256(borsh(ValidatorSet)) of an epoch's set, 32 bytes; undefined where it is only known once its blocks are executed. */
  readonly validatorsHash: (epoch: bigint) => Uint8Array | undefined;
  /** The block that the trusted validators certified where that makes this one final; undefined where nothing does. */
  readonly certifiedBlock: (block: ChainTip, finality: FinalityOf) => Promise<ChainTip | undefined>;
}

/**
 * Checks what a source sent as the blocks after `after`:
 *
 * 1. Heights are consecutive from `after`'s plus one on, and each block's parent hash is the hash of the one before.
 * 2. A block's hash is that of its header, and its items have the header's `transactions_root`.
 * 3. The header of the certified answer is the last block's, and the certificate is good for it, or for the descendant that the
 *    answer's headers lead to: with 1, that makes every block of the range final.
 * 4. Certificates of other blocks are good too, where there are any.
 * 5. The first block's parent is `after`. Where 1 to 4 hold and this does not, the validators have certified two chains.
 *
 * @param certified the answers for blocks of the range, that for the last one at the end
 * @param ahead of the range before
 * @throws SourceError where 1 to 4 do not hold; FollowError `other_chain` where only 5 does not
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
    throw lied('get_blocks: it has none of the blocks it says it has');
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

/** One that came with a range before is of this chain, unless its validators certified two. */
function isOfRange(blocks: readonly DecodedBlock[], { block_hash: hash }: FinalityCertificate): boolean {
  return blocks.some((block) => same(block.hash, hash));
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
  if (!same(computed, hash))
    throw lied(`block ${height}: its hash is ${toHex(computed)}, not ${toHex(hash)}`);
  if (previous !== undefined && !same(header.parent_hash, previous.hash)) {
    throw lied(`block ${height}: its parent is ${toHex(header.parent_hash)}, not ${toHex(previous.hash)}`);
  }
  const validators = validatorsHash(header.epoch);
  if (validators !== undefined && !same(header.validators_hash, validators)) {
    throw lied(`block ${height}: sealed by other validators than those known here`);
  }
}

async function checkBody({ crypto }: RangeRules, { header, items }: Block): Promise<DecodedBody> {
  const body = await decodeBody(crypto, items);
  if ('verdict' in body)
    throw lied(`block ${header.height}: ${body.what} is ${body.stored}, not ${body.computed}`);
  if (!same(body.itemsRoot, header.transactions_root)) {
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
  if (last === undefined) throw lied(`finalized_history_root: nothing of block ${end.header.height}`);
  const checks = [checkFinality(rules, end, last)];
  for (const answer of certified.slice(0, -1)) {
    const block = blocks.find(({ header }) => header.height === answer.header.height);
    // Only the last one is needed; a source may not have the others, and those of descendants come with these.
    const isOwn = answer.certificate !== undefined && answer.descendants.length === 0;
    if (block !== undefined && isOwn) checks.push(checkFinality(rules, block, answer));
  }
  return Promise.all(checks);
}

/** @throws SourceError `refused` where there is no certificate, `lied` where it is not good */
async function checkFinality(
  { crypto, certifiedBlock }: RangeRules,
  block: ChainTip,
  { header: certifiedHeader, certificate, descendants }: FinalizedHistoryRootResult,
): Promise<DescendantCertificate> {
  const { height } = block.header;
  if (!same(blockHash(crypto, ledger.BlockHeader.encode(certifiedHeader)), block.hash)) {
    throw lied(`finalized_history_root: not of block ${height} with the hash ${toHex(block.hash)}`);
  }
  if (certificate === undefined) {
    throw new SourceError('refused', `it has no certificate of block ${height}`, { kind: 'no_certificate' });
  }
  const certified = await certifiedBlock(block, { certificate, descendants });
  if (certified === undefined) throw lied(`block ${height}: its certificate is not the trusted validators'`);
  return { height: certified.header.height, certificate };
}

function expectParent({ header }: ChainTip, after: ChainTip): void {
  if (same(header.parent_hash, after.hash)) return;
  throw chainConflict({ height: after.header.height, own: after.hash, other: header.parent_hash });
}

/** Where two certified chains part. */
interface ChainConflict {
  readonly height: bigint;
  /** The block's hash here. */
  readonly own: Uint8Array;
  /** Its hash in the source's chain. */
  readonly other: Uint8Array;
}

/** The end of following: two certified chains part below a height. */
export function chainConflict({ height, own, other }: ChainConflict): FollowError {
  return new FollowError(
    'other_chain',
    `the source has another chain, certified by the same key: block ${height} is ${toHex(own)} here and ${toHex(other)} ` +
      'there. If that chain was started anew on purpose, start this node with an empty --data-dir; ' +
      'else trust neither until the validators say which one is theirs',
  );
}

function same(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
