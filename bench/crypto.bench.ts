/**
 * Cost of the cryptographic primitives, native and pure, in microseconds per call.
 *
 *     node dist/bench/crypto.bench.js [require | off, default both]
 *
 * Reference figures: ed25519 verify 38 µs native, 66 to 83 pure; secp256k1 verify 46 µs native, 1,155 pure; sha256
 * 0.04 µs a pair in batches of 16 or more; BLS sign 290 and verify 860 µs native, 3,600 and 13,800 pure.
 */
import { Bench, type BenchOptions } from 'tinybench';
import type { NativeMode } from '../src/config/native-mode.js';
import { loadBls } from '../src/crypto/load-bls.js';
import { loadCrypto } from '../src/crypto/load-crypto.js';
import { printReport } from './support/statistics.js';

const OPTIONS: BenchOptions = { time: 300, warmupTime: 100 };
const PAIRS = [1, 16, 256, 4096] as const;
const MESSAGES = [32, 65, 200, 1000] as const;

async function measure(mode: NativeMode): Promise<void> {
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

  const bench = new Bench(OPTIONS);
  /** Number of calls per measurement by task, large enough to make the timer's cost negligible. */
  const calls = new Map<string, number>();
  const add = (name: string, count: number, call: () => unknown) => {
    calls.set(name, count);
    bench.add(name, () => {
      for (let i = 0; i < count; i++) call();
    });
  };
  for (const length of MESSAGES) {
    const message = new Uint8Array(length);
    add(`sha256 of ${length} bytes`, 100, () => crypto.sha256(message));
  }
  for (const pairs of PAIRS) {
    const input = new Uint8Array(pairs * 64);
    add(`sha256 pairs, ${pairs} at once, a batch`, Math.ceil(1000 / pairs), () => crypto.sha256Pairs(input));
  }
  const uncompressed = secp256k1.uncompress(secpKey) ?? new Uint8Array(65);
  add('keccak256 of 64 bytes', 20, () => crypto.keccak256(uncompressed.subarray(1)));
  add('ed25519 sign', 1, () => ed25519.sign(hash, seed));
  add('ed25519 verify', 1, () => ed25519.verify(edSignature, hash, edKey));
  add('secp256k1 sign', 1, () => secp256k1.sign(hash, seed));
  add('secp256k1 verify', 1, () => secp256k1.verify(secpSignature, hash, secpKey));
  add('secp256k1 recover', 1, () => secp256k1.recover(secpSignature, hash, 0));
  add('BLS sign', 1, () => bls.sign(hash, secret));
  add('BLS verify', 1, () => bls.verify(blsSignature, hash, blsKey));
  await bench.run();

  const rows: Record<string, string> = {};
  for (const task of bench.tasks) {
    const { result } = task;
    if (result.state !== 'completed') throw new Error(`${task.name} did not complete: ${result.state}`);
    rows[task.name] = `${((result.latency.p50 * 1000) / (calls.get(task.name) ?? 1)).toFixed(2)} µs`;
  }
  printReport(`crypto, native parts: ${mode}`, rows);
}

const modes: readonly NativeMode[] =
  process.argv[2] === undefined ? ['require', 'off'] : [process.argv[2] === 'off' ? 'off' : 'require'];
for (const mode of modes) await measure(mode);
