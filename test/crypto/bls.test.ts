import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import fc from 'fast-check';
import { nobleBls } from '../../native-free/crypto/bls.js';
import { packageRoot } from '../../src/config/package-info.js';
import { devValidatorKey } from '../../src/consensus/validator-key.js';
import type { Bls } from '../../src/crypto/crypto.js';
import { CryptoError } from '../../src/crypto/crypto-error.js';
import { loadBls } from '../../src/crypto/load-bls.js';
import { loadCrypto } from '../../src/crypto/load-crypto.js';
import { loadBlst } from '../../src/crypto/native/blst.js';
import { type BlsBackend, strictBls } from '../../src/crypto/strict-bls.js';
import { devGenesis } from '../../src/ledger/dev-genesis.js';
import { spread, sweep } from '../support/sweep.js';

const VECTORS = join(packageRoot(), 'test/vectors/bls-g2-signatures.txt');
const VECTOR_TAG = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_';
const { Fp, Fp2, Fr } = bls12_381.fields;

const hex = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'));
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const word = (value: bigint) => hex(value.toString(16).padStart(64, '0'));
const coordinate = (value: bigint) => hex(value.toString(16).padStart(96, '0'));

function nativeBackend(): BlsBackend | undefined {
  try {
    return loadBlst();
  } catch {
    return undefined;
  }
}

const native = nativeBackend();
const pure = nobleBls();
const skip = native === undefined ? 'no binary of @chainsafe/blst here' : false;

/** Private key, message and signature of every `step`th line; keys are reduced modulo the group order. */
function vectors(step: number): { key: Uint8Array; message: Uint8Array; signature: string }[] {
  return readFileSync(VECTORS, 'utf8')
    .trim()
    .split('\n')
    .filter((_, index) => index % step === 0)
    .map((line) => {
      const [key = '', message = '', signature = ''] = line.split(':');
      return { key: word(BigInt(`0x${key}`) % Fr.ORDER), message: hex(message), signature };
    });
}

test('published signatures are reproduced and verify under their tag', () => {
  const bls = strictBls(nobleBls(VECTOR_TAG));
  const ours = strictBls(pure);
  for (const { key, message, signature } of spread(vectors(20), 5)) {
    assert.equal(text(bls.sign(message, key)), signature);
    assert.ok(bls.verify(hex(signature), message, bls.publicKey(key)));
  }
  for (const { key, message, signature } of spread(vectors(200), 1)) {
    assert.ok(!ours.verify(hex(signature), message, ours.publicKey(key)), 'good under another tag');
  }
});

test('both implementations make the same keys and signatures', { skip }, () => {
  for (const { key, message } of spread(vectors(16), 6)) {
    assert.equal(text(pure.publicKey(key)), text(native?.publicKey(key) ?? assert.fail()));
    assert.equal(text(pure.sign(message, key)), text(native?.sign(message, key) ?? assert.fail()));
  }
});

test('the key of the development genesis is the public one of the development validator', async () => {
  const crypto = await loadCrypto('off');
  const { group_public_key: key } = devGenesis(crypto).validator_set;
  const derived = (await loadBls('off')).publicKey(devValidatorKey(crypto));
  assert.equal(text(derived), text(key));
});

/** Private key of the valid encodings in `good`, from which {@link hostile} derives invalid ones. */
const KEY = word(9n);
const MESSAGE = new TextEncoder().encode('message');
const good = { key: pure.publicKey(KEY), signature: pure.sign(MESSAGE, KEY) };

function withFlags(bytes: Uint8Array, flags: number): Uint8Array {
  const out = bytes.slice();
  out[0] = ((out[0] ?? 0) & 0x1f) | flags;
  return out;
}

/** A point of the G1 curve outside its subgroup, as almost all points are. */
function outsideG1(): Uint8Array {
  for (let x = 4n; ; x++) {
    try {
      const point = bls12_381.G1.Point.fromAffine({
        x,
        y: Fp.sqrt(Fp.add(Fp.pow(x, 3n), 4n)),
      });
      if (!point.isTorsionFree()) return withFlags(coordinate(x), 0x80);
    } catch {
      // No point has this x.
    }
  }
}

function outsideG2(): Uint8Array {
  for (let x = 1n; ; x++) {
    try {
      const at = Fp2.fromBigTuple([x, 0n]);
      const point = bls12_381.G2.Point.fromAffine({
        x: at,
        y: Fp2.sqrt(Fp2.add(Fp2.pow(at, 3n), Fp2.fromBigTuple([4n, 4n]))),
      });
      if (!point.isTorsionFree()) return withFlags(hex('00'.repeat(48) + text(coordinate(x))), 0x80);
    } catch {
      // No point has this x.
    }
  }
}

/**
 * Adds p to the coordinate at an offset, for a second encoding of the same number; undefined if the sum does not fit.
 */
function notCanonical(encoded: Uint8Array, at: number): Uint8Array | undefined {
  const out = encoded.slice();
  const flags = at === 0 ? (out[0] ?? 0) & 0xe0 : 0;
  if (at === 0) out[0] = (out[0] ?? 0) & 0x1f;
  const raised = BigInt(`0x${text(out.subarray(at, at + 48))}`) + Fp.ORDER;
  if (raised >= 1n << (at === 0 ? 381n : 384n)) return undefined;
  out.set(coordinate(raised), at);
  if (at === 0) out[0] = (out[0] ?? 0) | flags;
  return out;
}

function hostile(): readonly { what: string; key?: Uint8Array; signature?: Uint8Array }[] {
  const { key, signature } = good;
  const raised = [0, 48].flatMap((at) => notCanonical(signature, at) ?? []);
  return [
    ...[0x00, 0x20, 0x40, 0x60, 0xc0, 0xe0].flatMap((flags) => [
      { what: `key with flags ${flags}`, key: withFlags(key, flags) },
      { what: `signature with flags ${flags}`, signature: withFlags(signature, flags) },
    ]),
    { what: 'the negated key', key: withFlags(key, ((key[0] ?? 0) & 0xe0) ^ 0x20) },
    { what: 'the negated signature', signature: withFlags(signature, ((signature[0] ?? 0) & 0xe0) ^ 0x20) },
    { what: 'infinity as key', key: withFlags(new Uint8Array(48), 0xc0) },
    { what: 'infinity as signature', signature: withFlags(new Uint8Array(96), 0xc0) },
    {
      what: 'infinity as both',
      key: withFlags(new Uint8Array(48), 0xc0),
      signature: withFlags(new Uint8Array(96), 0xc0),
    },
    { what: 'infinity with the sign', signature: withFlags(new Uint8Array(96), 0xe0) },
    { what: 'zero as key', key: withFlags(new Uint8Array(48), 0x80) },
    { what: 'zero as signature', signature: withFlags(new Uint8Array(96), 0x80) },
    { what: 'key outside the subgroup', key: outsideG1() },
    { what: 'signature outside the subgroup', signature: outsideG2() },
    { what: 'p as key', key: withFlags(coordinate(Fp.ORDER), 0x80) },
    { what: 'p − 1 as key', key: withFlags(coordinate(Fp.ORDER - 1n), 0x80) },
    ...raised.map((bytes, index) => ({ what: `coordinate not reduced ${index}`, signature: bytes })),
    { what: 'short key', key: key.subarray(1) },
    { what: 'long key', key: Uint8Array.from([...key, 0]) },
    { what: 'short signature', signature: signature.subarray(0, 95) },
    { what: 'long signature', signature: Uint8Array.from([...signature, 0]) },
    { what: 'no bytes', key: new Uint8Array(0), signature: new Uint8Array(0) },
  ];
}

/** Whether a library accepts a signature without the strict checks in front of it; throwing counts as refusal. */
function accepts(backend: BlsBackend, signature: Uint8Array, key: Uint8Array): boolean {
  try {
    return backend.verify(signature, MESSAGE, key);
  } catch {
    return false;
  }
}

for (const [name, backend] of [
  ['blst', native],
  ['@noble/curves', pure],
] as const) {
  describe(`BLS by ${name}`, { skip: backend === undefined ? skip : false }, () => {
    const bls: Bls = strictBls(backend ?? pure);

    test('a signature verifies for its message and key only', () => {
      const { key, signature } = good;
      assert.equal(bls.verify(signature, MESSAGE, key), true);
      assert.equal(bls.verify(signature, MESSAGE.subarray(1), key), false);
      assert.equal(bls.verify(signature, MESSAGE, bls.publicKey(word(8n))), false);
      assert.equal(bls.verify(bls.sign(MESSAGE, word(8n)), MESSAGE, key), false);
    });

    test('hostile encodings are refused by the library alone and behind the rules', () => {
      for (const { what, key = good.key, signature = good.signature } of hostile()) {
        assert.equal(bls.verify(signature, MESSAGE, key), false, what);
        assert.equal(accepts(backend ?? pure, signature, key), false, `${what}, without the rules`);
        assert.equal(bls.isPublicKey(key), key === good.key || what === 'the negated key', what);
      }
    });

    test('the empty message can be signed', () => {
      const signature = bls.sign(new Uint8Array(0), KEY);
      assert.equal(bls.verify(signature, new Uint8Array(0), good.key), true);
    });

    test('private keys out of range are refused', () => {
      for (const key of [
        word(0n),
        word(Fr.ORDER),
        word(2n ** 256n - 1n),
        new Uint8Array(31),
        new Uint8Array(33),
      ]) {
        const refused = (error: unknown) =>
          error instanceof CryptoError && error.code === 'invalid_private_key';
        assert.throws(() => bls.sign(MESSAGE, key), refused);
        assert.throws(() => bls.publicKey(key), refused);
      }
      assert.equal(bls.publicKey(word(Fr.ORDER - 1n)).length, 48);
    });
  });
}

test('both implementations agree on signatures and keys with any bits flipped', { skip }, () => {
  const both = [strictBls(native ?? pure), strictBls(pure)] as const;
  fc.assert(
    fc.property(
      fc.nat({ max: 96 * 8 - 1 }),
      fc.nat({ max: 48 * 8 - 1 }),
      fc.boolean(),
      (inSignature, inKey, which) => {
        const signature = good.signature.slice();
        const key = good.key.slice();
        if (which)
          signature[inSignature >> 3] = (signature[inSignature >> 3] ?? 0) ^ (1 << (inSignature & 7));
        else key[inKey >> 3] = (key[inKey >> 3] ?? 0) ^ (1 << (inKey & 7));
        for (const bls of both) assert.equal(bls.verify(signature, MESSAGE, key), false);
      },
    ),
    { numRuns: sweep(4) },
  );
});

test('both implementations agree on subgroup points that are not signatures', { skip }, () => {
  const both = [strictBls(native ?? pure), strictBls(pure)] as const;
  for (let i = 1n; i < 6n; i++) {
    const key = both[0].publicKey(word(i));
    const signature = both[0].sign(Uint8Array.of(Number(i)), word(i));
    for (const bls of both) {
      assert.equal(bls.verify(signature, MESSAGE, key), false);
      assert.equal(bls.verify(signature, Uint8Array.of(Number(i)), key), true);
    }
  }
});

test('an implementation without a subgroup check is refused before use', async () => {
  const { checkBls } = await import('../../src/crypto/self-check.js');
  const lax: Bls = {
    publicKey: (key) => pure.publicKey(key),
    sign: (message, key) => pure.sign(message, key),
    // Accepts everything, like a library that ignores the key's component outside the subgroup.
    verify: () => true,
    isPublicKey: () => true,
  };
  assert.throws(
    () => checkBls(lax),
    (error) => error instanceof CryptoError && error.code === 'implementation_refused',
  );
});

test('the library loads in several threads, and they end', { skip }, async () => {
  const module = new URL('../../src/crypto/load-bls.js', import.meta.url).href;
  const code = `import(${JSON.stringify(module)}).then(async ({ loadBls }) => {
    const bls = await loadBls('require');
    require('node:worker_threads').parentPort.postMessage(bls.publicKey(new Uint8Array(32).fill(1)));
  })`;
  const keys = await Promise.all(
    Array.from(
      { length: 3 },
      () =>
        new Promise<string>((resolve, reject) => {
          const worker = new Worker(code, { eval: true });
          let key = '';
          worker.on('message', (bytes: Uint8Array) => {
            key = text(bytes);
          });
          worker.on('error', reject);
          worker.on('exit', () => resolve(key));
        }),
    ),
  );
  assert.deepEqual(new Set(keys), new Set([text(pure.publicKey(new Uint8Array(32).fill(1)))]));
});
