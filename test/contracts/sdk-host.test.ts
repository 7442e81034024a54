import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { beforeEach, describe, test } from 'node:test';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { blake3 } from '@noble/hashes/blake3.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { ContractSandbox, type SandboxContract } from '../../src/contract-sdk/sandbox.js';
import { deployProbe } from '../support/contracts/probe-contract.js';
import { hex } from '../support/hex.js';
import { addressText, sha256 } from '../support/worlds/contract-world.js';
import { address } from '../support/worlds/vm-world.js';

describe('host functions in the SDK', () => {
  const PROBE = address(1);
  const OTHER = address(2);
  const ann = address(0xaa);

  let world: ContractSandbox;
  let probe: SandboxContract;

  beforeEach(async () => {
    world = await ContractSandbox.create();
    probe = deployProbe(world, PROBE);
  });

  const bytes = (value: Uint8Array): string => `0x${hex(value)}`;

  test('a contract sees caller, signer, itself, its balance and the block', () => {
    world.setBalance(PROBE, 12n);
    const outcome = probe.outcome('context', {}, {}, { caller: ann, origin: address(0xbb), gas: 1_000_000n });
    const context = probe.abi.function('context').decodeResult(outcome.output);
    assert.ok(typeof context === 'object' && context !== null && 'gas_left' in context);
    const { gas_left: gasLeft, ...others } = context;
    assert.deepEqual(others, {
      caller: addressText(ann),
      origin: addressText(address(0xbb)),
      self: addressText(PROBE),
      value: '0',
      balance: '12',
      height: 1,
      timestamp_ms: 1_700_000_000_000,
      chain_id: 1337,
    });
    assert.ok(Number(gasLeft) < 1_000_000 && Number(gasLeft) > 900_000, `${gasLeft}`);
  });

  test('a payable method accepts native balance and forwards it', () => {
    world.setBalance(ann, 50n);
    const to = addressText(address(0xcc));
    assert.equal(probe.call('pay', { to, amount: '20' }, { from: ann, value: 50n }), '50');
    assert.equal(world.balance(address(0xcc)), 20n);
    assert.equal(world.balance(PROBE), 30n);
    assert.equal(probe.failure('pay', { to, amount: '31' }), 'the contract has not enough balance');
  });

  test('a payment that raises a balance above 2^128 − 1 fails the test', () => {
    const to = address(0xcc);
    world.setBalance(PROBE, 1n);
    world.setBalance(to, 2n ** 128n - 1n);
    assert.throws(
      () => probe.call('pay', { to: addressText(to), amount: '1' }),
      /balances must stay below 2\^128/,
    );
    assert.throws(() => world.setBalance(to, 2n ** 128n), /balances must stay below 2\^128/);
  });

  test('hashes match the host', () => {
    const data = Buffer.from('heddle');
    assert.deepEqual(
      probe.call('digests', { data: bytes(data) }),
      [sha256(data), blake3(data), keccak_256(data)].map(hex),
    );
  });

  test('ed25519 signatures are checked, and keys map to their accounts', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
    const message = Buffer.from('message');
    const signature = bytes(sign(null, message, privateKey));
    assert.equal(probe.call('ed25519', { message: bytes(message), signature, key: hex(key) }), true);
    assert.equal(probe.call('ed25519', { message: '0x00', signature, key: hex(key) }), false);
    const account = createHash('sha256').update(Buffer.of(0)).update(key).digest().subarray(12);
    assert.equal(probe.call('ed25519_address', { key: hex(key) }), addressText(account));
  });

  test('secp256k1 signatures recover the address of their key', () => {
    const secret = new Uint8Array(32).fill(3);
    const digest = sha256(Buffer.from('message'));
    const signature = secp256k1.sign(digest, secret, { prehash: false, format: 'recovered' });
    const publicKey = secp256k1.getPublicKey(secret, false);
    const args = {
      digest: hex(digest),
      signature: bytes(signature.subarray(1)),
      recovery_id: signature[0] ?? 0,
    };
    assert.equal(probe.call('secp256k1', args), addressText(keccak_256(publicKey.subarray(1)).subarray(12)));
    assert.equal(probe.call('secp256k1', { ...args, recovery_id: 9 }), addressText(address(0)));
  });

  test('BLS signatures are checked', () => {
    const { longSignatures } = bls12_381;
    const secret = new Uint8Array(32).fill(5);
    const message = Buffer.from('message');
    const point = longSignatures.hash(message, 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_');
    const args = {
      message: bytes(message),
      signature: bytes(longSignatures.sign(point, secret).toBytes()),
      key: bytes(longSignatures.getPublicKey(secret).toBytes()),
    };
    assert.equal(probe.call('bls', args), true);
    assert.equal(probe.call('bls', { ...args, message: '0x' }), false);
  });

  test('addresses are ordered as their hex digits are', () => {
    const [low, high] = [
      '0x0102030405060708090a0b0c0d0e0f1011121314',
      '0x0102030405060708090a0b0c0d0e0f1011121400',
    ];
    assert.equal(probe.call('precedes', { a: low, b: high }), true);
    assert.equal(probe.call('precedes', { a: high, b: low }), false);
    assert.equal(probe.call('precedes', { a: low, b: low }), false);
  });

  test("the language's own checks revert with their messages", () => {
    assert.equal(probe.failure('index_out_of_bounds'), 'Index out of range');
    assert.equal(probe.call('slice', { data: '0x010203', start: 1, end: 3 }), '0x0203');
    assert.equal(probe.failure('slice', { data: '0x010203', start: 2, end: 4 }), 'slice outside the bytes');
    assert.equal(probe.failure('slice', { data: '0x010203', start: 2, end: 1 }), 'slice outside the bytes');
  });

  test('revert data of a called contract propagates to the first caller', () => {
    deployProbe(world, OTHER);
    const target = addressText(OTHER);
    assert.equal(probe.call('call_other', { target, a: '9', b: '4' }), '5');
    assert.equal(probe.failure('call_other', { target, a: '4', b: '9' }), 'arithmetic underflow');
    assert.match(
      String(probe.failure('call_other', { target: addressText(address(3)), a: '4', b: '9' })),
      /^a call was refused/,
    );
  });

  test('a caller can inspect the outcome of a call instead', () => {
    deployProbe(world, OTHER);
    const target = addressText(OTHER);
    const status = (name: string, args: unknown, gas = 1_000_000): unknown =>
      probe.call('call_status', { target, input: bytes(probe.abi.function(name).encodeCall(args)), gas });
    assert.equal(status('constants', {}), 0);
    assert.equal(status('index_out_of_bounds', {}), 1);
    assert.equal(status('constants', {}, 100), 2);
    assert.equal(probe.call('call_status', { target: addressText(address(3)), input: '0x', gas: 9 }), 4);
  });

  test('migrate runs only on an upgrade', () => {
    probe.init({ greeting: 'hello' });
    const outcome = probe.outcome('migrate', { greeting: 'again' }, {}, { purpose: 'upgrade' });
    assert.equal(probe.abi.function('migrate').decodeResult(outcome.output), 'hello');
    assert.equal(probe.failure('migrate', { greeting: 'x' }), 'Probe has no function with this selector');
  });

  test('log writes text only to traces', () => {
    const seen: unknown[] = [];
    world.observer = { hostOperation: ({ name, args }) => name === 'log' && seen.push(args['text']) };
    probe.call('log_text', { text: 'über 😀' });
    assert.deepEqual(seen, ['über 😀']);
  });
});
