// Arguments of the wrong type, which programs without type checks pass: each is refused by name, before any request.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { type Client, ClientError, connect, devAccount, signTransaction } from '../../src/client/client.js';
import { packageRoot } from '../../src/config/package-info.js';
import { FakeNode } from '../support/nodes/fake-node.js';

const [alice, bob] = [devAccount(0), devAccount(1)];
const TOKEN = new Uint8Array(20).fill(7);
const IDL = readFileSync(`${packageRoot()}/contracts/token/token.idl`, 'utf8');

/** A value whose type a checked program could not give. */
// biome-ignore lint/suspicious/noExplicitAny: the point of these tests
const wrong = (value: unknown): any => value;

describe('arguments of the wrong type', () => {
  let node: FakeNode;
  let client: Client;

  before(async () => {
    node = await FakeNode.start({});
    client = connect(node.url, { retry: { retries: 0 } });
  });
  after(async () => {
    await client.close();
    await node.stop();
  });

  const transfer = { type: 'transfer', value: { to: bob.address, amount: 5n } } as const;
  const numberTransfer = { type: 'transfer', value: { to: bob.address, amount: wrong(5) } } as const;
  const header = { chain_id: 1n, sender: alice.address, lane: 0, nonce: 0n, gas_limit: 1n, max_fee: 1n };
  const sender = () => client.sender(alice);
  const token = () => client.contract(TOKEN, { idl: IDL, sender: sender() });
  const typed = () => client.contract(TOKEN, IDL, { sender: sender() });

  const cases: readonly (readonly [what: string, run: () => unknown, message: RegExp])[] = [
    ['transfer', () => sender().transfer({ to: bob.address, amount: wrong(5) }), /^amount: .*5n, got 5$/],
    ['a negative amount', () => sender().transfer({ to: bob.address, amount: -5n }), /^amount: .*got -5$/],
    ['a text', () => sender().transfer({ to: bob.address, amount: wrong('5') }), /^amount: .*got "5"$/],
    [
      'send',
      () => sender().send(numberTransfer),
      /transfer\.amount: expected u128, a bigint such as 5n, got 5$/,
    ],
    [
      'an action in text',
      () => sender().send(wrong({ type: 'transfer', value: { to: '0x1', amount: 5n } })),
      /to: /,
    ],
    ['no action', () => sender().send(wrong(undefined)), /Action: /],
    ['simulate', () => sender().simulate(numberTransfer), /such as 5n/],
    ['seal', () => client.seal(numberTransfer, { signer: alice }), /such as 5n/],
    ['gasLimit', () => sender().send(transfer, { gasLimit: wrong(50_000) }), /^gasLimit: .*got 50000$/],
    ['maxFee', () => sender().send(transfer, { maxFee: wrong(1) }), /^maxFee: /],
    ['priorityFee', () => sender().simulate(transfer, { priorityFee: wrong(1) }), /^priorityFee: /],
    ['validUntil', () => sender().send(transfer, { validUntil: wrong(1) }), /^validUntil: /],
    ['nonce', () => sender().send(transfer, { nonce: wrong(1) }), /^nonce: /],
    ['opensAt', () => sender().seal(transfer, { opensAt: wrong(1) }), /^opensAt: /],
    ['maxSealFee', () => sender().seal(transfer, { maxSealFee: wrong(1) }), /^maxSealFee: /],
    ['deploy', () => sender().deploy({ code: wrong('code') }), /code: /],
    [
      'call',
      () => token().call('transfer', { to: bob.address, amount: wrong('x') }),
      /^Token\.transfer: .*amount/,
    ],
    [
      'value of a call',
      () => token().call('transfer', [bob.address, 1n], { value: wrong(1) }),
      /value: .*such as 1n/,
    ],
    [
      'typed call',
      () => typed().call('transfer', { to: bob.address, amount: wrong(5) }),
      /^Token\.transfer: .*5n/,
    ],
    ['typed view', () => typed().view('balance_of', wrong({ owner: 5 })), /^Token\.balance_of: .*owner/],
    [
      'a view',
      () => token().view('balance_of', [bob.address], { gasLimit: wrong(1) }),
      /gas_limit: .*such as 1n/,
    ],
    [
      'a method',
      () => client.get_blocks({ from_height: wrong(3), to_height: 3n }),
      /^get_blocks: params\.from_height: .*3n, got 3$/,
    ],
    ['a watch', () => client.watchBlocks({ fromHeight: wrong(3) }), /^fromHeight: .*got 3$/],
    [
      'a subscription',
      () => client.subscribe('new_blocks', { fromHeight: wrong(3) }, () => undefined),
      /^fromHeight: /,
    ],
    [
      'a bundle',
      () => client.bundle([{ sender: alice, to: bob.address, amount: wrong(5) }]).send(),
      /^amount: /,
    ],
    [
      'a bundle’s action',
      () => client.bundle([{ sender: alice, action: numberTransfer }]).send(),
      /such as 5n/,
    ],
    [
      'a bundle’s limit',
      () => client.bundle([{ sender: alice, action: transfer, gasLimit: wrong(5) }]).send(),
      /^gasLimit: /,
    ],
    [
      'maxHeight',
      () => client.bundle([{ sender: alice, action: transfer }]).send({ maxHeight: wrong(5) }),
      /^maxHe/,
    ],
    [
      'signTransaction',
      () => signTransaction({ ...header, priority_fee: wrong(1), action: transfer }, alice),
      /priority_fee: expected u128, a bigint such as 1n, got 1$/,
    ],
    ['dev.setBalance', () => client.dev.setBalance(bob.address, wrong(5)), /amount: .*such as 5n/],
    [
      'dev.increaseTime',
      () => client.dev.increaseTime(0.5),
      /^ms: expected a whole number of milliseconds, got 0\.5/,
    ],
    ['dev.mine', () => client.dev.mine({ intervalMs: wrong(1n) }), /^intervalMs: /],
  ];

  for (const [what, run, message] of cases) {
    test(`${what}: a ClientError bad_argument that names it`, async () => {
      await assert.rejects(
        async () => run(),
        (error) => {
          assert.ok(error instanceof ClientError, `${error}`);
          assert.equal(error.code, 'bad_argument');
          assert.match(error.message, message);
          return true;
        },
      );
      assert.equal(node.requests.length, 0);
    });
  }
});
