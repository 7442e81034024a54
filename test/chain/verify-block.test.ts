// Blocks from others: every rule of verify-block.ts, and random bytes.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { BlockRejection, BlockRule } from '../../src/chain/block-rejection.js';
import {
  type DecodedBlock,
  decodeBlock,
  decodeBody,
  type EncodedBlock,
} from '../../src/chain/decode-block.js';
import type { PendingBlock } from '../../src/chain/pending-blocks.js';
import type { BlockHeader, BlockItem } from '../../src/generated/ledger.js';
import { ledger } from '../../src/ledger/codecs.js';
import { MAX_BODY_BYTES } from '../../src/ledger/constants.js';
import { MAX_LANES } from '../../src/ledger/lanes.js';
import { sweep } from '../support/sweep.js';
import { encodedBody } from '../support/worlds/block-transfer.js';
import { ChainWorld, type Sending } from '../support/worlds/chain-world.js';

const OTHER_HASH = new Uint8Array(32).fill(9);
const BLOCK_GAS = 500_000_000n;
/** Gas of a transfer that opens its lane. */
const TRANSFER_GAS = 30_000n;
/** Header fields that rule 14 checks. */
const EXECUTED_RULES = ['gas_used', 'receipts_root', 'state_root', 'history_root'] as const;

describe('blocks from others', () => {
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

  type TransactionItem = Extract<BlockItem, { readonly type: 'transaction' }>;

  const items = (): TransactionItem[] =>
    block.items.map((encoded) => {
      const item = ledger.BlockItem.decode(encoded);
      return item.type === 'transaction' ? item : assert.fail(item.type);
    });

  function encode(header: BlockHeader, content: readonly BlockItem[] = items()): EncodedBlock {
    return { header: ledger.BlockHeader.encode(header), body: encodedBody(content) };
  }

  function contextOf({ parent_hash: parent, epoch, view, proposer }: BlockHeader) {
    return { parent, epoch, view, proposer };
  }

  /** Verifies a block that must be refused, and checks that it leaves nothing behind. */
  async function refusalOf(
    encoded: EncodedBlock | DecodedBlock,
    context = contextOf(block.header),
  ): Promise<BlockRejection> {
    const verdict = await world.blockChain.verify(encoded, context);
    assert.equal(world.pending.size, 0);
    assert.equal(world.strayRoots, 0);
    return verdict.verdict === 'invalid' ? verdict : assert.fail(verdict.verdict);
  }

  /** The rule by which a block is refused. */
  async function ruleOf(...given: Parameters<typeof refusalOf>): Promise<BlockRule> {
    return (await refusalOf(...given)).rule;
  }

  /** The block with another header. */
  const withHeader = (change: Partial<BlockHeader>) => encode({ ...block.header, ...change });

  /** The block with other items, and a header that commits to them. */
  async function withItems(content: readonly BlockItem[], change: Partial<BlockHeader> = {}) {
    const body = await decodeBody(world.crypto, content);
    // Items without a root are refused before the header is checked.
    const root = 'itemsRoot' in body ? { transactions_root: body.itemsRoot } : {};
    return encode({ ...block.header, ...root, ...change }, content);
  }

  function itemOf(sending: Sending): TransactionItem {
    return { type: 'transaction', value: world.transaction(sending).signed };
  }

  /** A block of these transactions, with a header that commits to them. */
  const withTransactions = (...sendings: readonly Sending[]) => withItems(sendings.map(itemOf));

  /** The item with one bit of its signature flipped; the key stays the sender's. */
  function forged({ type, value }: TransactionItem, bit = 0): TransactionItem {
    const { signature } = value;
    const bytes = signature.value.signature.slice();
    const place = (bit >> 3) % bytes.length;
    bytes[place] = (bytes[place] ?? 0) ^ (1 << (bit & 7));
    if (signature.type !== 'ed25519') assert.fail(signature.type);
    return {
      type,
      value: {
        ...value,
        signature: { type: 'ed25519', value: { ...signature.value, signature: bytes } },
      },
    };
  }

  /**
   * A block whose only transaction is forged. If it gets as far as signatures or execution, the refusal is `signature`.
   */
  const withForged = (change: Partial<BlockHeader>) => withItems([forged(itemOf({}))], change);

  describe('verification of a block', () => {
    test('rule 1: refuses a header or body that is not strict Borsh', async () => {
      const { header, body } = encode(block.header);
      const longer = (bytes: Uint8Array) => Uint8Array.of(...bytes, 0);
      for (const bad of [
        { header: longer(header), body },
        { header, body: longer(body) },
        { header: header.subarray(1), body },
        { header: new Uint8Array(0), body },
        { header, body: new Uint8Array(0) },
        { header, body: Uint8Array.of(255, 255, 255, 255) },
      ]) {
        const { rule, what } = await refusalOf(bad);
        assert.deepEqual([rule, what], ['encoding', 'block']);
      }
    });

    test(`rule 1: refuses a body of more than ${MAX_BODY_BYTES} bytes, strict Borsh or not`, async () => {
      const carrying = (bytes: number) =>
        encode(block.header, [
          itemOf({
            action: {
              type: 'call',
              value: { contract: world.account(0), input: new Uint8Array(bytes), value: 0n },
            },
          }),
        ]);
      const room = MAX_BODY_BYTES - carrying(0).body.length;
      const greatest = carrying(room);
      assert.equal(greatest.body.length, MAX_BODY_BYTES);
      assert.equal(await ruleOf(greatest), 'transactions_root');
      const tooLong = { header: greatest.header, body: new Uint8Array(MAX_BODY_BYTES + 1) };
      for (const bad of [carrying(room + 1), tooLong]) {
        const { rule, what, stored } = await refusalOf(bad);
        assert.deepEqual([rule, what, stored], ['encoding', 'body', `${MAX_BODY_BYTES + 1} bytes`]);
      }
    });

    test('rule 1: refuses a block under another hash than its header’s', async () => {
      const { header, body } = encode(block.header);
      const decoded = await decodeBlock(world.crypto, { header, body });
      if ('verdict' in decoded) return assert.fail(decoded.what);
      const { rule, what } = await refusalOf({ ...decoded, hash: OTHER_HASH });
      assert.deepEqual([rule, what], ['encoding', 'hash']);
    });

    const early: readonly (readonly [string, () => Partial<BlockHeader>, BlockRule])[] = [
      ['2', () => ({ chain_id: 5n }), 'chain_id'],
      ['3', () => ({ parent_hash: OTHER_HASH }), 'parent_hash'],
      ['4', () => ({ height: 2n }), 'height'],
      ['5', () => ({ epoch: 1n }), 'epoch'],
      ['5', () => ({ view: 7n }), 'view'],
      ['5', () => ({ proposer: 1 }), 'proposer'],
      ['6', () => ({ validators_hash: OTHER_HASH }), 'validators_hash'],
      ['7', () => ({ timestamp_ms: source.chain.tip.header.timestamp_ms }), 'timestamp_ms'],
      ['7', () => ({ timestamp_ms: 0n }), 'timestamp_ms'],
      ['8', () => ({ gas_limit: BLOCK_GAS + 1n }), 'gas_limit'],
      ['8', () => ({ base_fee: 2n }), 'base_fee'],
      ['8', () => ({ seal_excess: 1n }), 'seal_excess'],
      ['8', () => ({ extra: Uint8Array.of(1) }), 'extra'],
      ['9', () => ({ transactions_root: OTHER_HASH }), 'transactions_root'],
    ];
    for (const [rule, change, name] of early) {
      test(`rule ${rule}: refuses a wrong ${name} before checking any signature`, async () => {
        assert.equal(await ruleOf(await withForged(change())), name);
      });
    }

    test('rules 6 and 7: refuses a view not after the parent’s, and a proposer outside every set', async () => {
      const view = { ...block.header, view: source.chain.tip.header.view };
      assert.equal(await ruleOf(await withForged(view), contextOf(view)), 'view');
      // The first check is that the proposer is the one that consensus names.
      assert.equal((await refusalOf(await withForged({ proposer: 1 }))).computed, '0');
      const proposer = { ...block.header, proposer: 1 };
      assert.equal(await ruleOf(await withForged(proposer), contextOf(proposer)), 'proposer');
    });

    test('rule 12: refuses a signature that is not the sender’s before executing anything', async () => {
      const [first, second] = items();
      assert.ok(first !== undefined && second !== undefined);
      const others: BlockItem = {
        type: 'transaction',
        value: { ...first.value, signature: second.value.signature },
      };
      const notIncludable = itemOf({ nonce: 1n });
      for (const [content, place] of [
        [[others], 0],
        [[first, forged(second)], 1],
        [[first, forged(second, 511)], 1],
        [[notIncludable, forged(second)], 1],
        [[forged(notIncludable), first], 0],
      ] as const) {
        const { rule, what } = await refusalOf(await withItems(content));
        assert.deepEqual([rule, what], ['signature', `signature of transaction ${place}`]);
      }
    });

    /** The highest gas price at which an account can reserve 40,000 gas. */
    const most = 10n ** 24n / 40_000n;
    const priced = (price: bigint): Sending => ({ maxFee: price, priorityFee: price });
    const lanes = (count: number): Sending[] => Array.from({ length: count }, (_, lane) => ({ lane }));
    /** The transaction at `place` (default 0) cannot be included, for the named reason; the others can. */
    const impossible: readonly (readonly [string, readonly Sending[], number?])[] = [
      ['wrong_chain', [{ chainId: 1n }]],
      ['wrong_chain', [{}, { from: 1, chainId: 1n }], 1],
      ['nonce', [{ nonce: 1n }]],
      ['nonce', [{ nonce: 1n }, { nonce: 0n }]],
      ['nonce', [{}, {}], 1],
      ['nonce', [{}, { nonce: 2n }], 1],
      ['fee_too_low', [priced(0n)]],
      ['expired', [{ validUntil: 0n }]],
      ['block_full', [{ gasLimit: BLOCK_GAS + 1n }]],
      ['block_full', [{}, { from: 1, gasLimit: BLOCK_GAS - TRANSFER_GAS + 1n }], 1],
      ['insufficient_balance', [priced(most + 1n)]],
      ['too_many_lanes', lanes(MAX_LANES + 1), MAX_LANES],
    ];
    for (const [problem, sendings, place = 0] of impossible) {
      test(`rule 13: refuses ${problem}, in place ${place} of ${sendings.length}`, async () => {
        const { rule, what, computed } = await refusalOf(await withTransactions(...sendings));
        const { hashHex } = world.transaction(sendings[place]);
        assert.deepEqual([rule, what], ['inclusion', `transaction 0x${hashHex}`]);
        assert.equal(computed, `cannot be included: ${problem}`);
      });
    }

    test('rule 13: accepts transactions that just fit', async () => {
      for (const sendings of [
        [{ nonce: 0n }, { nonce: 1n }],
        [priced(1n)],
        [{ validUntil: 1n }],
        [{ gasLimit: BLOCK_GAS }],
        [{}, { from: 1, gasLimit: BLOCK_GAS - TRANSFER_GAS }],
        [priced(most)],
        lanes(MAX_LANES),
      ]) {
        assert.equal(await ruleOf(await withTransactions(...sendings)), 'receipts_root');
      }
    });

    const executed: readonly (readonly [Partial<BlockHeader>, BlockRule])[] = [
      [{ gas_used: 1n }, 'gas_used'],
      [{ receipts_root: OTHER_HASH }, 'receipts_root'],
      [{ state_root: OTHER_HASH }, 'state_root'],
      [{ history_root: OTHER_HASH }, 'history_root'],
    ];
    for (const [change, name] of executed) {
      test(`rule 14: refuses a wrong ${name}`, async () => {
        assert.equal(await ruleOf(withHeader(change)), name);
      });
    }

    test('rule 14: refuses a header that omits executed items or adds others', async () => {
      assert.equal(await ruleOf(await withTransactions({})), 'receipts_root');
      assert.equal(await ruleOf(await withTransactions()), 'receipts_root');
    });
  });

  test('gives no verdict on a block whose parent is neither the tip nor pending', async () => {
    const header = { ...block.header, parent_hash: OTHER_HASH };
    const nonsense = new Uint8Array(40).fill(1);
    for (const encoded of [encode(header), { header: nonsense, body: nonsense }]) {
      const verdict = await world.blockChain.verify(encoded, contextOf(header));
      assert.deepEqual(verdict, { verdict: 'unknown_parent' });
      assert.equal(world.pending.size, 0);
    }
  });

  test('gives a verdict on any bytes, and keeps nothing of them', async () => {
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
          assert.equal(world.strayRoots, 0);
          if (verdict.verdict !== 'valid') return assert.equal(world.pending.size, 0);
          // The proposer chooses the block's timestamp.
          const { timestamp_ms } = verdict.block.header;
          assert.deepEqual({ ...block.header, timestamp_ms }, verdict.block.header);
          world.pending.drop(verdict.block);
        },
      ),
      { numRuns: sweep(30) },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 400 }),
        fc.uint8Array({ maxLength: 400 }),
        async (header, body) => {
          assert.equal(await ruleOf({ header, body }), 'encoding');
        },
      ),
      { numRuns: sweep(20) },
    );
  });

  /** A mutation of a block's items. `sign` signs the changed item again with its sender's key. */
  type Change =
    | { readonly kind: 'field'; readonly at: number; readonly by: FieldChange; readonly sign: boolean }
    | { readonly kind: 'forge'; readonly at: number; readonly bit: number }
    | { readonly kind: 'swap' | 'repeat'; readonly at: number; readonly to: number }
    | { readonly kind: 'drop'; readonly at: number };
  type FieldChange = Pick<Sending, 'nonce' | 'gasLimit' | 'priorityFee' | 'maxFee' | 'amount' | 'validUntil'>;

  /** An item, and whether its signature matches its current content. */
  interface Made {
    readonly sending: Sending;
    readonly item: TransactionItem;
    readonly good: boolean;
  }

  function changed(made: readonly Made[], change: Change): readonly Made[] {
    const at = change.at % Math.max(made.length, 1);
    const one = made[at];
    if (one === undefined) return made;
    const others = made.filter((_, place) => place !== at);
    switch (change.kind) {
      case 'field': {
        const sending = { ...one.sending, ...change.by };
        const item = itemOf(sending);
        if (change.sign) return made.with(at, { sending, item, good: true });
        const { signature } = one.item.value;
        const isSame = world.transaction(sending).hashHex === world.transaction(one.sending).hashHex;
        const kept: TransactionItem = { type: 'transaction', value: { ...item.value, signature } };
        return made.with(at, { sending, item: kept, good: one.good && isSame });
      }
      case 'forge':
        return made.with(at, { ...one, item: forged(one.item, change.bit), good: false });
      case 'swap':
        return others.toSpliced(change.to % made.length, 0, one);
      case 'repeat':
        return made.toSpliced(change.to % made.length, 0, one);
      case 'drop':
        return others;
    }
  }

  test('refuses changed items under a matching header by one of rules 12 to 14', async () => {
    const sendings: readonly Sending[] = [{}, { nonce: 1n }, { from: 1 }, { from: 2, amount: 7n }];
    const place = fc.nat({ max: 7 });
    const amount = fc.oneof(fc.bigInt({ min: 0n, max: 3n }), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }));
    const field = fc.record(
      {
        nonce: amount,
        gasLimit: fc.oneof(amount, fc.constantFrom(TRANSFER_GAS, BLOCK_GAS, BLOCK_GAS + 1n)),
        priorityFee: amount,
        maxFee: fc.oneof(amount, fc.constant(2n ** 128n - 1n)),
        amount: fc.oneof(amount, fc.constant(2n ** 128n - 1n)),
        validUntil: amount,
      },
      { requiredKeys: [] },
    );
    const change: fc.Arbitrary<Change> = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({ kind: fc.constant('field'), at: place, by: field, sign: fc.constant(true) }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ kind: fc.constant('field'), at: place, by: field, sign: fc.boolean() }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ kind: fc.constant('forge'), at: place, bit: fc.nat({ max: 511 }) }),
      },
      { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('swap', 'repeat'), at: place, to: place }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('drop'), at: place }) },
    );
    const reached = new Map<BlockRule, number>();
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 4 }), async (changes) => {
        const start = sendings.map((sending): Made => ({ sending, item: itemOf(sending), good: true }));
        const made = changes.reduce(changed, start);
        const content = made.map(({ item }) => item);
        // Dropping items can restore the original block, which is valid.
        fc.pre(!isDeepStrictEqual(content, items()));
        const { rule } = await refusalOf(await withItems(content));
        reached.set(rule, (reached.get(rule) ?? 0) + 1);
        const isForged = made.some(({ good }) => !good);
        if (isForged) return assert.equal(rule, 'signature');
        assert.ok(['inclusion', ...EXECUTED_RULES].includes(rule), rule);
      }),
      { numRuns: 300, seed: 19 },
    );
    const timesOf = (...rules: readonly BlockRule[]) =>
      rules.reduce((sum, rule) => sum + (reached.get(rule) ?? 0), 0);
    for (const rules of [['signature'], ['inclusion'], EXECUTED_RULES] as const) {
      assert.ok(timesOf(...rules) >= 30, `${rules.join()}: ${timesOf(...rules)}`);
    }
  });

  test('keeps a good block pending once, however often it comes, and lets it be committed', async () => {
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

  test('throws the abort reason when cancelled, and leaves nothing behind', async () => {
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
});
