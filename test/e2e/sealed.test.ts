// Sealed transactions as callers see them: over RPC on a single-validator node, block by block.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  type ClientSealOptions,
  connect,
  type EncodedEnvelope,
  type SealedTransaction,
  type Sealing,
  type Signer,
  sealTransaction,
} from '../../src/client/client.js';
import type { Action, SignedEnvelope } from '../../src/generated/ledger.js';
import { ledger } from '../../src/ledger/codecs.js';
import { defaultSealedGasLimit } from '../../src/ledger/gas.js';
import { sealedEnvelopeHash } from '../../src/ledger/transaction-envelope.js';
import { VerifyError, verifyTransactionIncluded } from '../../src/proofs/verify.js';
import { sha256 } from '../outside/bytes.js';
import { ALICE, alice, BOB, bob, callOf } from '../support/actions.js';
import { eventually } from '../support/eventually.js';
import { text } from '../support/hex.js';
import { ContractNode, token } from '../support/nodes/contract-node.js';
import { NodeParts } from '../support/nodes/node-parts.js';

let world: ContractNode;
before(async () => {
  world = await ContractNode.start();
});
after(() => world.stop());

const tip = async () => (await world.client.status()).tip.height;
const block = () => world.seal([]);

async function blocksTo(height: bigint): Promise<void> {
  while ((await tip()) < height) await block();
}

/** Seals as an external program would, independently of the test world. */
function sealed(action: Action, options: Partial<ClientSealOptions> = {}): Promise<SealedTransaction> {
  return connect(world.node.url).seal(action, { signer: alice, ...options });
}

/** An envelope that a test can modify before sending. */
async function envelope(
  action: Action,
  { signer = alice, ...header }: Partial<Sealing['header']> & { readonly signer?: Signer } = {},
): Promise<EncodedEnvelope> {
  const { chain_id } = await world.client.status();
  const { lanes } = await world.client.account({ address: signer.address });
  const { public_key, next_open_height } = await world.client.get_epoch_key();
  const full = {
    chain_id,
    sender: signer.address,
    lane: 0,
    nonce: lanes.find(({ lane }) => lane === (header.lane ?? 0))?.next_nonce ?? 0n,
    gas_limit: defaultSealedGasLimit(action, 500),
    max_fee: 100n,
    priority_fee: 0n,
    max_seal_fee: 10n ** 9n,
    opens_at: next_open_height,
    ...header,
  };
  return sealTransaction({ header: full, action, groupPublicKey: public_key }, signer);
}

const submit = ({ encoded }: Pick<EncodedEnvelope, 'encoded'>) =>
  world.client.tx_submit_sealed({ envelope: encoded });
const receiptOf = async (hash: Uint8Array) => (await world.client.tx_receipt({ tx_hash: hash })).receipt;
const balanceOf = async (address: Uint8Array) => (await world.client.account({ address })).balance;
const transfer = (amount: bigint, to = bob.address): Action => ({ type: 'transfer', value: { to, amount } });

/** The same envelope signed by a given wallet, regardless of the stated sender. */
async function signedBy(given: SignedEnvelope['envelope'], signer: Signer): Promise<EncodedEnvelope> {
  const hash = sealedEnvelopeHash(ledger.SealedEnvelope.encode(given), { sha256 });
  const signed = { envelope: given, signature: await signer.sign(hash) };
  return { signed, encoded: ledger.SignedEnvelope.encode(signed), hash, hashHex: text(hash).slice(2) };
}

async function refusal(submitted: Promise<unknown>): Promise<{ reason: unknown; kind: string }> {
  try {
    await submitted;
  } catch (error) {
    const { reason, kind } = error as { reason: unknown; kind: string };
    return { reason, kind };
  }
  throw new Error('it was taken');
}

/** A receipt with its proof as the node sends them, and a function that checks the proof with the group key alone. */
async function proved(hashHex: string) {
  const answer = (await world.rpc.call('tx_receipt', { tx_hash: hashHex, with_proof: true })) as {
    proof: { header: { height: number }; envelope?: string; item: string };
  };
  const { height } = answer.proof.header;
  const finalized = await world.rpc.call('finalized_history_root', { height });
  const { public_key } = await world.client.get_epoch_key();
  const hash = Buffer.from(hashHex, 'hex');
  const check = (changed: unknown = answer) =>
    verifyTransactionIncluded(changed, hash, { groupPublicKey: public_key }, { finalized });
  return { answer, check };
}

describe('a sealed transaction', () => {
  test('waits, is included unread, opens, and is found by its hash throughout', async () => {
    const action = world.pay(25);
    const { hash, hashHex, opensAt, status } = await sealed(action);
    assert.equal(status.type, 'pending');
    const ahead = opensAt - (await tip());
    assert.ok(ahead >= 9n && ahead < 9n + 16n, `${ahead}`);

    const { transactions: pending } = await world.client.list_pending_txs();
    assert.deepEqual(
      pending.map(({ tx_hash, kind, opens_at }) => [text(tx_hash), kind.type, opens_at]),
      [[`0x${hashHex}`, 'sealed', opensAt]],
    );
    const stats = (await world.client.txpool_stats()).sealed;
    assert.deepEqual([stats.size, stats.bytes > 0n, stats.next_open_height], [1, true, opensAt]);
    assert.deepEqual(await world.client.tx_by_hash({ tx_hash: hash }), { status });

    await block();
    const included = await tip();
    assert.equal((await world.client.txpool_stats()).sealed.size, 0);
    const inclusion = await receiptOf(hash);
    assert.deepEqual(
      [inclusion?.height, inclusion?.status.type, inclusion?.logs.length, inclusion?.opens_at],
      [included, 'success', 0, opensAt],
    );
    assert.equal(await world.bobs(), '0');
    const unread = await world.client.chain_traceTransaction({ tx_hash: hash });
    assert.equal(unread.trace.call_tree?.kind, 'sealed');
    const first = await proved(hashHex);
    assert.equal(first.check().of, 'inclusion');
    assert.equal(first.answer.proof.envelope, undefined);

    await blocksTo(opensAt);
    assert.equal((await receiptOf(hash))?.height, included);
    assert.equal(await world.bobs(), '0');
    await block();
    const opened = opensAt + 1n;
    const receipt = await receiptOf(hash);
    assert.deepEqual(
      [receipt?.height, receipt?.index, receipt?.status.type, receipt?.opens_at],
      [opened, 0, 'success', opensAt],
    );
    assert.equal(receipt?.logs[0]?.event?.name, 'Transfer');
    assert.equal(await world.bobs(), '25');

    const found = await world.client.tx_by_hash({ tx_hash: hash });
    assert.equal(found.transaction, undefined);
    assert.ok(found.status.type === 'included' && found.status.value.height === included);

    const second = await proved(hashHex);
    assert.equal(second.check().of, 'opening');
    assert.equal(second.check().receipt.logs.length, 1);
    // Neither the key alone nor the envelope with another receipt proves anything.
    const { envelope: given, ...bare } = second.answer.proof;
    assert.ok(given !== undefined);
    const other = `${given.slice(0, -2)}${given.endsWith('00') ? '01' : '00'}`;
    const both = { ...first.answer.proof, envelope: given };
    for (const proof of [bare, { ...bare, envelope: other }, both]) {
      assert.throws(() => second.check({ proof }), VerifyError);
    }
  });

  test('appears in listings, ranges, logs and traces with its content and outcome', async () => {
    const { transactions } = await world.client.list_txs_by_sender({ sender: alice.address, limit: 2 });
    const [opening, inclusion] = transactions;
    assert.ok(opening !== undefined && inclusion !== undefined);
    assert.deepEqual(
      [opening.kind.type, opening.method, text(opening.to ?? new Uint8Array()), opening.opens_at],
      ['call', 'transfer', world.token, inclusion.opens_at],
    );
    assert.deepEqual([inclusion.kind.type, inclusion.to, inclusion.value], ['sealed', undefined, 0n]);
    assert.deepEqual(opening.tx_hash, inclusion.tx_hash);
    const [from_height, to_height] = [inclusion.height, opening.height];
    const range = { from_height, to_height };

    const { blocks } = await world.client.get_blocks(range);
    assert.deepEqual(
      blocks.flatMap(({ items }) => items.map(({ type }) => type)),
      ['sealed', 'seal_key'],
    );
    assert.deepEqual((await world.client.get_txs_in_range(range)).transactions, []);
    const summaries = (await world.client.get_block_summaries(range)).blocks;
    assert.deepEqual([summaries[0]?.tx_count, summaries.at(-1)?.tx_count], [1, 1]);

    const { logs } = await world.client.get_logs({ contract: opening.to ?? assert.fail(), ...range });
    assert.deepEqual(
      logs.map(({ height, tx_index, tx_hash }) => [height, tx_index, tx_hash]),
      [[opening.height, 0, opening.tx_hash]],
    );
    const { transactions: involving } = await world.client.list_txs_by_contract({
      contract: opening.to ?? assert.fail(),
      limit: 1,
    });
    assert.deepEqual(involving[0]?.tx_hash, opening.tx_hash);

    const { trace, receipt } = await world.client.chain_traceTransaction({ tx_hash: opening.tx_hash });
    assert.deepEqual(
      [trace.call_tree?.kind, trace.call_tree?.method, receipt.height],
      ['call', 'transfer', opening.height],
    );
    const at = { type: 'after_tx', value: Buffer.from(opening.tx_hash).toString('hex') };
    assert.equal(await world.bobs({ at }), '25');
    assert.equal(await world.bobs({ at: { type: 'height', value: Number(opening.height) - 1 } }), '0');
  });

  test('is listed for the recipient of its payment at its opening, before other payments of the block', async () => {
    const recipient = new Uint8Array(20).fill(0x5e);
    const { hash, opensAt } = await sealed(transfer(40n, recipient));
    const received = async () => {
      const { transactions } = await world.client.list_txs_by_recipient({ recipient });
      return transactions.map(({ height, index, received: amount }) => [height, index, amount]);
    };
    await blocksTo(opensAt);
    assert.deepEqual(await received(), []);
    const [plain] = await world.seal([transfer(2n, recipient)]);
    const opened = opensAt + 1n;
    assert.deepEqual(await received(), [
      [opened, 1, 2n],
      [opened, 0, 40n],
    ]);
    const { transactions } = await world.client.list_txs_by_recipient({ recipient });
    assert.deepEqual(
      transactions.map(({ tx_hash }) => text(tx_hash)),
      [`0x${plain}`, text(hash)],
    );
    const tokens = await world.client.list_tokens_by_holder({ holder: bob.address });
    assert.deepEqual(
      tokens.tokens.map(({ contract }) => text(contract)),
      [world.token],
    );
  });

  test('keeps the order that was fixed before anything could be read', async () => {
    const opens_at = (await tip()) + 4n;
    const first = await envelope(transfer(1n, bob.address), { signer: alice, lane: 7, opens_at });
    await submit(first);
    await block();
    // A later envelope that pays more and opens at the same height keeps its later position.
    const second = await envelope(transfer(2n, bob.address), { signer: bob, opens_at, priority_fee: 50n });
    await submit(second);
    await block();
    await blocksTo(opens_at);
    const plain = await world.signed(transfer(3n), { lane: 8, priority_fee: 9n });
    await world.client.tx_submit({ encoded: plain });
    await block();
    const [one, two] = [await receiptOf(first.hash), await receiptOf(second.hash)];
    assert.deepEqual(
      [one?.height, two?.height, one?.index, two?.index],
      [opens_at + 1n, opens_at + 1n, 0, 1],
    );
    const { transactions } = await world.client.list_txs({ limit: 3 });
    assert.deepEqual(
      transactions.map(({ index, value, height }) => [index, value, height]),
      [
        [2, 3n, opens_at + 1n],
        [1, 2n, opens_at + 1n],
        [0, 1n, opens_at + 1n],
      ],
    );
    // Item and receipt indices differ in blocks that open envelopes; proofs account for it.
    const [last] = transactions;
    const { check } = await proved(text(last?.tx_hash ?? assert.fail()).slice(2));
    assert.deepEqual([check().of, check().index], ['transaction', 2]);
    assert.equal((await proved(first.hashHex)).check().of, 'opening');
    const { transactions: ranged } = await world.client.get_txs_in_range({
      from_height: opens_at + 1n,
      to_height: opens_at + 1n,
    });
    assert.deepEqual(
      ranged.map(({ index, tx_hash }) => [index, tx_hash]),
      [[2, last?.tx_hash]],
    );
  });

  test('that reverts pays for the gas used and has a receipt with the revert', async () => {
    const opens_at = (await tip()) + 4n;
    const tooMuch = callOf(world.token, token.function('transfer').encodeCall([ALICE, '999999999']));
    const reverted = await envelope(tooMuch, { signer: bob, opens_at });
    const poor = await envelope(transfer(2n ** 100n), { signer: alice, lane: 9, opens_at });
    await submit(reverted);
    await submit(poor);
    await blocksTo(opens_at + 1n);
    const [one, two] = [await receiptOf(reverted.hash), await receiptOf(poor.hash)];
    assert.deepEqual([one?.status.type, two?.status.type], ['reverted', 'reverted']);
    assert.ok(one?.status.type === 'reverted');
    assert.equal((one.status.value.error as { name?: string })?.name, 'InsufficientBalance');
    assert.ok((one.fee ?? 0n) > 0n);
  });
});

describe('an envelope', () => {
  test('that was modified or copied by another sender is refused or does not open', async () => {
    const good = await envelope(transfer(5n), { lane: 11 });
    const { envelope: inner } = good.signed;
    const flipped = Uint8Array.from(inner.payload, (byte, at) => (at === 3 ? byte ^ 1 : byte));
    const mutated = { ...inner, payload: flipped };
    // The envelope was changed without the sender's key, so the signature covers another hash.
    const unsigned = { ...good.signed, envelope: mutated };
    assert.deepEqual(await refusal(submit({ encoded: ledger.SignedEnvelope.encode(unsigned) })), {
      reason: 'bad_signature',
      kind: 'transaction_rejected',
    });
    assert.equal((await refusal(submit(await signedBy(inner, bob)))).reason, 'bad_signature');
    const infinity = Uint8Array.from({ length: 48 }, (_, at) => (at === 0 ? 0xc0 : 0));
    assert.equal(
      (await refusal(submit(await signedBy({ ...inner, u: infinity }, alice)))).reason,
      'bad_signature',
    );

    // A change by the sender, or the ciphertext under another sender's header, can be included but does not open.
    const before = await balanceOf(bob.address);
    const spoiled = await signedBy(mutated, alice);
    const { lanes } = await world.client.account({ address: bob.address });
    const nonce = lanes.find(({ lane }) => lane === 0)?.next_nonce ?? 0n;
    const header = { ...inner.header, sender: bob.address, lane: 0, nonce };
    const copied = await signedBy({ ...inner, header }, bob);
    await submit(spoiled);
    await submit(copied);
    await blocksTo(inner.header.opens_at + 1n);
    for (const { hash } of [spoiled, copied]) {
      const receipt = await receiptOf(hash);
      assert.deepEqual(receipt?.status, { type: 'invalid', value: 'the envelope does not open' });
      // All of its gas is burned.
      assert.ok((receipt?.gas_used ?? 0n) > 0n);
      assert.equal(
        (await world.client.chain_traceTransaction({ tx_hash: hash })).trace.call_tree?.kind,
        'sealed',
      );
    }
    assert.ok((await balanceOf(bob.address)) < before);
    const { transactions } = await world.client.list_txs({ limit: 2 });
    assert.deepEqual(
      transactions.map(({ kind, status }) => [kind.type, status.type]),
      [
        ['sealed', 'invalid'],
        ['sealed', 'invalid'],
      ],
    );
  });

  test('is refused for the reasons of any transaction, for its opening height and for its length', async () => {
    const next = (await tip()) + 1n;
    const reason = async (sending: Parameters<typeof envelope>[1], action = transfer(1n)) =>
      (await refusal(submit(await envelope(action, { lane: 12, ...sending })))).reason;
    assert.equal(await reason({ opens_at: 1n }), 'expired');
    assert.equal(await reason({ opens_at: 0n }), 'expired');
    assert.equal(await reason({ opens_at: next + 1n }), 'expired');
    assert.equal(await reason({ opens_at: next + 1_001n }), 'too_large');
    assert.equal(await reason({ chain_id: 1n }), 'wrong_chain');
    assert.equal(await reason({ nonce: 999n }), 'nonce_gap_too_large');
    assert.equal(await reason({ gas_limit: 2_000_000n }), 'gas_limit_too_low');
    assert.equal(await reason({ gas_limit: 400_000_000n }), 'gas_limit_too_high');
    assert.equal(await reason({ max_fee: 0n }), 'fee_too_low');
    assert.equal(await reason({ max_fee: 2n ** 100n }), 'insufficient_balance');
    const long = callOf(world.token, new Uint8Array(64 * 1024));
    assert.equal(await reason({ gas_limit: 5_000_000n }, long), 'too_large');
    const good = await envelope(transfer(1n), { lane: 12, opens_at: next + 2n });
    await submit(good);
    assert.equal((await refusal(submit(good))).reason, 'already_known');
    await block();
    assert.equal((await refusal(submit(good))).reason, 'already_known');
  });

  test('must be well-formed to the last byte', async () => {
    const { encoded } = await envelope(transfer(1n));
    const longer = Uint8Array.from([...encoded, 0]);
    for (const bytes of [new Uint8Array(0), encoded.subarray(1), encoded.subarray(0, -1), longer]) {
      const failure = await world.refusal('tx_submit_sealed', { envelope: text(bytes) });
      assert.deepEqual([failure.code, failure.data.kind], [-32602, 'invalid_params']);
      assert.match(failure.message, /params\.envelope/);
    }
    // An envelope is accepted neither as a transaction nor as a bundle member.
    for (const [method, params] of [
      ['tx_submit', { encoded: text(encoded) }],
      ['tx_submit_bundle', { transactions: [text(encoded)] }],
    ] as const) {
      assert.equal((await world.refusal(method, params)).data.kind, 'invalid_params');
    }
  });
});

describe('the client', () => {
  test('seals contract calls by name and returns their results', async () => {
    const bobs = BigInt(String(await world.bobs()));
    const contract = connect(world.node.url).contract(world.token, {
      sender: connect(world.node.url).sender(alice, { lane: 20 }),
    });
    const poolSize = async (): Promise<number> => (await world.client.status()).txpool_size;
    const size = await poolSize();
    const called = contract.seal('transfer', { to: BOB, amount: 4n });
    let isOpen = false;
    const ended = called.finally(() => {
      isOpen = true;
    });
    // Encryption takes a while, and the envelope must arrive before the height at which it opens.
    await eventually('the envelope is in the pool', async () => isOpen || (await poolSize()) > size);
    for (let blocks = 0; !isOpen && blocks < 100; blocks++) await block();
    const { receipt, inclusion, opensAt } = await ended;
    assert.ok(receipt.height > opensAt && (inclusion === undefined || inclusion.height < opensAt));
    assert.equal(receipt.status.type, 'success');
    assert.equal(await world.bobs(), String(bobs + 4n));
  });

  test('seals only under the given key', async () => {
    const groupPublicKey = new Uint8Array(48).fill(1);
    await assert.rejects(sealed(transfer(1n), { lane: 21, groupPublicKey }), { code: 'bad_key' });
    const { public_key } = await world.client.get_epoch_key();
    const { status } = await sealed(transfer(1n), { lane: 21, groupPublicKey: public_key });
    assert.equal(status.type, 'pending');
  });

  test('gets an error for a past height', async () => {
    await assert.rejects(sealed(transfer(1n), { lane: 22, opensAt: 1n }), { reason: 'expired' });
  });
});

test("a node without the chain's key refuses envelopes, which it could never open", async (t) => {
  const keyless = await NodeParts.for(t).node({ flags: { 'no-certificates': 'true' } });
  const client = connect(keyless.url, { retry: { retries: 0 } });
  await assert.rejects(client.seal(transfer(1n), { signer: alice, maxFee: 100n }), {
    kind: 'not_ready',
    message: /sealed transactions could not be opened/,
  });
  assert.equal((await client.status()).txpool_size, 0);
});
