import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, describe, test } from 'node:test';
import fc from 'fast-check';
import type { NativeChoice } from '../../src/config/native-mode.js';
import { contractAddress, ed25519Address, secp256k1Address } from '../../src/crypto/address.js';
import type { Crypto } from '../../src/crypto/crypto.js';
import { devAccounts } from '../../src/crypto/dev-accounts.js';
import { loadCrypto } from '../../src/crypto/load-crypto.js';
import { hex } from '../support/hex.js';

const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'));
const ascii = (text: string) => new TextEncoder().encode(text);

describe('hashes and addresses', () => {
  let sets: readonly Crypto[] = [];
  const choices: NativeChoice[][] = [[], []];

  before(async () => {
    sets = [
      await loadCrypto('require', (choice) => choices[0]?.push(choice)),
      await loadCrypto('off', (choice) => choices[1]?.push(choice)),
    ];
  });

  test('the implementation in use is reported once per part', () => {
    for (const [index, native] of [true, false].entries()) {
      const told = choices[index] ?? [];
      assert.deepEqual(
        told.map((choice) => choice.part),
        ['ed25519', 'secp256k1', 'sha256 pairs'],
      );
      assert.ok(told.every((choice) => choice.native === native && 'reason' in choice === !native));
    }
  });

  test('sha256 gives known answers as a plain array', () => {
    for (const crypto of sets) {
      assert.equal(
        hex(crypto.sha256(ascii('abc'))),
        'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
      );
      const digest = crypto.sha256(new Uint8Array(0));
      assert.equal(hex(digest), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
      assert.equal(Object.getPrototypeOf(digest), Uint8Array.prototype);
    }
  });

  test('keccak256 gives known answers', () => {
    for (const crypto of sets) {
      assert.equal(
        hex(crypto.keccak256(new Uint8Array(0))),
        'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
      );
      assert.equal(
        hex(crypto.keccak256(ascii('abc'))),
        '4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45',
      );
      assert.equal(
        hex(crypto.keccak256(ascii('The quick brown fox jumps over the lazy dog'))),
        '4d741b6f1eb29cb2a9b9911c82f56fa8d73b04959d3d9d222895df6c0b28aa15',
      );
    }
  });

  test('pairs hash the same together as one by one, at any buffer offset', () => {
    fc.assert(
      fc.property(fc.nat({ max: 70 }), fc.nat({ max: 40 }), fc.nat(), (count, offset, seed) => {
        const buffer = new Uint8Array(offset + count * 64);
        for (let i = 0; i < buffer.length; i++) buffer[i] = (i * 31 + seed * 17 + (i >> 5)) & 0xff;
        const input = buffer.subarray(offset);
        const expected = Buffer.concat(
          Array.from({ length: count }, (_, i) =>
            createHash('sha256')
              .update(input.subarray(i * 64, i * 64 + 64))
              .digest(),
          ),
        );
        for (const crypto of sets) assert.equal(hex(crypto.sha256Pairs(input)), hex(expected));
      }),
      { numRuns: 60 },
    );
  });

  test('an incomplete layer of pairs is refused', () => {
    for (const crypto of sets) {
      assert.throws(() => crypto.sha256Pairs(new Uint8Array(65)), { code: 'invalid_length' });
    }
  });

  test('secp256k1 addresses match those of wallets', () => {
    for (const crypto of sets) {
      const key = bytes('ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');
      const address = secp256k1Address(crypto, crypto.secp256k1.publicKey(key));
      assert.equal(address && hex(address), 'f39fd6e51aad88f6f4ce6ab8827279cfffb92266');
      assert.equal(secp256k1Address(crypto, new Uint8Array(33)), undefined);
    }
  });

  test('ed25519 and contract addresses are the tails of their preimages', () => {
    const sha256 = (...parts: Uint8Array[]) =>
      hex(createHash('sha256').update(Buffer.concat(parts)).digest());
    for (const crypto of sets) {
      const key = crypto.sha256(ascii('key'));
      assert.equal(hex(ed25519Address(crypto, key)), sha256(Uint8Array.of(0), key).slice(24));
      const deployer = key.slice(0, 20);
      assert.equal(
        hex(contractAddress(crypto, deployer, 0x0102030405060708n)),
        sha256(Uint8Array.of(1), deployer, bytes('0807060504030201')).slice(24),
      );
      assert.throws(() => contractAddress(crypto, deployer, 1n << 64n), /deploy index/);
      assert.throws(() => contractAddress(crypto, key, 0n), /20 bytes, got 32/);
      assert.throws(() => ed25519Address(crypto, deployer), /32 bytes, got 20/);
    }
  });

  test('the ten development accounts follow from their seeds, in both sets alike', () => {
    const [native, pure] = sets.map((crypto) => devAccounts(crypto));
    assert.ok(native !== undefined);
    assert.deepEqual(native, pure);
    assert.equal(native.length, 10);
    for (const { index, seed } of native) {
      assert.equal(hex(seed), createHash('sha256').update(`heddle dev account ${index}`).digest('hex'));
    }
    assert.equal(new Set(native.map(({ address }) => hex(address))).size, 10);
  });
});
