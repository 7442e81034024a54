import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { sha256 } from '../../src/crypto/sha256.js';
import type { Action, DevChange, LedgerReceipt } from '../../src/generated/ledger.js';
import { toHex } from '../../src/idl/hex.js';
import {
  DEV_CONTROLLER_ADDRESS,
  DEV_CONTROLS_ADDRESS,
  MAX_DEV_BALANCE,
  MAX_DEV_CHANGES,
} from '../../src/ledger/dev-controls.js';
import { accountKey, slotKey } from '../../src/ledger/state-keys.js';
import { decodeStoredReceipt } from '../../src/ledger/stored-receipt.js';
import { balanceReader, pointerChaser } from '../support/contracts/interacting-contracts.js';
import { BlockWorld, deployment, numbered, unsigned } from '../support/worlds/block-world.js';
import { controlAction } from '../support/worlds/dev-control.js';

const ALICE = numbered(1);
const BOB = numbered(2);
const CONTRACT = numbered(500);
const SLOT = Buffer.alloc(32, 3);

interface Ran {
  readonly receipt: LedgerReceipt;
  readonly message: string | undefined;
}

describe('a development control', () => {
  let world: BlockWorld;

  before(async () => {
    const opened = await BlockWorld.open();
    opened.isDevelopment = true;
    world = opened;
  });

  /** Runs an action of the controller in a separate block; the controller has no balance. */
  function run(action: Action, options: { readonly sender?: Uint8Array; readonly gas?: bigint } = {}): Ran {
    const { sender = DEV_CONTROLLER_ADDRESS, gas = 100_000_000n } = options;
    const transaction = unsigned(world.crypto, sender, world.nonce(sender), action, { gas });
    const block = world.serially({ transactions: [transaction], bundles: [] });
    const [stored] = block.storedReceipts;
    assert.ok(stored !== undefined, `excluded: ${block.excluded[0]?.problem}`);
    world.commit(block);
    const { receipt, details } = decodeStoredReceipt(stored);
    return { receipt, message: details.message };
  }

  function control(...changes: DevChange[]): Ran {
    return run(controlAction(changes));
  }

  const record = (address: Uint8Array) => world.state.account(toHex(address)).record;

  const contractChange = (code: Uint8Array): DevChange => ({
    type: 'contract',
    value: {
      address: CONTRACT,
      vm: { type: 'wasm' },
      code,
      abi_version: 3,
      upgrade_policy: { type: 'immutable' },
      deployer: ALICE,
      deployed_at: 7n,
    },
  });

  test('sets balances and pays nothing', () => {
    const { receipt } = control(
      { type: 'balance', value: { address: ALICE, amount: MAX_DEV_BALANCE } },
      { type: 'balance', value: { address: BOB, amount: 5n } },
    );
    assert.equal(receipt.outcome.type, 'success');
    assert.equal(receipt.fee, 0n);
    assert.ok(receipt.gas_used > 0n);
    assert.equal(record(ALICE).balance, MAX_DEV_BALANCE);
    assert.equal(record(BOB).balance, 5n);
    assert.equal(record(DEV_CONTROLLER_ADDRESS).balance, 0n);
  });

  test('puts, replaces and removes contracts and slots', () => {
    control(contractChange(pointerChaser()), {
      type: 'slots',
      value: { contract: CONTRACT, slots: [{ slot: SLOT, value: Buffer.from('value') }] },
    });
    const { contract } = record(CONTRACT);
    assert.ok(contract !== undefined);
    assert.equal(toHex(contract.deployer), toHex(ALICE));
    assert.equal(contract.deployed_at, 7n);
    assert.equal(contract.code_size, pointerChaser().length);
    assert.ok(world.state.code(contract.code_hash) !== undefined, 'the code is stored');
    control(contractChange(balanceReader()), {
      type: 'slots',
      value: { contract: CONTRACT, slots: [{ slot: SLOT }] },
    });
    assert.equal(record(CONTRACT).contract?.code_size, balanceReader().length);
    assert.equal(world.state.slot(CONTRACT, SLOT).raw, undefined);
    control({ type: 'no_contract', value: CONTRACT });
    assert.equal(record(CONTRACT).contract, undefined);
  });

  test('acts as another account, which pays the amount and keeps its nonces', () => {
    world.state.fund(ALICE, 1_000n);
    const lanes = record(ALICE).lanes;
    const transfer: Action = { type: 'transfer', value: { to: BOB, amount: 400n } };
    const before = record(BOB).balance;
    const { receipt } = control({ type: 'impersonate', value: { sender: ALICE, action: transfer } });
    assert.equal(receipt.outcome.type, 'success');
    assert.equal(record(ALICE).balance, 600n);
    assert.equal(record(BOB).balance, before + 400n);
    assert.deepEqual(record(ALICE).lanes, lanes);
  });

  test('deploys as another account, with the address in its receipt', () => {
    const action = deployment(pointerChaser());
    const { receipt } = control({ type: 'impersonate', value: { sender: ALICE, action } });
    assert.ok(receipt.contract !== undefined);
    const { contract } = record(receipt.contract);
    assert.ok(contract !== undefined);
    assert.equal(toHex(contract.deployer), toHex(ALICE));
    assert.equal(record(ALICE).deploy_index, 1n);
  });

  test('changes nothing if one of its changes fails', () => {
    world.state.fund(BOB, 5n);
    const { receipt } = control(
      { type: 'balance', value: { address: BOB, amount: 9n } },
      {
        type: 'impersonate',
        value: { sender: BOB, action: { type: 'transfer', value: { to: ALICE, amount: 10n } } },
      },
    );
    assert.equal(receipt.outcome.type, 'reverted');
    assert.equal(record(BOB).balance, 5n);
  });

  for (const [what, changes, expected] of [
    [
      'a balance above the limit',
      [balance(MAX_DEV_BALANCE + 1n)],
      /change 0 of 1: balance: expected at most/,
    ],
    [
      'too many changes',
      Array.from({ length: MAX_DEV_CHANGES + 1 }, () => balance(1n)),
      /changes: expected at most 4096, got 4097/,
    ],
    ['too many slots', [slots(MAX_DEV_CHANGES + 1)], /changes: expected at most 4096, got 4097/],
    [
      'too long a slot',
      [{ type: 'slots', value: { contract: BOB, slots: [{ slot: SLOT, value: Buffer.alloc(16_385) }] } }],
      /slot value: expected at most \d+ bytes, got 16385/,
    ],
    ['bad code', [code(Buffer.from('no code'))], /the module is refused/],
    ['an unknown engine', [code(Buffer.alloc(1), 'evm')], /no such engine/],
    [
      'a deployment index without room for more',
      [{ type: 'deploy_index', value: { address: BOB, deploy_index: 2n ** 64n - 1n } }],
      /deployment index: expected at most/,
    ],
    [
      'an impersonation before other changes',
      [
        {
          type: 'impersonate',
          value: { sender: BOB, action: { type: 'transfer', value: { to: BOB, amount: 0n } } },
        },
        balance(1n),
      ],
      /not the last change/,
    ],
  ] as const satisfies readonly (readonly [string, readonly DevChange[], RegExp])[]) {
    test(`with ${what} is invalid and changes nothing`, () => {
      world.state.fund(BOB, 5n);
      const { receipt, message } = control(...changes);
      assert.equal(receipt.outcome.type, 'invalid');
      assert.match(message ?? '', expected);
      assert.equal(record(BOB).balance, 5n);
    });
  }

  test('with malformed input is invalid', () => {
    for (const input of [new Uint8Array(0), Buffer.alloc(4, 0xff), Buffer.alloc(400_000, 1)]) {
      const action: Action = { type: 'call', value: { contract: DEV_CONTROLS_ADDRESS, input, value: 0n } };
      const { receipt, message } = run(action);
      assert.equal(receipt.outcome.type, 'invalid');
      assert.match(message ?? '', /not an encoding of DevChanges/);
    }
  });

  test('within an impersonation or a batch is a call to an address without a contract', () => {
    world.state.fund(BOB, 5n);
    const inner = controlAction([balance(77n)]);
    const nested = control({ type: 'impersonate', value: { sender: DEV_CONTROLLER_ADDRESS, action: inner } });
    assert.match(nested.message ?? '', /no contract at/);
    world.state.fund(DEV_CONTROLLER_ADDRESS, 10n ** 15n);
    assert.ok(inner.type === 'call');
    const batch = run({ type: 'batch', value: [inner.value] });
    assert.match(batch.message ?? '', /no contract at/);
    assert.ok(batch.receipt.fee > 0n, 'a batch pays its fee');
    assert.equal(record(BOB).balance, 5n);
  });

  test('of anybody else, or on another chain, pays its fee as a call to an address without a contract', () => {
    world.state.fund(BOB, 5n);
    world.state.fund(ALICE, 10n ** 15n);
    world.state.fund(DEV_CONTROLLER_ADDRESS, 10n ** 15n);
    const action = controlAction([balance(77n)]);
    const stranger = run(action, { sender: ALICE });
    world.isDevelopment = false;
    const elsewhere = run(action);
    world.isDevelopment = true;
    for (const { receipt, message } of [stranger, elsewhere]) {
      assert.equal(receipt.outcome.type, 'invalid');
      assert.match(message ?? '', /no contract at 0xe90adfa7/);
      assert.ok(receipt.fee > 0n);
    }
    assert.equal(record(BOB).balance, 5n);
  });

  describe('that copies a forked chain', () => {
    const code = Uint8Array.from(pointerChaser());
    const copied = numbered(600);
    const contract = {
      vm: { type: 'wasm' },
      code_hash: sha256(code),
      code_size: code.length,
      abi_version: 2,
      upgrade_policy: { type: 'admin', value: Uint8Array.from(BOB) },
      deployer: Uint8Array.from(BOB),
      deployed_at: 1_000n,
    } as const;
    const account = {
      balance: 2n ** 100n,
      lanes: [
        { lane: 0, next_nonce: 7n },
        { lane: 4, next_nonce: 1n },
      ],
      deploy_index: 3n,
      contract,
    };
    const markOf = (key: Uint8Array) => world.state.slot(DEV_CONTROLS_ADDRESS, key).raw;

    test('replaces an account, nonces included, and marks it', () => {
      const { receipt } = control({ type: 'forked_account', value: { address: copied, account, code } });
      assert.equal(receipt.outcome.type, 'success');
      assert.ok(receipt.gas_used > BigInt(code.length), 'the code costs gas');
      assert.deepEqual(record(copied), account);
      assert.ok(markOf(accountKey(world.crypto, copied)) !== undefined);
      const { contract: _, ...plain } = account;
      control({ type: 'forked_account', value: { address: copied, account: { ...plain, lanes: [] } } });
      assert.deepEqual(record(copied), { ...plain, lanes: [] });
    });

    test('sets slots and marks them', () => {
      const { receipt } = control({
        type: 'forked_slots',
        value: { contract: copied, slots: [{ slot: SLOT, value: Uint8Array.of(5) }] },
      });
      assert.equal(receipt.outcome.type, 'success');
      assert.ok(world.state.slot(copied, SLOT).raw !== undefined);
      assert.ok(markOf(slotKey(world.crypto, copied, SLOT)) !== undefined);
    });

    test('accepts a contract only with code that matches its hash', () => {
      const other = Uint8Array.from(balanceReader());
      for (const [given, message] of [
        [{}, /has no code/],
        [{ code: other }, /does not have its hash/],
      ] as const) {
        const address = numbered(601);
        const ran = control({ type: 'forked_account', value: { address, account, ...given } });
        assert.equal(ran.receipt.outcome.type, 'invalid');
        assert.match(ran.message ?? '', message);
        assert.equal(record(address).balance, 0n);
        assert.equal(markOf(accountKey(world.crypto, address)), undefined);
      }
    });
  });
});

function balance(amount: bigint): DevChange {
  return { type: 'balance', value: { address: BOB, amount } };
}

function slots(count: number): DevChange {
  const list = Array.from({ length: count }, (_, index) => ({
    slot: Buffer.from(toHex(numbered(index)).padStart(64, '0'), 'hex'),
  }));
  return { type: 'slots', value: { contract: BOB, slots: list } };
}

function code(bytes: Uint8Array, vm: 'wasm' | 'evm' = 'wasm'): DevChange {
  return {
    type: 'contract',
    value: {
      address: CONTRACT,
      vm: { type: vm },
      code: bytes,
      abi_version: 1,
      upgrade_policy: { type: 'immutable' },
      deployer: BOB,
      deployed_at: 1n,
    },
  };
}
