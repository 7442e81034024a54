import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import fc from 'fast-check';
import { secp256k1Address } from '../../src/crypto/address.js';
import { assemble } from '../support/contracts/wasm-assembler.js';
import { HOST_CRYPTO as host } from '../support/crypto/host-crypto.js';
import { PURE_CRYPTO } from '../support/crypto/pure-crypto.js';
import { hex } from '../support/hex.js';
import { sweep } from '../support/sweep.js';
import { address, VmWorld } from '../support/worlds/vm-world.js';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const { longSignatures: bls } = bls12_381;
const BLS_SUITE = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_';

test('blake3 matches the official test vectors', () => {
  // The empty input of the official test vectors.
  assert.equal(
    hex(host.blake3(new Uint8Array(0))),
    'af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262',
  );
});

test('the address of the signer is recovered from a signature only with the right recovery id', () => {
  fc.assert(
    fc.property(bytes(32), bytes(32), (seed, hash) => {
      const key = secp256k1.utils.randomSecretKey(Uint8Array.from([...seed, ...seed]).slice(0, 48));
      const recovered = secp256k1.sign(hash, key, { prehash: false, format: 'recovered' });
      const id = recovered[0] ?? -1;
      const signature = recovered.slice(1);
      const signer = secp256k1Address(PURE_CRYPTO, secp256k1.getPublicKey(key, true));
      assert.deepEqual(host.recoverSecp256k1(hash, signature, id), signer);
      assert.notDeepEqual(host.recoverSecp256k1(hash, signature, id ^ 1), signer);
    }),
    { numRuns: sweep(2) },
  );
});

test('the malleated signature with high s is refused', () => {
  const key = new Uint8Array(32).fill(5);
  const hash = new Uint8Array(32).fill(6);
  const recovered = secp256k1.sign(hash, key, { prehash: false, format: 'recovered' });
  const { r, s } = secp256k1.Signature.fromBytes(recovered.slice(1), 'compact');
  const high = new secp256k1.Signature(r, secp256k1.Point.Fn.ORDER - s).toBytes('compact');
  assert.ok(host.recoverSecp256k1(hash, recovered.slice(1), recovered[0] ?? 0) !== undefined);
  assert.equal(host.recoverSecp256k1(hash, high, (recovered[0] ?? 0) ^ 1), undefined);
});

test('BLS signatures of the suite verify for their messages only', () => {
  const key = new Uint8Array(32).fill(9);
  const message = new TextEncoder().encode('finalized');
  const publicKey = bls.getPublicKey(key).toBytes(true);
  const sign = (suite: string): Uint8Array => bls.sign(bls.hash(message, suite), key).toBytes(true);
  const signature = sign(BLS_SUITE);
  assert.ok(host.verifyBls(signature, message, publicKey));
  assert.ok(!host.verifyBls(sign('BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_'), message, publicKey));
  assert.ok(!host.verifyBls(signature, new TextEncoder().encode('finalised'), publicKey));
  assert.ok(!host.verifyBls(signature, message, bls.getPublicKey(new Uint8Array(32).fill(8)).toBytes(true)));
  // The identity, in both groups.
  const identity = (length: number): Uint8Array =>
    Uint8Array.from({ length }, (_, at) => (at === 0 ? 0xc0 : 0));
  assert.ok(!host.verifyBls(identity(96), message, identity(48)));
});

test('bytes that are not a key, signature or point give a result and never throw', () => {
  fc.assert(
    fc.property(bytes(96), bytes(48), fc.integer({ min: 0, max: 300 }), (long, short, id) => {
      assert.equal(host.verifyBls(long, short, short), false);
      assert.equal(host.verifyEd25519(long.subarray(0, 64), short, short.subarray(0, 32)), false);
      const recovered = host.recoverSecp256k1(short.subarray(0, 32), long.subarray(0, 64), id);
      assert.ok(recovered === undefined || recovered.length === 20);
    }),
    { numRuns: sweep(4) },
  );
});

test('contracts reach the signature checks with their operands in order', () => {
  const seed = new Uint8Array(32).fill(3);
  const message = Uint8Array.of(1, 2, 3);
  const hash = new Uint8Array(32).fill(6);
  const recovered = secp256k1.sign(hash, seed, { prehash: false, format: 'recovered' });
  const blsSignature = bls.sign(bls.hash(message, BLS_SUITE), seed).toBytes(true);
  const memory = new Uint8Array(600);
  memory.set(message, 0);
  memory.set(PURE_CRYPTO.ed25519.sign(message, seed), 16);
  memory.set(PURE_CRYPTO.ed25519.publicKey(seed), 80);
  memory.set(hash, 112);
  memory.set(recovered.slice(1), 144);
  memory.set(blsSignature, 208);
  memory.set(bls.getPublicKey(seed).toBytes(true), 304);
  const world = new VmWorld(host);
  world.deploy(
    address(1),
    assemble({
      imports: ['ed25519_verify', 'secp256k1_recover', 'bls_verify', 'set_output'],
      memory: [1],
      data: [{ at: 0, bytes: memory }],
      functions: [
        {
          name: 'invoke',
          type: '>i',
          code: `i32.const 400; i32.const 0; i32.const 3; i32.const 16; i32.const 80; call ed25519_verify; i32.store8
            i32.const 401; i32.const 0; i32.const 2; i32.const 16; i32.const 80; call ed25519_verify; i32.store8
            i32.const 402; i32.const 0; i32.const 3; i32.const 208; i32.const 304; call bls_verify; i32.store8
            i32.const 403; i32.const 112; i32.const 144; i32.const ${recovered[0]}; i32.const 410; call secp256k1_recover; i32.store8
            i32.const 404; i32.const 112; i32.const 144; i32.const 9; i32.const 440; call secp256k1_recover; i32.store8
            i32.const 400; i32.const 30; call set_output; i32.const 0`,
        },
      ],
    }),
  );
  const signer = secp256k1Address(PURE_CRYPTO, secp256k1.getPublicKey(seed, true));
  assert.equal(
    hex(world.run(address(1)).output),
    `0100010100${'00'.repeat(5)}${hex(signer ?? new Uint8Array(0))}`,
  );
});
