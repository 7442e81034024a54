/**
 * Cost of the cryptographic primitives, native beside the fallback in the same rounds, in microseconds per call.
 *
 *     npm run bench -- crypto [--rounds 5] [--milliseconds 100]
 */
import { parseArgs } from 'node:util';
import type { NativeMode } from '../src/config/native-mode.js';
import { loadBls } from '../src/crypto/load-bls.js';
import { loadCrypto } from '../src/crypto/load-crypto.js';
import { recordFigure } from './results/record.js';
import { printReport, quantile } from './support/statistics.js';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, milliseconds: { type: 'string', default: '100' } },
});
const rounds = Number(values.rounds);
const milliseconds = Number(values.milliseconds);

const PAIRS = [1, 16, 256, 4096] as const;
const MESSAGES = [32, 65, 200, 1000] as const;
/** Calls between two looks at the clock, so that these cost nothing beside a hash. */
const MOST_CALLS = 100;

type Calls = ReadonlyMap<string, () => unknown>;

/** Every primitive by name. A batch of pairs is one call. */
async function callsOf(mode: NativeMode): Promise<Calls> {
  const crypto = await loadCrypto(mode);
  const { ed25519, secp256k1 } = crypto;
  const bls = await loadBls(mode);
  const hash = crypto.sha256(new Uint8Array(1));
  const seed = crypto.sha256(hash);
  // A leading zero keeps the secret below the order of the BLS groups.
  const secret = seed.with(0, 0);
  const edKey = ed25519.publicKey(seed);
  const edSignature = ed25519.sign(hash, seed);
  const secpKey = secp256k1.publicKey(seed);
  const secpSignature = secp256k1.sign(hash, seed);
  const blsKey = bls.publicKey(secret);
  const blsSignature = bls.sign(hash, secret);

  const calls = new Map<string, () => unknown>();
  for (const length of MESSAGES) {
    const message = new Uint8Array(length);
    calls.set(`sha256: ${length} bytes`, () => crypto.sha256(message));
  }
  for (const pairs of PAIRS) {
    const input = new Uint8Array(pairs * 64);
    calls.set(`sha256: a batch of ${pairs} pairs`, () => crypto.sha256Pairs(input));
  }
  const uncompressed = secp256k1.uncompress(secpKey) ?? new Uint8Array(65);
  calls.set('keccak256: 64 bytes', () => crypto.keccak256(uncompressed.subarray(1)));
  calls.set('ed25519: sign', () => ed25519.sign(hash, seed));
  calls.set('ed25519: verify', () => ed25519.verify(edSignature, hash, edKey));
  calls.set('secp256k1: sign', () => secp256k1.sign(hash, seed));
  calls.set('secp256k1: verify', () => secp256k1.verify(secpSignature, hash, secpKey));
  calls.set('secp256k1: recover', () => secp256k1.recover(secpSignature, hash, 0));
  calls.set('BLS: sign', () => bls.sign(hash, secret));
  calls.set('BLS: verify', () => bls.verify(blsSignature, hash, blsKey));
  return calls;
}

/** Repeats a call for the time of a round. @returns µs of one call */
function micros(call: () => unknown): number {
  const begin = performance.now();
  let count = 0;
  let together = 1;
  for (;;) {
    for (let i = 0; i < together; i++) call();
    count += together;
    const passed = performance.now() - begin;
    if (passed >= milliseconds) return (passed * 1_000) / count;
    if (passed < 1) together = Math.min(MOST_CALLS, together * 2);
  }
}

const native = await callsOf('require');
const fallback = await callsOf('off');
const rows: Record<string, string> = {};
for (const [name, call] of native) {
  const floor = fallback.get(name) ?? (() => undefined);
  const [ours, theirs]: [number[], number[]] = [[], []];
  // The first round is unmeasured, to compile both.
  for (let round = 0; round <= rounds; round++) {
    const [one, other] = [micros(call), micros(floor)];
    if (round === 0) continue;
    ours.push(one);
    theirs.push(other);
  }
  recordFigure({
    name,
    unit: 'µs',
    better: 'lower',
    rounds: ours,
    baselines: [{ name: 'fallback', rounds: theirs }],
  });
  rows[name] = `${quantile(ours, 0.5).toFixed(2)} µs, fallback ${quantile(theirs, 0.5).toFixed(2)} µs`;
}
printReport('crypto', rows);
