// Blocks transferred between worlds.
import assert from 'node:assert/strict';
import type { EncodedBlock } from '../../../src/chain/decode-block.js';
import type { BlockContext } from '../../../src/chain/next-block.js';
import type { PendingBlock } from '../../../src/chain/pending-blocks.js';
import { type BlockItem, type LedgerTypes, ledgerManifest } from '../../../src/generated/ledger.js';
import { ledger } from '../../../src/ledger/codecs.js';
import { compileTypes } from '../runtime-codecs.js';
import type { ChainWorld } from './chain-world.js';

const { BlockBody } = compileTypes<Pick<LedgerTypes, 'BlockBody'>>(ledgerManifest);

export function encodedBody(items: readonly BlockItem[]): Uint8Array {
  return BlockBody.encode({ items });
}

/** A block as transmitted. */
export function encoded({ header, items }: Pick<PendingBlock, 'header' | 'items'>): EncodedBlock {
  return {
    header: ledger.BlockHeader.encode(header),
    body: encodedBody(items.map((item) => ledger.BlockItem.decode(item))),
  };
}

export function contextOf({ header }: Pick<PendingBlock, 'header'>): BlockContext {
  const { parent_hash: parent, epoch, view, proposer } = header;
  return { parent, epoch, view, proposer };
}

/** Verifies another world's block, which must be valid. */
export async function verified(world: ChainWorld, block: PendingBlock): Promise<PendingBlock> {
  const verdict = await world.blockChain.verify(encoded(block), contextOf(block));
  assert.equal(
    verdict.verdict,
    'valid',
    JSON.stringify(verdict, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
  );
  return verdict.verdict === 'valid' ? verdict.block : assert.fail();
}
