import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { beforeEach, describe, test } from 'node:test';
import fc from 'fast-check';
import { ContractSandbox, type SandboxContract } from '../../src/contract-sdk/sandbox.js';
import { hex } from '../support/hex.js';
import {
  addressText,
  bytesOfHex,
  deployExample,
  sha256,
  slotText,
} from '../support/worlds/contract-world.js';
import { address } from '../support/worlds/vm-world.js';

describe('the example token', () => {
  const TOKEN = address(0x70);
  const [ann, bob, cas, minter] = [address(1), address(2), address(3), address(4)] as const;
  const [ANN, BOB, CAS, MINTER] = [ann, bob, cas, minter].map(addressText) as [
    string,
    string,
    string,
    string,
  ];
  const NOBODY = addressText(address(0));
  const MAX = (2n ** 128n - 1n).toString();

  let world: ContractSandbox;
  let token: SandboxContract;

  beforeEach(async () => {
    world = await ContractSandbox.create();
    token = deployExample(world, 'token', TOKEN);
    token.init({
      name: 'Warp ünd 😀',
      symbol: 'WRP',
      decimals: 6,
      supply: '1000',
      owner: ANN,
      minter: MINTER,
    });
  });

  const balanceOf = (owner: string): unknown => token.call('balance_of', { owner });

  test('a new token reports its name, symbol, decimals and supply, all held by its owner', () => {
    assert.equal(token.call('name'), 'Warp ünd 😀');
    assert.equal(token.call('symbol'), 'WRP');
    assert.equal(token.call('decimals'), 6);
    assert.equal(token.call('total_supply'), '1000');
    assert.equal(token.call('minter'), MINTER);
    assert.equal(balanceOf(ANN), '1000');
    assert.equal(balanceOf(BOB), '0');
    assert.deepEqual(token.events(), [
      { name: 'MinterChanged', args: { previous: NOBODY, minter: MINTER } },
      { name: 'Transfer', args: { from: NOBODY, to: ANN, amount: '1000' } },
    ]);
  });

  test('a transfer moves tokens and emits an event', () => {
    assert.equal(token.call('transfer', { to: BOB, amount: '300' }, { from: ann }), null);
    assert.equal(balanceOf(ANN), '700');
    assert.equal(balanceOf(BOB), '300');
    assert.deepEqual(token.events(2), [{ name: 'Transfer', args: { from: ANN, to: BOB, amount: '300' } }]);
  });

  test('a transfer beyond the balance reverts with both amounts', () => {
    assert.deepEqual(token.failure('transfer', { to: BOB, amount: '1001' }, { from: ann }), {
      name: 'InsufficientBalance',
      args: { available: '1000', required: '1001' },
    });
    assert.equal(balanceOf(ANN), '1000');
  });

  test('a transfer to oneself or of zero changes nothing', () => {
    token.call('transfer', { to: ANN, amount: '1000' }, { from: ann });
    assert.equal(balanceOf(ANN), '1000');
    token.call('transfer', { to: BOB, amount: '0' }, { from: cas });
    assert.equal(balanceOf(BOB), '0');
    assert.equal(
      token.failure('transfer', { to: ANN, amount: '1001' }, { from: ann }) instanceof Object,
      true,
    );
  });

  test('tokens cannot be sent where they would be lost', () => {
    for (const to of [NOBODY, addressText(TOKEN)]) {
      assert.deepEqual(token.failure('transfer', { to, amount: '1' }, { from: ann }), {
        name: 'InvalidRecipient',
        args: { recipient: to },
      });
      assert.deepEqual(token.failure('mint', { to, amount: '1' }, { from: minter }), {
        name: 'InvalidRecipient',
        args: { recipient: to },
      });
    }
  });

  test('native balance sent to a non-payable method reverts', () => {
    world.setBalance(ann, 5n);
    assert.equal(
      token.failure('transfer', { to: BOB, amount: '1' }, { from: ann, value: 5n }),
      'this method takes no native balance',
    );
    assert.equal(world.balance(ann), 5n);
  });

  test('a spender can take up to its allowance, which is reduced accordingly', () => {
    token.call('approve', { spender: BOB, amount: '100' }, { from: ann });
    token.call('transfer_from', { from: ANN, to: CAS, amount: '60' }, { from: bob });
    assert.equal(balanceOf(CAS), '60');
    assert.equal(token.call('allowance', { owner: ANN, spender: BOB }), '40');
    assert.deepEqual(token.failure('transfer_from', { from: ANN, to: CAS, amount: '41' }, { from: bob }), {
      name: 'InsufficientAllowance',
      args: { available: '40', required: '41' },
    });
    token.call('transfer_from', { from: ANN, to: CAS, amount: '40' }, { from: bob });
    assert.equal(token.call('allowance', { owner: ANN, spender: BOB }), '0');
  });

  test('an allowance without limit does not fall', () => {
    token.call('approve', { spender: BOB, amount: MAX }, { from: ann });
    token.call('transfer_from', { from: ANN, to: CAS, amount: '60' }, { from: bob });
    assert.equal(token.call('allowance', { owner: ANN, spender: BOB }), MAX);
  });

  test('an owner needs an allowance from itself for transfer_from', () => {
    assert.ok(token.failure('transfer_from', { from: ANN, to: CAS, amount: '1' }, { from: ann }));
  });

  test('allowances are raised and lowered without passing through a value in between', () => {
    token.call('increase_allowance', { spender: BOB, amount: '70' }, { from: ann });
    token.call('decrease_allowance', { spender: BOB, amount: '20' }, { from: ann });
    assert.equal(token.call('allowance', { owner: ANN, spender: BOB }), '50');
    assert.ok(token.failure('decrease_allowance', { spender: BOB, amount: '51' }, { from: ann }));
    assert.equal(
      token.failure('increase_allowance', { spender: BOB, amount: MAX }, { from: ann }),
      'arithmetic overflow',
    );
    assert.deepEqual(token.events(2).at(-1), {
      name: 'Approval',
      args: { owner: ANN, spender: BOB, amount: '50' },
    });
  });

  test('only the minter creates tokens, up to the range of u128', () => {
    token.call('mint', { to: BOB, amount: '5' }, { from: minter });
    assert.equal(balanceOf(BOB), '5');
    assert.equal(token.call('total_supply'), '1005');
    assert.deepEqual(token.failure('mint', { to: ANN, amount: '5' }, { from: ann }), {
      name: 'NotMinter',
      args: { caller: ANN },
    });
    assert.equal(token.failure('mint', { to: BOB, amount: MAX }, { from: minter }), 'arithmetic overflow');
  });

  test('the right to mint can be transferred, and is gone once renounced', () => {
    token.call('set_minter', { minter: BOB }, { from: minter });
    assert.ok(token.failure('mint', { to: BOB, amount: '1' }, { from: minter }));
    token.call('set_minter', { minter: NOBODY }, { from: bob });
    assert.ok(token.failure('mint', { to: BOB, amount: '1' }, { from: bob }));
    assert.ok(
      token.failure('mint', { to: BOB, amount: '1' }, { from: address(0) }),
      'the zero address has no rights',
    );
  });

  test('burning destroys tokens of the caller alone', () => {
    token.call('burn', { amount: '400' }, { from: ann });
    assert.equal(balanceOf(ANN), '600');
    assert.equal(token.call('total_supply'), '600');
    assert.ok(token.failure('burn', { amount: '1' }, { from: bob }));
  });

  interface Permit {
    readonly owner_key: string;
    readonly spender: string;
    readonly amount: string;
    readonly deadline_ms: number;
    readonly signature: string;
  }

  const keys = generateKeyPairSync('ed25519');
  const publicKey = keys.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  const owner = sha256(Buffer.concat([Buffer.of(0), publicKey])).subarray(12);
  const OWNER = addressText(owner);
  const DEADLINE = 1_700_000_001_000;

  function permitMessage(fields: {
    chainId?: bigint;
    token?: Uint8Array;
    spender?: Uint8Array;
    amount?: bigint;
    nonce?: bigint;
    deadline?: bigint;
  }): Buffer {
    const numbers = (bits: number, value: bigint): Buffer => {
      const bytes = Buffer.alloc(bits / 8);
      bytes.writeBigUInt64LE(value & 0xffff_ffff_ffff_ffffn);
      if (bits === 128) bytes.writeBigUInt64LE(value >> 64n, 8);
      return bytes;
    };
    return Buffer.concat([
      Buffer.from('heddle token permit 1'),
      numbers(64, fields.chainId ?? 1337n),
      fields.token ?? TOKEN,
      owner,
      fields.spender ?? bob,
      numbers(128, fields.amount ?? 50n),
      numbers(64, fields.nonce ?? 0n),
      numbers(64, fields.deadline ?? BigInt(DEADLINE)),
    ]);
  }

  function permit(message: Buffer): Permit {
    return {
      owner_key: hex(publicKey),
      spender: BOB,
      amount: '50',
      deadline_ms: DEADLINE,
      signature: `0x${hex(sign(null, message, keys.privateKey))}`,
    };
  }

  test('anyone may submit a permit, which sets the allowance once', () => {
    const good = permit(permitMessage({}));
    token.call('permit', good, { from: cas });
    assert.equal(token.call('allowance', { owner: OWNER, spender: BOB }), '50');
    assert.equal(token.call('permit_nonce', { owner: OWNER }), 1);
    assert.deepEqual(token.failure('permit', good, { from: cas }), {
      name: 'InvalidPermit',
      args: { owner: OWNER, nonce: 1 },
    });
    token.call('permit', permit(permitMessage({ nonce: 1n })), { from: cas });
  });

  test('the contract returns the bytes that a permit signs', () => {
    const asked = { owner: OWNER, spender: BOB, amount: '50', deadline_ms: DEADLINE };
    assert.equal(token.call('permit_message', asked), `0x${permitMessage({}).toString('hex')}`);
  });

  test('a permit for another chain, token, spender, amount, place or time is refused', () => {
    for (const change of [
      { chainId: 1n },
      { token: address(0x71) },
      { spender: cas },
      { amount: 51n },
      { nonce: 1n },
      { deadline: BigInt(DEADLINE) + 1n },
    ]) {
      const refused = token.failure('permit', permit(permitMessage(change)));
      assert.deepEqual(
        refused,
        { name: 'InvalidPermit', args: { owner: OWNER, nonce: 0 } },
        JSON.stringify(Object.keys(change)),
      );
    }
    assert.equal(token.call('permit_nonce', { owner: OWNER }), 0);
  });

  test('a permit is valid up to its deadline and no longer', () => {
    const good = permit(permitMessage({}));
    world.passTime(1001n);
    assert.deepEqual(token.failure('permit', good), {
      name: 'PermitExpired',
      args: { deadline_ms: DEADLINE, now_ms: DEADLINE + 1 },
    });
    world.passTime(-1n);
    token.call('permit', good);
  });

  test('inputs that are not exactly a call revert', () => {
    const input = token.abi.function('transfer').encodeCall({ to: BOB, amount: '1' });
    const revertOf = (bytes: Uint8Array, purpose: 'call' | 'deploy' = 'call'): unknown => {
      const outcome = world.run(TOKEN, { input: bytes, caller: ann, purpose });
      assert.equal(outcome.status, 'reverted');
      return token.revertOf(outcome);
    };
    assert.equal(revertOf(new Uint8Array(0)), 'malformed data: it ends early');
    assert.equal(revertOf(input.subarray(0, 3)), 'malformed data: it ends early');
    assert.equal(revertOf(input.subarray(0, -1)), 'malformed data: it ends early');
    assert.equal(revertOf(Buffer.concat([input, Buffer.of(0)])), 'malformed data: bytes follow its end');
    assert.equal(revertOf(bytesOfHex('00000000')), 'Token has no function with this selector');
    assert.equal(revertOf(input, 'deploy'), 'expected the arguments of Token.init');
    const init = token.abi
      .function('init')
      .encodeCall({ name: '', symbol: '', decimals: 0, supply: '9', owner: BOB, minter: BOB });
    assert.equal(revertOf(init), 'Token has no function with this selector', 'init runs at deployment only');
  });

  test('names that are too long are refused at deployment', () => {
    const other = deployExample(world, 'token', address(0x72));
    const encode = (name: string): Uint8Array => {
      const good = other.abi
        .function('init')
        .encodeCall({ name: 'x'.repeat(10), symbol: 'S', decimals: 0, supply: '1', owner: ANN, minter: ANN });
      const rest = good.subarray(4 + 4 + 10);
      const length = Buffer.alloc(4);
      length.writeUInt32LE(name.length);
      return Buffer.concat([good.subarray(0, 4), length, Buffer.from(name), rest]);
    };
    const run = (name: string): string =>
      world.run(other.at, { purpose: 'deploy', input: encode(name) }).status;
    assert.equal(run('x'.repeat(65)), 'reverted');
    assert.equal(run('x'.repeat(64)), 'success');
  });

  test('the balances always add up to the supply', () => {
    const people = [ann, bob, cas];
    const person = fc.constantFrom(0, 1, 2);
    const step = fc.record({
      what: fc.constantFrom('transfer', 'burn', 'mint', 'approve', 'transfer_from'),
      who: person,
      to: person,
      from: person,
      amount: fc.bigInt(0n, 600n).map(String),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        for (const { what, who, to, from, amount } of steps) {
          const texts = [ANN, BOB, CAS];
          const args = {
            transfer: { to: texts[to], amount },
            burn: { amount },
            mint: { to: texts[to], amount },
            approve: { spender: texts[to], amount },
            transfer_from: { from: texts[from], to: texts[to], amount },
          }[what];
          const caller = what === 'mint' ? minter : people[who];
          if (caller !== undefined && args !== undefined) token.outcome(what, args, { from: caller });
        }
        const sum = [ANN, BOB, CAS].reduce((total, who) => total + BigInt(String(balanceOf(who))), 0n);
        assert.equal(sum.toString(), token.call('total_supply'));
      }),
      { numRuns: 40 },
    );
  });

  test('balances that fall to nothing leave nothing in storage', () => {
    token.call('transfer', { to: BOB, amount: '1000' }, { from: ann });
    const slot = Buffer.alloc(32);
    slot[0] = 20;
    slot[1] = 4;
    slot.set(ann, 5);
    assert.equal(slotText(world, TOKEN, slot), undefined);
    slot.set(bob, 5);
    assert.equal(slotText(world, TOKEN, slot), 'e803'.padEnd(32, '0'));
  });

  test('gas stays near the cost of the host functions', () => {
    const view = token.outcome('balance_of', { owner: ANN }).gasUsed;
    const transfer = token.outcome('transfer', { to: BOB, amount: '1' }, { from: ann }).gasUsed;
    // `balance_of` has the instance and one read; `transfer` also two reads, two writes and an event with three topics.
    assert.ok(view < 22_000n, `balance_of ${view}`);
    assert.ok(transfer < 82_000n, `transfer ${transfer}`);
  });
});
