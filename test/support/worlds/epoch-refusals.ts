import assert from 'node:assert/strict';
import type { BlockRejection } from '../../../src/chain/block-rejection.js';
import { decodeBody } from '../../../src/chain/decode-block.js';
import type { ProposalContext } from '../../../src/chain/propose-block.js';
import type { BlockHeader, BlockItem } from '../../../src/generated/ledger.js';
import { ledger } from '../../../src/ledger/codecs.js';
import { contextOf, encodedBody } from './block-transfer.js';
import type { EpochChain } from './epoch-chain.js';

/** The refusal of a block after the tip with these items; asserts that the block leaves nothing behind. */
export async function refusalOf(
  chain: EpochChain,
  items: readonly BlockItem[],
  changed: Partial<BlockHeader> = {},
  context?: Partial<ProposalContext>,
): Promise<BlockRejection> {
  const { world } = chain;
  const bare = await chain.propose();
  world.pending.drop(bare);
  const body = await decodeBody(world.crypto, items);
  const root = 'itemsRoot' in body ? { transactions_root: body.itemsRoot } : assert.fail(body.rule);
  const header = { ...bare.header, ...root, ...changed };
  const block = {
    header: ledger.BlockHeader.encode(header),
    body: encodedBody(items),
  };
  const verdict = await world.blockChain.verify(block, { ...contextOf({ header }), ...context });
  assert.equal(world.pending.size, 0);
  assert.equal(world.strayRoots, 0);
  return verdict.verdict === 'invalid' ? verdict : assert.fail(verdict.verdict);
}

/** Asserts that a block with these items breaks the rules of validators. */
export async function refusedByValidators(
  chain: EpochChain,
  items: readonly BlockItem[],
  why: RegExp,
): Promise<void> {
  const refused = await refusalOf(chain, items);
  assert.equal(refused.rule, 'validators');
  assert.match(refused.computed, why);
}
