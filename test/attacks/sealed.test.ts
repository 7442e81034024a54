// Untrusted envelopes: changed, replayed, copied, sealed to a past height, or unable to open.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import type { PendingBlock } from '../../src/chain/pending-blocks.js';
import type { SealedEnvelope } from '../../src/generated/ledger.js';
import { ledger } from '../../src/ledger/codecs.js';
import { MAX_SLOTS } from '../../src/ledger/constants.js';
import { addressHex } from '../../src/ledger/hex-types.js';
import { slotPrice } from '../../src/ledger/opening-slots.js';
import { decodeStoredReceipt } from '../../src/ledger/stored-receipt.js';
import { TransactionError } from '../../src/mempool/errors.js';
import { SEALED_GAS, type SealedSending, Sealing } from '../support/crypto/sealing.js';
import { verified } from '../support/worlds/block-transfer.js';
import { ChainWorld } from '../support/worlds/chain-world.js';

let world: ChainWorld;
let other: ChainWorld;
let sealing: Sealing;
beforeEach(async () => {
  world = await ChainWorld.open();
  other = await ChainWorld.open();
  sealing = await Sealing.of(world);
});
afterEach(async () => {
  await world.remove();
  await other.remove();
});

const keyOf = (height: bigint) => sealing.key(height);
const balance = (account: number) => world.chain.accounts.account(addressHex(world.account(account))).balance;
const receiptsOf = ({ receipts }: PendingBlock) =>
  receipts.map((stored) => decodeStoredReceipt(stored).receipt);

async function advance(): Promise<PendingBlock> {
  const block = await world.propose({ keyOf });
  await verified(other, block);
  await world.blockChain.commit(block.hash);
  await other.blockChain.commit(block.hash);
  return block;
}

function refusal(sending: SealedSending): string {
  const refused = world.pool.precheck(sealing.envelope(sending));
  return refused instanceof TransactionError ? refused.reason : assert.fail('it was not refused');
}

const flipped = (bytes: Uint8Array, place = 0) => bytes.with(place, (bytes[place] ?? 0) ^ 1);

test('two heights full of envelopes that do not open cost their senders all gas and harm no others', async () => {
  const changes: readonly ((envelope: SealedEnvelope) => SealedEnvelope)[] = [
    (envelope) => ({ ...envelope, u: flipped(envelope.u, 47) }),
    (envelope) => ({ ...envelope, u: new Uint8Array(48) }),
    (envelope) => ({ ...envelope, v: flipped(envelope.v) }),
    (envelope) => ({ ...envelope, w: flipped(envelope.w) }),
    (envelope) => ({ ...envelope, payload: flipped(envelope.payload) }),
    (envelope) => ({ ...envelope, payload: new Uint8Array(0) }),
    (envelope) => ({ ...envelope, header: { ...envelope.header, priority_fee: 2n } }),
  ];
  const before = balance(1);
  for (let count = 0; count < 2 * MAX_SLOTS; count++) {
    const tamper = changes[count % changes.length];
    // The later height is filled first.
    const opensAt = count < MAX_SLOTS ? 4n : 3n;
    const extra = count === 8 ? { content: Uint8Array.of(1, 2, 3) } : tamper === undefined ? {} : { tamper };
    world.submit(sealing.envelope({ from: 1, nonce: BigInt(count), opensAt, ...extra }));
  }
  const blocks = [await advance(), await advance()];
  const included = blocks.flatMap(({ transactions }) => transactions);
  assert.deepEqual(
    blocks.map(({ transactions }) => transactions.length),
    [MAX_SLOTS, MAX_SLOTS],
  );
  // Keys are withheld for a while, so both heights are due at once.
  for (let count = 0; count < 2; count++) {
    const empty = await world.propose({});
    await verified(other, empty);
    await world.blockChain.commit(empty.hash);
    await other.blockChain.commit(empty.hash);
  }
  world.submit(world.transaction({ from: 2 }));
  const opened = await advance();
  assert.deepEqual([opened.keys.length, opened.openings.length, opened.transactions.length], [2, 32, 1]);
  const openings = receiptsOf(opened).slice(0, -1);
  assert.deepEqual([...new Set(openings.map(({ outcome }) => outcome.type))], ['invalid']);
  assert.deepEqual(
    openings.map(({ tx_hash }) => Buffer.from(tx_hash).toString('hex')),
    [...included.slice(MAX_SLOTS), ...included.slice(0, MAX_SLOTS)].map(({ hashHex }) => hashHex),
  );
  const inclusions = blocks.flatMap(receiptsOf);
  const used = [...inclusions, ...openings].reduce((sum, { gas_used }) => sum + gas_used, 0n);
  assert.equal(used, SEALED_GAS * BigInt(2 * MAX_SLOTS));
  const baseFee = 1n;
  assert.equal(opened.header.base_fee, baseFee);
  const slots = blocks.reduce((sum, { header }) => sum + BigInt(MAX_SLOTS) * slotPrice(header), 0n);
  const tips = included.reduce((sum, { signed }, place) => {
    return sum + (inclusions[place]?.gas_used ?? 0n) * signed.transaction.priority_fee;
  }, 0n);
  assert.equal(before - balance(1), used * baseFee + tips + slots);
});

test('an envelope with an opening height out of range is refused', () => {
  const next = world.head().height;
  assert.equal(refusal({ opensAt: 0n }), 'expired');
  assert.equal(refusal({ opensAt: next }), 'expired');
  assert.equal(refusal({ opensAt: next + 1n }), 'expired');
  assert.equal(world.pool.precheck(sealing.envelope({ opensAt: next + 2n })), undefined);
  assert.equal(world.pool.precheck(sealing.envelope({ opensAt: next + 1_000n })), undefined);
  assert.equal(refusal({ opensAt: next + 1_001n }), 'opens_too_late');
  assert.equal(refusal({ opensAt: 2n ** 64n - 1n }), 'opens_too_late');
  assert.equal(refusal({ opensAt: next + 5n, gasLimit: 2_000_000n }), 'gas_limit_too_low');
  assert.equal(refusal({ opensAt: next + 5n, gasLimit: 200_000_000n }), 'gas_limit_too_high');
  assert.equal(
    refusal({ opensAt: next + 5n, content: new Uint8Array(65_536), gasLimit: 9_000_000n }),
    'too_large',
  );
  assert.equal(refusal({ opensAt: next + 5n, maxFee: 10n ** 20n }), 'insufficient_balance');
  assert.equal(refusal({ opensAt: next + 5n, chainId: 1n }), 'wrong_chain');
});

test('an envelope not included below its opening height leaves the pool', async () => {
  const envelope = sealing.envelope({ from: 1, opensAt: 3n, maxFee: 1n, priorityFee: 0n });
  // The nonce gap keeps this envelope out of blocks.
  const behind = sealing.envelope({ from: 2, opensAt: 3n, nonce: 1n });
  world.submit(behind);
  for (let height = 1; height < 3; height++) await advance();
  assert.equal(world.pool.removal(behind.hashHex)?.reason, 'expired');
  assert.equal(world.pool.stats().sealed.size, 0);
  assert.equal(world.pool.precheck(envelope)?.reason, 'expired');
});

test('a ciphertext copied under another header does not open', async () => {
  const good = sealing.envelope({ from: 1, opensAt: 4n, amount: 1_000n, to: world.account(7) });
  const { envelope } = ledger.SignedEnvelope.decode(good.encoded);
  const header = { ...envelope.header, sender: world.account(2) };
  const copy = sealing.sign({ ...envelope, header }, 2);
  world.submit(good, copy);
  const payee = balance(7);
  await advance();
  // The nonce of the included envelope is used, so the envelope cannot be sent again.
  assert.equal(world.pool.precheck(good)?.reason, 'nonce_too_low');
  while (world.chain.tip.header.height < 4n) await advance();
  const opened = await advance();
  assert.deepEqual(
    receiptsOf(opened).map(({ outcome }) => outcome.type),
    ['success', 'invalid'],
  );
  assert.equal(balance(7), payee + 1_000n);
});

test('a dropped branch leaves no envelopes or openings behind', async () => {
  world.submit(sealing.envelope({ from: 1, opensAt: 2n, amount: 5n, to: world.account(7) }));
  const with1 = await world.propose({ view: 10n, keyOf });
  const with2 = await world.propose({ view: 11n, parent: with1.hash, keyOf });
  const opened = await world.propose({ view: 12n, parent: with2.hash, keyOf });
  assert.deepEqual([with1.transactions.length, opened.openings.length], [1, 1]);
  for (const block of [with1, with2, opened]) await verified(other, block);
  // A different block of the first height becomes final.
  const { hashHex } = with1.transactions[0] ?? assert.fail();
  world.pool.drop(hashHex, 'evicted', 'not in this one');
  const without = await world.propose({ view: 13n, keyOf });
  await verified(other, without);
  for (const each of [world, other]) await each.blockChain.commit(without.hash);
  assert.deepEqual([world.pending.size, world.strayRoots, other.strayRoots], [0, 0, 0]);
  assert.equal(balance(1), 10n ** 24n);
  assert.deepEqual(world.blockChain.unopenedHeights(), []);
  // The remaining chain may include the same envelope again.
  const again = sealing.envelope({ from: 1, opensAt: 4n, amount: 5n, to: world.account(7) });
  world.submit(again);
  await advance();
  while (world.chain.tip.header.height < 4n) await advance();
  assert.equal((await advance()).openings.length, 1);
});
