import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { CallFailedError, type Client, type Contract, connect, devAccount } from '../../src/client/client.js';
import { NodeParts } from '../support/nodes/node-parts.js';
import { CONTRACTS, contractCode } from '../support/worlds/contract-world.js';

const IDL = readFileSync(join(CONTRACTS, 'token', 'token.idl'), 'utf8');
const [alice, bob, carol] = [devAccount(0), devAccount(1), devAccount(2)] as const;

describe('client.bundle', () => {
  const parts = new NodeParts();
  let url: string;
  let client: Client;
  let token: Contract;
  before(async () => {
    ({ url } = await parts.node({ flags: { 'block-time': '30', 'idle-block-time': '30' } }));
    client = connect(url);
    const owner = alice.address;
    const init = { name: 'Thread', symbol: 'THR', decimals: 0, supply: 1_000n, owner, minter: owner };
    const code = Uint8Array.from(contractCode('token'));
    ({ contract: token } = await client.sender(alice).deploy({ code, idl: IDL, init }));
  });
  after(async () => {
    await client?.close();
    await parts.close();
  });

  const balance = (owner: Uint8Array) => token.view('balance_of', { owner });

  test('sends actions of several accounts, with gas limits from the estimates', async () => {
    const lane1 = client.sender(bob, { lane: 1 });
    const { hash, hashHex, transactions } = await client
      .bundle([
        { sender: alice, contract: token, method: 'transfer', args: { to: bob.address, amount: 10n } },
        { sender: bob, contract: token.address, method: 'transfer', args: [carol.address, 4n] },
        { sender: lane1, to: carol.address, amount: 7n, priorityFee: 1n },
        { sender: alice, action: { type: 'transfer', value: { to: carol.address, amount: 1n } } },
      ])
      .send();
    assert.equal(hashHex, Buffer.from(hash).toString('hex'));
    const [first, ...others] = transactions.map(({ receipt }) => receipt);
    assert.ok(first !== undefined);
    assert.equal(first.status.type, 'success');
    for (const [i, receipt] of others.entries()) {
      assert.equal(receipt.status.type, 'success');
      assert.equal(receipt.height, first.height);
      assert.equal(receipt.index, first.index + i + 1);
    }
    for (const { gasLimit, receipt } of transactions) {
      assert.ok(gasLimit >= receipt.gas_used && gasLimit < receipt.gas_used * 2n, `${gasLimit}`);
    }
    assert.deepEqual(
      transactions.map(({ lane }) => lane),
      [0, 0, 1, 0],
    );
    assert.equal(await balance(bob.address), '6');
    assert.equal(await balance(carol.address), '4');
  });

  test('shares the nonces of single transactions of the same senders, also at once', async () => {
    const sender = client.sender(alice);
    const pay = { to: bob.address, amount: 1n } as const;
    const sent = await Promise.all([
      sender.transfer({ ...pay, wait: 'included' }),
      client
        .bundle([
          { sender, ...pay },
          { sender: alice, ...pay },
          { sender, ...pay },
        ])
        .send(),
      sender.transfer({ ...pay, wait: 'included' }),
      client.bundle([{ sender, ...pay }]).send({ wait: 'finalized' }),
      sender.transfer({ ...pay, wait: 'included' }),
    ]);
    const nonces = sent.flatMap((one) =>
      'transactions' in one ? one.transactions.map(({ nonce }) => nonce) : [one.nonce],
    );
    const sorted = nonces.toSorted((a, b) => Number(a - b));
    assert.deepEqual(
      sorted,
      sorted.map((_, i) => (sorted[0] ?? 0n) + BigInt(i)),
    );
    const { lanes } = await client.account({ address: alice.address });
    assert.equal(lanes[0]?.next_nonce, (sorted.at(-1) ?? 0n) + 1n);
  });

  test('signs again if another program has used the nonces, and takes typed contracts', async () => {
    const pay = { to: carol.address, amount: 1n } as const;
    await client.sender(bob).transfer({ ...pay, wait: 'included' });
    const other = connect(url);
    await other.sender(bob).transfer({ ...pay, wait: 'included' });
    await other.close();
    const typed = client.contract(token.address, IDL);
    const args = { to: alice.address, amount: 0n };
    const { transactions } = await client
      .bundle([
        { sender: bob, ...pay },
        { sender: bob, contract: typed, method: 'transfer', args },
      ])
      .send();
    assert.deepEqual(
      transactions.map(({ receipt }) => receipt.status.type),
      ['success', 'success'],
    );
  });

  test('refuses a bundle that would fail, with the decoded reason, and leaves no gap in the nonces', async () => {
    const failing = [
      { sender: alice, to: bob.address, amount: 1n },
      { sender: carol, contract: token, method: 'transfer', args: { to: bob.address, amount: 5_000n } },
    ];
    await assert.rejects(client.bundle(failing).send(), (error) => {
      assert.ok(error instanceof CallFailedError);
      assert.match(error.message, /^transaction 2 of 2 \(Token\.transfer\): reverted: .*nothing was sent/);
      assert.match(error.message, /InsufficientBalance\(.*5000\)/);
      return true;
    });
    const { atomic_success: succeeds, results } = await client.bundle(failing).simulate();
    assert.equal(succeeds, false);
    assert.deepEqual(
      results.map(({ status }) => status.type),
      ['success', 'reverted'],
    );
    await assert.rejects(client.bundle(failing).send({ preflight: false }), {
      name: 'ClientError',
      code: 'dropped',
    });
    const { receipt } = await client
      .sender(alice)
      .transfer({ to: bob.address, amount: 1n, wait: 'included' });
    assert.equal(receipt.status.type, 'success');
    const again = await client.bundle([{ sender: carol, to: bob.address, amount: 1n }]).send();
    assert.equal(again.transactions[0]?.receipt.status.type, 'success');
  });

  test('is sent with default gas limits where the node does not simulate for the caller', async () => {
    let refusals = 0;
    const refusing: typeof fetch = async (input, init) => {
      const call = JSON.parse(String(init?.body)) as { id: number; method: string };
      if (call.method !== 'chain_simulateBundle') return fetch(input, init);
      refusals++;
      const error = {
        code: -32_003,
        message: 'no units',
        data: { kind: 'payment_required', retryable: false },
      };
      return Response.json({ jsonrpc: '2.0', id: call.id, error });
    };
    const poor = connect(url, { fetch: refusing });
    const args = { to: bob.address, amount: 1n };
    const { transactions } = await poor
      .bundle([{ sender: alice, contract: token, method: 'transfer', args }])
      .send();
    assert.equal(refusals, 1);
    assert.equal(transactions[0]?.receipt.status.type, 'success');
    assert.ok((transactions[0]?.gasLimit ?? 0n) > 10_000_000n);
  });

  test('does not wait if told not to, and refuses wrong items', async () => {
    const { transactions } = await client
      .bundle([{ sender: bob, to: carol.address, amount: 1n }])
      .send({ wait: 'none' });
    assert.equal(transactions[0]?.receipt, undefined);
    await client.waitForReceipt(transactions[0]?.hash ?? assert.fail());
    await assert.rejects(client.bundle([]).send(), { code: 'bad_argument' });
    await assert.rejects(client.bundle([{ sender: bob, to: '0x1', amount: 1n }]).send(), {
      code: 'bad_address',
    });
    await assert.rejects(client.bundle([{ sender: bob, contract: token, method: 'transfr' }]).send(), {
      code: 'bad_argument',
      message: /no function "transfr"/,
    });
    await assert.rejects(client.bundle([{ sender: bob } as never]).send(), { code: 'bad_argument' });
  });
});
