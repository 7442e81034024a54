import { Buffer } from 'node:buffer';
import type { EncodedBlock } from '../../chain/decode-block.js';
import type { BlockHeader } from '../../generated/ledger.js';
import type { FinalityCertificate } from '../../generated/node-rpc-v1.js';
import { toHex } from '../../idl/hex.js';
import { ledger } from '../../ledger/codecs.js';
import type { BlockFacts, BlockHash, Certificate, VoteMessage } from '../core/types.js';
import type { ChainBlock } from './ports.js';

export function hashBytes(hash: BlockHash): Uint8Array {
  return new Uint8Array(Buffer.from(hash, 'hex'));
}

/** A key for maps: equal for equal messages only. */
export function messageName({ kind, epoch, view, parentView, hash }: VoteMessage): string {
  return `${kind} ${epoch} ${view} ${parentView} ${hash}`;
}

/** The core's facts of a block; undefined if a number exceeds the safe integers. */
export function factsOf(header: BlockHeader, hash: BlockHash): BlockFacts | undefined {
  const { height, epoch, view, proposer } = header;
  if (height > Number.MAX_SAFE_INTEGER || epoch > Number.MAX_SAFE_INTEGER || view > Number.MAX_SAFE_INTEGER) {
    return undefined;
  }
  return {
    hash,
    parentHash: toHex(header.parent_hash),
    height: Number(height),
    epoch: Number(epoch),
    view: Number(view),
    proposer,
  };
}

export function encodedBlock({
  encodedHeader,
  items,
}: Pick<ChainBlock, 'encodedHeader' | 'items'>): EncodedBlock {
  return { header: encodedHeader, body: encodedBody(items) };
}

/** borsh(BlockBody) of encoded items. */
function encodedBody(items: readonly Uint8Array[]): Uint8Array {
  const bytes = items.reduce((sum, { length }) => sum + length, 0);
  const body = new Uint8Array(4 + bytes);
  new DataView(body.buffer).setUint32(0, items.length, true);
  let at = 4;
  for (const item of items) {
    body.set(item, at);
    at += item.length;
  }
  return body;
}

/** Converts a finalization to its stored and public form. */
export function finalityCertificate(
  { epoch, view, parentView, hash, signature }: Certificate,
  groupPublicKey: Uint8Array,
): FinalityCertificate {
  return {
    epoch: BigInt(epoch),
    view: BigInt(view),
    block_hash: hashBytes(hash),
    parent_view: BigInt(parentView),
    signature,
    group_public_key: groupPublicKey,
  };
}

export function finalizationOf(stored: FinalityCertificate): Certificate {
  return {
    kind: 'finalize',
    epoch: Number(stored.epoch),
    view: Number(stored.view),
    parentView: Number(stored.parent_view),
    hash: toHex(stored.block_hash),
    signature: stored.signature,
  };
}

/** Decodes the header of an encoded block. @throws BorshError */
export function headerOf({ header }: Pick<EncodedBlock, 'header'>): BlockHeader {
  return ledger.BlockHeader.decode(header);
}
