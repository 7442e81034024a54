// The rules of verify-block.ts for keys and envelopes.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { BlockRejection } from '../../src/chain/block-rejection.js';
import { decodeBody } from '../../src/chain/decode-block.js';
import type { PendingBlock } from '../../src/chain/pending-blocks.js';
import type { BlockHeader, BlockItem, Dealing, SealKey } from '../../src/generated/ledger.js';
import { ledger } from '../../src/ledger/codecs.js';
import {
  MAX_CONSENSUS_ITEMS,
  MAX_OPENS_AHEAD,
  MAX_SEALED_PAYLOAD,
  MAX_SLOTS,
} from '../../src/ledger/constants.js';
import { intrinsicGas } from '../../src/ledger/gas.js';
import type { VerifiedTransaction } from '../../src/ledger/transaction-envelope.js';
import { SEALED_GAS, Sealing } from '../support/crypto/sealing.js';
import { contextOf, encoded, encodedBody, verified } from '../support/worlds/block-transfer.js';
import { ChainWorld } from '../support/worlds/chain-world.js';

describe('sealed items of blocks from others', () => {
  let world: ChainWorld;
  let sealing: Sealing;
  /** Two due heights with one envelope each. */
  let heights: readonly [bigint, bigint];
  let template: BlockHeader;
  before(async () => {
    world = await ChainWorld.open();
    sealing = await Sealing.of(world);
    heights = [3n, 4n];
    world.submit(
      sealing.envelope({ from: 1, opensAt: heights[1] }),
      sealing.envelope({ from: 2, opensAt: heights[0] }),
    );
    while (world.chain.tip.header.height < heights[1])
      await world.blockChain.commit((await world.propose()).hash);
    const bare = await world.propose();
    template = bare.header;
    world.pending.drop(bare);
  });
  after(() => world?.remove());

  const key = (value: SealKey): BlockItem => ({ type: 'seal_key', value });
  const keys = (...of: readonly bigint[]) => of.map((height) => key(sealing.key(height)));
  const transfer = (): BlockItem => ({ type: 'transaction', value: world.transaction({ from: 5 }).signed });
  const dealing: Dealing = {
    epoch: 0n,
    dealer: 0,
    commitments: [],
    acks: [],
    encryption_key: new Uint8Array(48),
    sealed: [],
    signature: new Uint8Array(64),
  };

  function itemOf({ encoded: bytes }: VerifiedTransaction): BlockItem {
    return { type: 'sealed', value: ledger.SignedEnvelope.decode(bytes) };
  }

  /** The refusal of a block after the tip with these items; asserts that the block leaves nothing behind. */
  async function refusalOf(items: readonly BlockItem[]): Promise<BlockRejection> {
    const body = await decodeBody(world.crypto, items);
    const root = 'itemsRoot' in body ? { transactions_root: body.itemsRoot } : {};
    const block = {
      header: ledger.BlockHeader.encode({ ...template, ...root }),
      body: encodedBody(items),
    };
    const verdict = await world.blockChain.verify(block, contextOf({ header: template }));
    assert.equal(world.pending.size, 0);
    assert.equal(world.strayRoots, 0);
    return verdict.verdict === 'invalid' ? verdict : assert.fail(verdict.verdict);
  }

  const ruleOf = async (...items: readonly BlockItem[]) => (await refusalOf(items)).rule;

  test('rule 2: keys come first, then transactions, dealings, changes and complaints, each up to its limit', async () => {
    const [one, two] = keys(...heights);
    const deal: BlockItem = { type: 'dealing', value: dealing };
    const change: BlockItem = {
      type: 'change',
      value: { epoch: 0n, change: { type: 'remove', value: new Uint8Array(20) }, approvals: [] },
    };
    assert.ok(one !== undefined && two !== undefined);
    assert.equal(await ruleOf(transfer(), one), 'items');
    assert.equal(await ruleOf(one, two, one), 'items');
    assert.equal(await ruleOf(one, deal, two), 'items');
    assert.equal(await ruleOf(one, two, deal, transfer()), 'items');
    assert.equal(await ruleOf(one, two, change, deal), 'items');
    const complain: BlockItem = {
      type: 'complaint',
      value: {
        epoch: 0n,
        dealer: 0,
        player: 1,
        shared: new Uint8Array(48),
        challenge: new Uint8Array(32),
        response: new Uint8Array(32),
      },
    };
    assert.equal(await ruleOf(one, two, complain, change), 'items');
    assert.equal(await ruleOf(one, two, deal, change, complain), 'validators');
    const most = Array.from({ length: MAX_CONSENSUS_ITEMS }, () => deal);
    assert.equal(await ruleOf(...most, deal), 'items');
    assert.equal(await ruleOf(...most.map(() => change), change), 'items');
    assert.equal(await ruleOf(...most.map(() => complain), complain), 'items');
    // A block with the maximum number of items is refused only for their content.
    assert.equal(await ruleOf(one, two, ...most), 'validators');
  });

  test('rule 11: the keys are those of the lowest heights that are due, ascending', async () => {
    const [low, high] = heights;
    const missing = 2n;
    for (const wrong of [[high], [high, low], [low, low], [missing], [low, missing], [low, high + 1n]]) {
      assert.equal(await ruleOf(...keys(...wrong)), 'seal_keys', wrong.join());
    }
  });

  test('rule 11: nothing is included before all due envelopes are open', async () => {
    const late = itemOf(sealing.envelope({ from: 6, opensAt: 20n }));
    assert.equal(await ruleOf(transfer()), 'seal_keys');
    assert.equal(await ruleOf(...keys(heights[0]), transfer()), 'seal_keys');
    assert.equal(await ruleOf(...keys(heights[0]), late), 'seal_keys');
  });

  test('rule 11: a key must match the group key of its height', async () => {
    const [low, high] = heights;
    const good = sealing.key(low);
    const flipped = good.signature.slice();
    flipped[95] = (flipped[95] ?? 0) ^ 1;
    for (const signature of [sealing.key(high).signature, flipped, new Uint8Array(96)]) {
      const refused = await refusalOf([key({ height: low, signature })]);
      assert.deepEqual([refused.rule, refused.what], ['seal_keys', `key of height ${low}`]);
    }
    const refused = await refusalOf([key(good), key({ height: high, signature: good.signature })]);
    assert.equal(refused.what, `key of height ${high}`);
  });

  test('rule 12: an envelope signed by another, or changed after signing, is refused', async () => {
    const good = sealing.envelope({ from: 6, opensAt: 20n });
    const { envelope, signature } = ledger.SignedEnvelope.decode(good.encoded);
    const copied = sealing.sign(envelope, 7);
    const header = { ...envelope.header, priority_fee: 2n };
    const changed: BlockItem = { type: 'sealed', value: { envelope: { ...envelope, header }, signature } };
    assert.equal(await ruleOf(...keys(...heights), itemOf(copied)), 'signature');
    assert.equal(await ruleOf(...keys(...heights), changed), 'signature');
  });

  test('rule 13: envelopes that cannot be included are refused', async () => {
    const { height, gas_limit: blockGas } = template;
    const opensAt = height + 5n;
    const big = sealing.envelope({
      from: 6,
      opensAt,
      content: new Uint8Array(MAX_SEALED_PAYLOAD),
      gasLimit: 9_000_000n,
    });
    const own = intrinsicGas(sealing.envelope({ from: 6, opensAt }).signed.transaction);
    const quarter = blockGas / 4n;
    const refused = async (...envelopes: readonly VerifiedTransaction[]) =>
      (await refusalOf([...keys(...heights), ...envelopes.map(itemOf)])).computed;
    const one = (sending: Partial<Parameters<Sealing['envelope']>[0]>) =>
      sealing.envelope({ from: 6, opensAt, ...sending });
    assert.match(await refused(one({ opensAt: height })), /expired/);
    assert.match(await refused(one({ opensAt: 0n })), /expired/);
    assert.match(await refused(one({ opensAt: height + MAX_OPENS_AHEAD + 1n })), /opens_too_late/);
    assert.match(await refused(big), /payload_too_large/);
    // Opening the lane costs 5,000 more.
    assert.match(await refused(one({ gasLimit: own + 4_999n })), /gas_limit_too_low/);
    assert.match(await refused(one({ gasLimit: own + quarter + 1n })), /opening_full/);
    assert.match(
      await refused(one({ gasLimit: own + quarter }), one({ from: 7, gasLimit: own + 5_001n })),
      /opening_full/,
    );
    assert.match(await refused(one({ chainId: 5n })), /wrong_chain/);
    const many = Array.from({ length: MAX_SLOTS + 1 }, (_, nonce) => one({ nonce: BigInt(nonce) }));
    assert.match(await refused(...many), /opening_full/);
    const spread = many.map((_, nonce) =>
      one({ nonce: BigInt(nonce), opensAt: opensAt + BigInt(nonce % 2) }),
    );
    assert.match(await refused(...spread), /slots_taken/);
    assert.match(await refused(one({ maxSealFee: 1_999_999n })), /seal_fee_too_low/);
    const two = own + blockGas / 64n + 1n;
    assert.match(await refused(one({ gasLimit: two, maxSealFee: 3_999_999n })), /seal_fee_too_low/);
    assert.equal((await refusalOf([...keys(...heights), ...many.slice(1).map(itemOf)])).rule, 'inclusion');
  });

  test('rules 2 and 11: none, one or both keys are valid, each with its permitted items', async () => {
    const [low, high] = heights;
    const source = await ChainWorld.open();
    try {
      const other = await Sealing.of(source);
      source.submit(other.envelope({ from: 1, opensAt: high }), other.envelope({ from: 2, opensAt: low }));
      while (source.chain.tip.header.height < high)
        await source.blockChain.commit((await source.propose()).hash);
      source.submit(
        source.transaction({ from: 5 }),
        other.envelope({ from: 6, opensAt: 20n, gasLimit: SEALED_GAS }),
      );
      const upTo = (most: bigint) => (height: bigint) => (height <= most ? sealing.key(height) : undefined);
      const blocks: PendingBlock[] = [];
      for (const [view, most] of [0n, low, high].entries()) {
        blocks.push(await source.propose({ keyOf: upTo(most), view: BigInt(100 + view) }));
      }
      assert.deepEqual(
        blocks.map(({ items, keys: of, transactions }) => [items.length, of.length, transactions.length]),
        [
          [0, 0, 0],
          [1, 1, 0],
          [4, 2, 2],
        ],
      );
      for (const block of blocks) {
        const made = await verified(source, block);
        assert.deepEqual(encoded(made), encoded(block));
      }
      const highOnly = await source.propose({
        keyOf: (height) => (height === high ? sealing.key(height) : undefined),
        view: 200n,
      });
      assert.equal(highOnly.items.length, 0);
      const bad = { height: low, signature: new Uint8Array(96) };
      const badOnly = await source.propose({ keyOf: () => bad, view: 201n });
      assert.equal(badOnly.items.length, 0);
    } finally {
      await source.remove();
    }
  });
});
