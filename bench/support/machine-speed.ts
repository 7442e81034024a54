import { randomBytes } from 'node:crypto';
import { loadCrypto } from '../../src/crypto/load-crypto.js';
import { quantile } from './statistics.js';

const ROUNDS = 5;
const CALLS = 500;

/**
 * Current speed of this machine: µs of one thread per ed25519 verification, the median of some rounds. Work on signed
 * transactions scales with it, and rented machines change by the minute.
 */
export function verificationMicros(): Promise<number> {
  return measure(() => 1_000 * performance.now());
}

/**
 * {@link verificationMicros} in CPU time of this process, whose other threads must be idle. Other processes affect it
 * only through shared caches.
 */
export function verificationCpuMicros(): Promise<number> {
  return measure(() => {
    const { user, system } = process.cpuUsage();
    return user + system;
  });
}

/** @param clock microseconds from any start */
async function measure(clock: () => number): Promise<number> {
  const { ed25519 } = await loadCrypto('auto');
  const [seed, message] = [randomBytes(32), randomBytes(200)];
  const [signature, publicKey] = [ed25519.sign(message, seed), ed25519.publicKey(seed)];
  const micros: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const begin = clock();
    for (let i = 0; i < CALLS; i++) ed25519.verify(signature, message, publicKey);
    micros.push((clock() - begin) / CALLS);
  }
  return quantile(micros, 0.5);
}
