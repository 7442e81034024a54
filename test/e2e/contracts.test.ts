// Contracts on a real node: deployment, calls by name, failures, upgrades, and queries about them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { sha256 } from '@noble/hashes/sha2.js';
import {
  CallFailedError,
  type Client,
  type Contract,
  connect,
  devAccount,
  ed25519Signer,
  formatAddress,
  type IncludedTransaction,
  newPrivateKey,
  RpcCallError,
  signTransaction,
} from '../../src/client/client.js';
import { parseInterface } from '../../src/client/contract-interface.js';
import { contractAddress } from '../../src/crypto/address.js';
import type { UpgradePolicy } from '../../src/generated/ledger.js';
import type { ActionArgs, CallArgs, GetLogsArgs, Log } from '../../src/generated/node-rpc-v1.js';
import { COUNTER_IDL, counterCode } from '../support/contracts/small-contracts.js';
import { hex } from '../support/hex.js';
import { NodeProcess } from '../support/nodes/node-process.js';

const abi = parseInterface(COUNTER_IDL);
const ADDED = abi.events.get('Added')?.topic ?? new Uint8Array(32);
const TOO_MUCH = abi.errors.get('TooMuch')?.encode({ step: 7, most: 6 }) ?? new Uint8Array(0);
/** Sends calls that fail too. */
const SENT = { preflight: false };
/** The topic of an indexed u64. */
const topicOf = (step: number) => abi.events.get('Added')?.encodeTopic('step', step) ?? new Uint8Array(32);

describe('contracts on a node', () => {
  let node: NodeProcess;
  let client: Client;
  const alice = devAccount(0);
  const bob = devAccount(1);

  before(async () => {
    node = await NodeProcess.start({ flags: ['--seal', 'instant'] });
    client = connect(node.url);
  });
  after(async () => {
    await node?.dispose();
  });

  async function deployCounter(
    options: { policy?: UpgradePolicy; idl?: string; revertData?: Uint8Array } = {},
  ): Promise<Contract> {
    const { policy, idl = COUNTER_IDL, revertData = TOO_MUCH } = options;
    const { contract } = await client.sender(alice).deploy({
      code: counterCode(ADDED, revertData),
      idl,
      ...(policy !== undefined && { policy }),
    });
    return contract;
  }

  async function add(contract: Contract, step: number): Promise<IncludedTransaction> {
    const sent = await contract.call('add', { step });
    assert.equal(sent.receipt.status.type, 'success', JSON.stringify(sent.receipt.status));
    return sent;
  }

  async function allLogs(filter: GetLogsArgs): Promise<{ logs: Log[]; pages: number }> {
    const logs: Log[] = [];
    let pages = 0;
    let cursor: string | undefined;
    do {
      const page = await client.get_logs({ ...filter, ...(cursor !== undefined && { cursor }) });
      logs.push(...page.logs);
      cursor = page.next_cursor;
      pages++;
      assert.ok(pages < 200, 'pages without end');
    } while (cursor !== undefined);
    return { logs, pages };
  }

  const steps = (logs: readonly Log[]) =>
    logs.map(({ event }) => (event?.args as { step?: number } | undefined)?.step);

  test('a deployment has the predicted address and its interface is available', async () => {
    const { address, deploy_index } = await client.predict_address({ deployer: alice.address });
    assert.deepEqual(address, contractAddress({ sha256 }, alice.address, deploy_index));
    const contract = await deployCounter();
    assert.deepEqual(contract.address, address);
    const metadata = await client.contract_metadata({ address });
    assert.deepEqual(metadata.deployer, alice.address);
    assert.equal(metadata.upgrade_policy.type, 'immutable');
    assert.equal((await client.contract_idl({ address })).idl, COUNTER_IDL);
    assert.equal((await client.account({ address })).is_contract, true);
    const next = await client.predict_address({ deployer: alice.address });
    assert.equal(next.deploy_index, deploy_index + 1n);
    const later = await client.predict_address({ deployer: alice.address, offset: 3n });
    assert.deepEqual(later.address, contractAddress({ sha256 }, alice.address, next.deploy_index + 3n));
  });

  test('a call by name returns a decoded result and decoded events', async () => {
    const contract = await deployCounter();
    await add(contract, 2);
    const { receipt, hash } = await add(contract, 3);
    assert.equal(receipt.decoded, 5);
    assert.deepEqual(receipt.logs[0]?.event, { name: 'Added', args: { step: 3, count: 5 } });
    assert.deepEqual(await contract.events(receipt), [{ name: 'Added', args: { step: 3, count: 5 } }]);
    const { receipt: again, proof } = await client.tx_receipt({ tx_hash: hash, with_proof: true });
    assert.deepEqual(again, receipt);
    assert.ok(proof !== undefined);
    assert.deepEqual((await client.tx_receipt({ tx_hash: hash })).receipt, receipt);
  });

  test('a revert with an error of the contract is decoded, and changes nothing but nonce and fee', async () => {
    const contract = await deployCounter();
    await add(contract, 1);
    const beforeIt = await client.account({ address: alice.address });
    const { receipt } = await contract.call('add', { step: 7 }, { ...SENT, value: 1_000n });
    assert.deepEqual(receipt.status, {
      type: 'reverted',
      value: { data: TOO_MUCH, error: { name: 'TooMuch', args: { step: 7, most: 6 } } },
    });
    assert.equal(receipt.logs.length, 0);
    assert.equal(receipt.decoded, undefined);
    const afterIt = await client.account({ address: alice.address });
    assert.equal(beforeIt.balance - afterIt.balance, receipt.fee);
    assert.equal((afterIt.lanes[0]?.next_nonce ?? 0n) - (beforeIt.lanes[0]?.next_nonce ?? 0n), 1n);
    assert.equal((await client.account({ address: contract.address })).balance, 0n);
    assert.equal((await add(contract, 1)).receipt.decoded, 2);
  });

  test('a revert with text is decoded; other revert data stays raw', async () => {
    const text = await deployCounter({ revertData: new TextEncoder().encode('no, не сегодня') });
    assert.deepEqual((await text.call('add', [7], SENT)).receipt.status, {
      type: 'reverted',
      value: { message: 'no, не сегодня', data: new TextEncoder().encode('no, не сегодня') },
    });
    const data = Uint8Array.of(0xff, 0xfe, 0);
    const bytes = await deployCounter({ revertData: data });
    assert.deepEqual((await bytes.call('add', [7], SENT)).receipt.status, {
      type: 'reverted',
      value: { data },
    });
  });

  test('a batch takes effect whole or not at all, and its failure names the call', async () => {
    const contract = await deployCounter();
    const call = (step: number) => ({
      contract: contract.address,
      input: abi.function('add').encodeCall([step]),
      value: 0n,
    });
    const sender = client.sender(alice);
    const good = await sender.send(
      { type: 'batch', value: [call(1), call(2), call(3)] },
      { wait: 'included' },
    );
    assert.equal(good.receipt.decoded, 6, 'the result is the last call’s');
    assert.deepEqual(steps(good.receipt.logs), [1, 2, 3]);
    const bad = await sender.send({ type: 'batch', value: [call(5), call(7)] }, { wait: 'included' });
    const { status } = bad.receipt;
    assert.ok(status.type === 'reverted');
    assert.match(status.value.message ?? '', /call 1 of 2/);
    assert.deepEqual(status.value.error, { name: 'TooMuch', args: { step: 7, most: 6 } });
    assert.equal((await add(contract, 1)).receipt.decoded, 7);
  });

  test('calls that fail give receipts, not errors', async () => {
    const nobody = client.contract(`0x${'11'.repeat(20)}`, {
      idl: COUNTER_IDL,
      sender: client.sender(alice),
    });
    const { receipt } = await nobody.call('add', [1], SENT);
    assert.deepEqual(receipt.status, { type: 'invalid', value: `no contract at 0x${'11'.repeat(20)}` });
    const contract = await deployCounter();
    const starved = await contract.call('add', [1], { ...SENT, gasLimit: 30_500n });
    assert.equal(starved.receipt.status.type, 'out_of_gas');
    assert.equal(starved.receipt.gas_used, 30_500n);
    for (const preflight of [true, false]) {
      await assert.rejects(
        client.sender(alice).deploy({ code: Uint8Array.of(1, 2, 3), preflight }),
        (error) =>
          error instanceof CallFailedError &&
          error.status.type === 'invalid' &&
          (error.sent === undefined) === preflight,
      );
    }
  });

  test('calls that would fail throw the decoded reason, and send nothing', async () => {
    const contract = await deployCounter();
    const { lanes } = await client.account({ address: alice.address });
    await assert.rejects(contract.call('add', [7]), (error) => {
      assert.ok(error instanceof CallFailedError);
      assert.match(
        error.message,
        /^Counter\.add: reverted: TooMuch\(step: 7, most: 6\) \(in a simulation; nothing/,
      );
      assert.deepEqual(error.simulation?.status, error.status);
      return true;
    });
    assert.deepEqual((await client.account({ address: alice.address })).lanes, lanes);
    const action = await contract.action('add', [2]);
    const { status, gas_estimate } = await client.sender(alice).simulate(action);
    assert.equal(status.type, 'success');
    const limits: bigint[] = [];
    await contract.call('add', [2], { onSigned: ({ gasLimit }) => limits.push(gasLimit) });
    assert.deepEqual(limits, [gas_estimate + gas_estimate / 4n]);
  });

  describe('upgrades', () => {
    const NEXT_IDL = COUNTER_IDL.replace('method add', 'method increase');
    const next = { code: counterCode(ADDED, TOO_MUCH, 10), idl: NEXT_IDL };

    test('an immutable contract cannot be upgraded', async () => {
      const contract = await deployCounter();
      const { receipt } = await contract.upgrade({ ...next, ...SENT });
      assert.deepEqual(receipt.status, { type: 'invalid', value: 'the contract is immutable' });
      assert.equal((await add(contract, 2)).receipt.decoded, 2);
    });

    test("an admin's upgrade takes effect at once, and earlier data is still decoded by the old interface", async () => {
      const contract = await deployCounter({ policy: { type: 'admin', value: bob.address } });
      const { hash: oldCall } = await add(contract, 2);
      const stranger = await contract.upgrade({ ...next, ...SENT });
      assert.equal(stranger.receipt.status.type, 'invalid');
      const done = await contract.upgrade({ ...next, abiVersion: 2, sender: client.sender(bob) });
      assert.equal(done.receipt.status.type, 'success');
      const upgraded = client.contract(contract.address, { sender: client.sender(alice) });
      assert.equal((await upgraded.call('increase', [3])).receipt.decoded, 32);
      await assert.rejects(upgraded.call('add', [3]), /Counter has no function "add"/);
      assert.equal((await client.contract_metadata({ address: contract.address })).abi_version, 2);
      assert.equal((await client.tx_receipt({ tx_hash: oldCall })).receipt?.decoded, 2);
      const { transactions } = await client.list_txs_by_contract({ contract: contract.address });
      assert.deepEqual(
        transactions.map(({ kind, method }) => [kind.type, method]),
        [
          ['call', 'increase'],
          ['upgrade', undefined],
          ['call', 'add'],
          ['deploy', undefined],
        ],
        'a refused upgrade involves the contract too little to be listed',
      );
    });

    test('with a timelock an upgrade is announced, waits, and then takes effect', async () => {
      const delay = 3n;
      const contract = await deployCounter({
        policy: { type: 'timelock', value: { admin: alice.address, delay } },
      });
      const announced = await contract.upgrade(next);
      assert.equal(announced.receipt.status.type, 'success');
      const { pending_upgrade: pending } = await client.contract_metadata({ address: contract.address });
      assert.equal(pending?.ready_at, announced.receipt.height + delay);
      assert.equal((await add(contract, 1)).receipt.decoded, 1, 'the old code still runs');
      const early = await contract.upgrade({ ...next, ...SENT });
      assert.equal(early.receipt.status.type, 'invalid');
      while ((await client.status()).tip.height + 1n < pending.ready_at) {
        await client.sender(bob).transfer({ to: alice.address, amount: 1n, wait: 'included' });
      }
      const applied = await contract.upgrade(next);
      assert.equal(applied.receipt.status.type, 'success', JSON.stringify(applied.receipt.status));
      const metadata = await client.contract_metadata({ address: contract.address });
      assert.equal(metadata.pending_upgrade, undefined);
      const upgraded = client.contract(contract.address, { sender: client.sender(alice) });
      assert.equal((await upgraded.call('increase', [1])).receipt.decoded, 11);
    });
  });

  describe('get_logs', () => {
    let one: Contract;
    let other: Contract;
    let first: bigint;
    let last: bigint;

    before(async () => {
      one = await deployCounter();
      other = await deployCounter();
      first = (await add(one, 1)).receipt.height;
      await add(other, 2);
      const batch = [3, 4, 5].map((step, i) => ({
        contract: (i === 1 ? other : one).address,
        input: abi.function('add').encodeCall([step]),
        value: 0n,
      }));
      await client.sender(alice).send({ type: 'batch', value: batch }, { wait: 'included' });
      await client.sender(bob).transfer({ to: alice.address, amount: 1n, wait: 'included' });
      last = (await add(one, 6)).receipt.height;
    });

    test('finds events by contract in execution order, with their positions', async () => {
      const { logs } = await client.get_logs({ contract: one.address });
      assert.deepEqual(steps(logs), [1, 3, 5, 6]);
      assert.deepEqual(
        logs.map(({ log_index }) => log_index),
        [0, 0, 2, 0],
      );
      for (const log of logs) {
        const { receipt } = await client.tx_receipt({ tx_hash: log.tx_hash });
        assert.deepEqual(receipt?.logs[log.log_index], log);
      }
    });

    for (const [name, filter, expected] of [
      ['by first topic', () => ({ topics: [[ADDED]] }), [1, 2, 3, 4, 5, 6]],
      ['by first topic and contract', () => ({ contract: other.address, topics: [[ADDED]] }), [2, 4]],
      ['by a later topic alone', () => ({ topics: [[], [topicOf(4)]] }), [4]],
      ['by alternatives', () => ({ topics: [[ADDED], [topicOf(6), topicOf(2)]] }), [2, 6]],
      [
        'by alternatives of the first topic',
        () => ({ topics: [[new Uint8Array(32).fill(9), ADDED, ADDED], []] }),
        [1, 2, 3, 4, 5, 6],
      ],
      ['with positions that no event has', () => ({ topics: [[ADDED], [], [ADDED]] }), []],
      ['by range alone', () => ({ to_height: last }), [1, 2, 3, 4, 5, 6]],
      ['up to a height', () => ({ topics: [[ADDED]], to_height: first }), [1]],
    ] as const) {
      for (const limit of [1, 2, 200]) {
        test(`${name}, in pages of ${limit}`, async () => {
          const { logs } = await allLogs({ from_height: first, ...filter(), limit });
          assert.deepEqual(steps(logs), expected);
        });
      }
    }

    test('a cursor works only with its filter', async () => {
      const filter = { contract: one.address, limit: 1 };
      const { next_cursor: cursor } = await client.get_logs(filter);
      assert.ok(cursor !== undefined);
      const rest = await client.get_logs({ contract: one.address, limit: 200, cursor });
      assert.deepEqual(steps(rest.logs), [3, 5, 6], 'the size of the page is not part of the filter');
      for (const changed of [
        { ...filter, contract: other.address },
        { ...filter, topics: [[ADDED]] },
        { ...filter, from_height: 0n },
        { ...filter, to_height: last },
      ]) {
        await assert.rejects(client.get_logs({ ...changed, cursor }), hasKind('invalid_params'));
      }
      await assert.rejects(client.get_logs({ ...filter, cursor: 'AAAA' }), hasKind('invalid_params'));
    });

    test('invalid filters are refused, and missing events give an empty page', async () => {
      await assert.rejects(client.get_logs({ limit: 10_001 }), hasKind('limit_exceeded'));
      await assert.rejects(client.get_logs({ limit: 0 }), hasKind('invalid_params'));
      await assert.rejects(client.get_logs({ topics: [[], [], [], [], []] }), hasKind('invalid_params'));
      const many = Array.from({ length: 101 }, () => ADDED);
      await assert.rejects(client.get_logs({ topics: [many] }), hasKind('limit_exceeded'));
      await assert.rejects(client.get_logs({ from_height: 2n, to_height: 1n }), hasKind('invalid_params'));
      await assert.rejects(client.get_logs({ from_height: 10n ** 15n }), hasKind('not_found'));
      const { tip } = await client.status();
      assert.deepEqual(await client.get_logs({ contract: new Uint8Array(20) }), {
        logs: [],
        searched_to: tip.height,
      });
    });
  });

  test('listings by contract and by sender name methods and decode reverts', async () => {
    const contract = await deployCounter();
    await add(contract, 1);
    await contract.call('add', [7], SENT);
    const { transactions } = await client.list_txs_by_sender({ sender: alice.address, limit: 2 });
    assert.deepEqual(
      transactions.map(({ method, to }) => [method, to && formatAddress(to)]),
      [
        ['add', formatAddress(contract.address)],
        ['add', formatAddress(contract.address)],
      ],
    );
    const [newest] = transactions;
    assert.ok(newest?.status.type === 'reverted');
    assert.deepEqual(newest.status.value.error, { name: 'TooMuch', args: { step: 7, most: 6 } });
    const page = await client.list_txs_by_contract({ contract: contract.address, limit: 1 });
    assert.equal(hex(page.transactions[0]?.tx_hash ?? new Uint8Array(0)), hex(newest.tx_hash));
    const { transactions: rest } = await client.list_txs_by_contract({
      contract: contract.address,
      ...(page.next_cursor !== undefined && { cursor: page.next_cursor }),
    });
    assert.deepEqual(
      rest.map(({ kind }) => kind.type),
      ['call', 'deploy'],
    );
  });

  describe('tx_build', () => {
    let admin: Client;
    let contract: Contract;

    before(async () => {
      const token = readFileSync(join(node.dataDir, 'admin.token'), 'utf8').trim();
      admin = connect(node.url, { token });
      contract = await deployCounter();
    });

    const build = (action: ActionArgs, sender = alice.address) => admin.tx_build({ sender, action });

    test('encodes calls by method name, with arguments by name or by position, and by another interface', async () => {
      const { address } = contract;
      const idl = COUNTER_IDL.replace('method add', 'method increase');
      for (const [call, input] of [
        [{ method: 'add', args: { step: 3 } }, abi.function('add').encodeCall([3])],
        [{ method: 'add', args: [3] }, abi.function('add').encodeCall([3])],
        [{ method: 'increase', args: [3], idl }, parseInterface(idl).function('increase').encodeCall([3])],
        [{ input: Uint8Array.of(1, 2) }, Uint8Array.of(1, 2)],
      ] as const) {
        const built = await build({ type: 'call', value: { contract: address, ...call } });
        assert.deepEqual(built.transaction.action, {
          type: 'call',
          value: { contract: address, input, value: 0n },
        });
      }
    });

    test('builds transactions that work once signed', async () => {
      const calls = [1, 2].map((step) => ({ contract: contract.address, method: 'add', args: { step } }));
      const { transaction, tx_hash: hash } = await build({ type: 'batch', value: calls });
      const { encoded } = await signTransaction(transaction, alice);
      const { receipt, tx_hash } = await client.tx_submit({ encoded, wait: { type: 'included' } });
      assert.deepEqual(tx_hash, hash);
      assert.equal(receipt?.status.type, 'success');
      assert.equal(receipt.decoded, 3);
    });

    test('arguments of the wrong type are refused with their path', async () => {
      const { address } = contract;
      const call = (value: Partial<CallArgs>): ActionArgs => ({
        type: 'call',
        value: { contract: address, ...value },
      });
      for (const [action, path] of [
        [call({ method: 'add', args: { step: 'x' } }), 'params.action.call.args.step'],
        [call({ method: 'add', args: {} }), 'params.action.call.args.step'],
        [call({ method: 'add', args: { step: 1, stop: 2 } }), 'params.action.call.args.stop'],
        [call({ method: 'add', args: [1, 2] }), 'params.action.call.args'],
        [call({ method: 'sub' }), 'params.action.call.method'],
        [call({}), 'params.action.call'],
        [call({ method: 'add', args: [1], input: Uint8Array.of(1) }), 'params.action.call'],
        [call({ method: 'add', args: [1], idl: 'nonsense' }), 'params.action.call.idl'],
        [
          {
            type: 'batch',
            value: [
              { contract: address, method: 'add', args: [1] },
              { contract: address, method: 'add', args: [-1] },
            ],
          },
          'params.action.batch[1].args.step',
        ],
      ] satisfies readonly (readonly [ActionArgs, string])[]) {
        await assert.rejects(
          build(action),
          (error) =>
            error instanceof RpcCallError &&
            error.kind === 'invalid_params' &&
            error.data['path'] === path &&
            error.message.includes(path),
          path,
        );
      }
      const nobody = new Uint8Array(20).fill(1);
      await assert.rejects(
        build({ type: 'call', value: { contract: nobody, method: 'add', args: [1] } }),
        hasKind('not_found'),
      );
    });

    test('the default gas limit is one that the sender can pay', async () => {
      const action = {
        type: 'call',
        value: { contract: contract.address, method: 'add', args: [1] },
      } as const;
      assert.ok((await build(action)).transaction.gas_limit > 10_000_000n);
      const poor = newAccount();
      await client.sender(alice).transfer({ to: poor.address, amount: 1_000_000n, wait: 'included' });
      const { transaction } = await build(action, poor.address);
      assert.equal(transaction.gas_limit, 1_000_000n / transaction.max_fee);
      const { encoded } = await signTransaction(transaction, poor);
      const { receipt } = await client.tx_submit({ encoded, wait: { type: 'included' } });
      assert.equal(receipt?.status.type, 'success');
    });
  });

  test('invalid interface texts on the chain leave all values raw', async () => {
    for (const idl of ['this is no interface', `${COUNTER_IDL}\ncontract Another {}`, '']) {
      const { receipt } = await client.sender(alice).send(
        {
          type: 'deploy',
          value: {
            vm: { type: 'wasm' },
            code: counterCode(ADDED, TOO_MUCH),
            idl,
            abi_version: 1,
            upgrade_policy: { type: 'immutable' },
            input: new Uint8Array(0),
            value: 0n,
          },
        },
        { wait: 'included' },
      );
      assert.ok(receipt.contract !== undefined);
      const contract = client.contract(receipt.contract, { idl: COUNTER_IDL, sender: client.sender(alice) });
      const called = await add(contract, 1);
      assert.equal(called.receipt.decoded, undefined);
      assert.equal(called.receipt.logs[0]?.event, undefined);
      assert.deepEqual(steps((await client.get_logs({ contract: receipt.contract })).logs), [undefined]);
      assert.deepEqual(await contract.events(called.receipt), [
        { name: 'Added', args: { step: 1, count: 1 } },
      ]);
    }
  });
});

const newAccount = () => ed25519Signer(newPrivateKey('ed25519'));

function hasKind(kind: string): (error: unknown) => boolean {
  return (error) => error instanceof RpcCallError && error.kind === kind;
}
