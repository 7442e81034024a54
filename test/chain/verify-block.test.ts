// Blocks from others: every rule of verify-block.ts, and bytes that follow none.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import type { PendingBlock } from '../../src/chain/pending-blocks.js';
import { type BlockRule, decodeBody, type EncodedBlock } from '../../src/chain/verify-block.js';
import type { BlockHeader, BlockItem } from '../../src/generated/ledger.js';
import { ledger } from '../../src/ledger/codecs.js';
import { MAX_BODY_BYTES } from '../../src/ledger/constants.js';
import { ChainWorld, type Sending } from '../support/chain-world.js';

const OTHER_HASH = new Uint8Array(32).fill(9);
const BLOCK_GAS = 500_000_000n;

let source: ChainWorld;
let world: ChainWorld;
let block: PendingBlock;
before(async () => {
  source = await ChainWorld.open();
  world = await ChainWorld.open();
  source.submit(source.transaction(), source.transaction({ from: 1 }));
  block = await source.propose();
});
after(async () => {
  await source?.remove();
  await world?.remove();
});

const items = (): BlockItem[] => block.items.map((item) => ledger.BlockItem.decode(item));

function encode(header: BlockHeader, content: readonly BlockItem[] = items()): EncodedBlock {
  return { header: ledger.BlockHeader.encode(header), body: ledger.BlockBody.encode({ items: content }) };
}

function contextOf({ parent_hash: parent, epoch, view, proposer }: BlockHeader) {
  return { parent, epoch, view, proposer };
}

/** Has a block verified that is to be refused, and gives the rule; nothing of it stays. */
async function ruleOf(
  encoded: EncodedBlock,
  context = contextOf(block.header),
): Promise<BlockRule | 'unknown_parent'> {
  const verdict = await world.blockChain.verify(encoded, context);
  assert.equal(world.pending.size, 0);
  if (verdict.verdict === 'unknown_parent') return 'unknown_parent';
  assert.ok(verdict.verdict === 'invalid', `${verdict.verdict}`);
  return verdict.rule;
}

/** The block with another header. */
const withHeader = (change: Partial<BlockHeader>) => encode({ ...block.header, ...change });

/** A block of other transactions whose header commits to them. */
async function withTransactions(...sendings: readonly (Sending | BlockItem)[]): Promise<EncodedBlock> {
  const content = sendings.map(
    (sending): BlockItem =>
      'type' in sending ? sending : { type: 'transaction', value: world.transaction(sending).signed },
  );
  const { itemsRoot } = await decodeBody(world.crypto, content);
  return encode({ ...block.header, transactions_root: itemsRoot }, content);
}

describe('a block is refused', () => {
  test('rule 1: header or body that is not strict Borsh, or a body that is too long', async () => {
    const { header, body } = encode(block.header);
    const longer = (bytes: Uint8Array) => Uint8Array.of(...bytes, 0);
    for (const bad of [
      { header: longer(header), body },
      { header, body: longer(body) },
      { header: header.subarray(1), body },
      { header: new Uint8Array(0), body },
      { header, body: new Uint8Array(0) },
      { header, body: Uint8Array.of(255, 255, 255, 255) },
      { header, body: new Uint8Array(MAX_BODY_BYTES + 1) },
    ]) {
      assert.equal(await ruleOf(bad), 'encoding');
    }
  });

  const wrong: readonly (readonly [string, () => Partial<BlockHeader>, BlockRule])[] = [
    ['2', () => ({ chain_id: 5n }), 'chain_id'],
    ['3', () => ({ parent_hash: OTHER_HASH }), 'parent_hash'],
    ['4', () => ({ height: 2n }), 'height'],
    ['5', () => ({ epoch: 1n }), 'epoch'],
    ['5', () => ({ view: 7n }), 'view'],
    ['5', () => ({ proposer: 1 }), 'proposer'],
    ['6', () => ({ validators_hash: OTHER_HASH }), 'validators_hash'],
    ['7', () => ({ timestamp_ms: source.chain.tip.header.timestamp_ms }), 'timestamp_ms'],
    ['8', () => ({ gas_limit: BLOCK_GAS + 1n }), 'gas_limit'],
    ['8', () => ({ base_fee: 2n }), 'base_fee'],
    ['8', () => ({ extra: Uint8Array.of(1) }), 'extra'],
    ['9', () => ({ transactions_root: OTHER_HASH }), 'transactions_root'],
    ['12', () => ({ gas_used: 1n }), 'gas_used'],
    ['12', () => ({ receipts_root: OTHER_HASH }), 'receipts_root'],
    ['12', () => ({ state_root: OTHER_HASH }), 'state_root'],
    ['12', () => ({ history_root: OTHER_HASH }), 'history_root'],
  ];
  for (const [rule, change, name] of wrong) {
    test(`rule ${rule}: another ${name}`, async () => {
      assert.equal(await ruleOf(withHeader(change())), name);
    });
  }

  test('rules 5 and 6: a view that is not after the parent, a proposer that no set has', async () => {
    const view = { ...block.header, view: 0n };
    assert.equal(await ruleOf(encode(view), contextOf(view)), 'view');
    const proposer = { ...block.header, proposer: 1 };
    assert.equal(await ruleOf(encode(proposer), contextOf(proposer)), 'proposer');
  });

  test('rule 10: a signature that is not the sender’s', async () => {
    const [first, second] = items();
    assert.ok(first !== undefined && second !== undefined);
    const forged: BlockItem = {
      type: 'transaction',
      value: { ...first.value, signature: second.value.signature },
    };
    assert.equal(await ruleOf(await withTransactions(forged)), 'signature');
  });

  test('rule 11: a transaction that cannot be included in its place', async () => {
    for (const sendings of [
      [{ nonce: 1n }],
      [{ nonce: 1n }, { nonce: 0n }],
      [{}, {}],
      [{ maxFee: 0n, priorityFee: 0n }],
      [{ validUntil: 0n }],
      [{ gasLimit: BLOCK_GAS + 1n }],
      [{ gasLimit: 400_000_000n }, { from: 1, gasLimit: BLOCK_GAS - 9_999n }],
      [{ maxFee: 10n ** 30n, priorityFee: 10n ** 30n }],
    ] satisfies Sending[][]) {
      assert.equal(await ruleOf(await withTransactions(...sendings)), 'inclusion');
    }
  });

  test('rule 12: one that leaves out what it executes, or adds to it', async () => {
    assert.equal(await ruleOf(await withTransactions({})), 'receipts_root');
    assert.equal(await ruleOf(await withTransactions()), 'receipts_root');
  });
});

test('a block on a parent that is neither the tip nor pending has no verdict', async () => {
  const header = { ...block.header, parent_hash: OTHER_HASH };
  assert.equal(await ruleOf(encode(header), contextOf(header)), 'unknown_parent');
  const nonsense = new Uint8Array(40).fill(1);
  assert.equal(await ruleOf({ header: nonsense, body: nonsense }, contextOf(header)), 'unknown_parent');
});

test('whatever bytes come, there is a verdict, and nothing of them stays', async () => {
  const good = encode(block.header);
  const flip = (bytes: Uint8Array, at: number, by: number) => {
    const copy = bytes.slice();
    const place = at % copy.length;
    copy[place] = (copy[place] ?? 0) ^ by;
    return copy;
  };
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('header', 'body'),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      async (part, at, by) => {
        const encoded = { ...good, [part]: flip(good[part], at, by) };
        const verdict = await world.blockChain.verify(encoded, contextOf(block.header));
        if (verdict.verdict !== 'valid') return assert.equal(world.pending.size, 0);
        // When a block is made is its proposer's to say.
        const { timestamp_ms } = verdict.block.header;
        assert.deepEqual({ ...block.header, timestamp_ms }, verdict.block.header);
        world.pending.drop(verdict.block);
      },
    ),
    { numRuns: 300 },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 400 }),
      fc.uint8Array({ maxLength: 400 }),
      async (header, body) => {
        assert.equal(await ruleOf({ header, body }), 'encoding');
      },
    ),
    { numRuns: 200 },
  );
});

test('a good block is pending, once however often it comes, and can be committed', async () => {
  for (let times = 0; times < 3; times++) {
    const verdict = await world.blockChain.verify(encode(block.header), contextOf(block.header));
    assert.equal(verdict.verdict, 'valid');
    assert.equal(world.pending.size, 1);
  }
  const both = await Promise.all(
    [1, 2].map(() => world.blockChain.verify(encode(block.header), contextOf(block.header))),
  );
  assert.ok(both.every(({ verdict }) => verdict === 'valid'));
  await world.blockChain.commit(block.hash);
  assert.deepEqual(world.chain.tip.hash, block.hash);
});

test('verification that is cancelled throws the reason and leaves nothing', async () => {
  const other = await ChainWorld.open();
  try {
    const reason = new Error('no longer wanted');
    const verifying = other.blockChain.verify(
      encode(block.header),
      contextOf(block.header),
      AbortSignal.abort(reason),
    );
    await assert.rejects(verifying, reason);
    assert.equal(other.pending.size, 0);
  } finally {
    await other.remove();
  }
});
