/**
 * Cost of the pool at 100,000 waiting transactions: admitting one, drawing a block, following a block, listing a
 * page; the journal; and checking signatures in workers. The pool's figures are medians of several rounds, in CPU
 * time.
 *
 *     npm run bench -- mempool [transactions, default 100000]
 *
 * Reference figures: at 10,000 transactions/s each one may take 100 µs in total; a signature takes 38 µs in the
 * worker (sodium-native).
 */

import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ed25519Address } from '../src/crypto/address.js';
import { loadCrypto } from '../src/crypto/load-crypto.js';
import { ExecutionPool } from '../src/execution/pool/execution-pool.js';
import { SignatureChecker } from '../src/execution/signature-checker.js';
import type { Transaction } from '../src/generated/ledger.js';
import { MAX_BALANCE } from '../src/ledger/constants.js';
import { addressHex, transactionHashHex } from '../src/ledger/hex-types.js';
import type { VerifiedTransaction } from '../src/ledger/transaction-envelope.js';
import { bundleOf } from '../src/mempool/bundles/bundle.js';
import { PoolJournal } from '../src/mempool/journal/journal.js';
import { Mempool } from '../src/mempool/pool.js';
import { DEFAULT_POOL_LIMITS } from '../src/mempool/pool-types.js';
import { asVerified } from '../test/support/crypto/as-verified.js';
import { describePositionals } from './support/bench-arguments.js';
import { recordCost } from './support/record-values.js';
import { quantile } from './support/statistics.js';

const BLOCK = 2_500;
const ROUNDS = 5;
const BATCH = 50;
const PAGES = 100;

describePositionals('[transactions, default 100000]');
const count = Number(process.argv[2] ?? 100_000);
/** Title of the current table. */
let table = '';
const head = { height: 1n, baseFee: 10n, slotPrice: 2_000_000n, gasLimit: 60_000_000n };

/** A pool over rich accounts, whose nonces follow the blocks. */
class World {
  readonly #nonces = new Map<string, bigint>();
  readonly pool = new Mempool({
    chainId: 7n,
    head,
    now: () => 0,
    limits: { ...DEFAULT_POOL_LIMITS, maxTransactions: count },
    accounts: {
      nextNonce: (address, lane) => this.#nonces.get(`${address}/${lane}`) ?? 0n,
      balance: () => 10n ** 40n,
      supply: MAX_BALANCE,
      lanesUsed: () => 1,
    },
  });

  admit(all: readonly VerifiedTransaction[], firstArrival: number): void {
    let arrival = firstArrival;
    for (const transaction of all) {
      const result = this.pool.admit(transaction, { arrival: arrival++, receivedMs: 0 });
      if (!result.admitted) throw result.error;
    }
  }

  draw(): readonly VerifiedTransaction[] {
    return this.pool.select({ ...head, baseFee: this.pool.stats().baseFee, maxTransactions: BLOCK })
      .transactions;
  }

  seal(included: readonly VerifiedTransaction[], baseFee: bigint): void {
    for (const { sender, signed } of included) {
      this.#nonces.set(`${sender}/${signed.transaction.lane}`, signed.transaction.nonce + 1n);
    }
    this.pool.applyBlock({ head: { ...head, baseFee }, included, changed: [] });
  }
}

function transfers(senders: number, fee: number): VerifiedTransaction[] {
  return Array.from({ length: count }, (_, place) =>
    transfer(place % senders, Math.floor(place / senders), fee),
  );
}

function transfer(sender: number, nonce: number, fee: number): VerifiedTransaction {
  const address = createHash('sha256').update(`sender ${sender}`).digest().subarray(0, 20);
  const transaction: Transaction = {
    chain_id: 7n,
    sender: address,
    lane: 0,
    nonce: BigInt(nonce),
    gas_limit: 30_000n,
    max_fee: 1_000n + BigInt(fee),
    priority_fee: BigInt(fee + ((sender * 7_919 + nonce * 104_729) % 97)),
    action: { type: 'transfer', value: { to: address, amount: 1n } },
  };
  const hash = createHash('sha256').update(`${sender}/${nonce}/${fee}`).digest();
  const signature = { public_key: new Uint8Array(32), signature: new Uint8Array(64) };
  return asVerified({
    hash,
    hashHex: transactionHashHex(hash),
    sender: addressHex(address),
    signed: { transaction, signature: { type: 'ed25519', value: signature } },
    encoded: new Uint8Array(220),
  });
}

/** CPU time of the whole process in milliseconds, garbage collection included; other load hardly affects it. */
function milliseconds(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

/** Prints a time, the median of the rounds, and records it under the name of the current table. */
function reportTime(what: string, unit: 'µs' | 'ms', rounds: readonly number[]): void {
  process.stdout.write(`  ${what.padEnd(60)}${quantile(rounds, 0.5).toFixed(2)} ${unit}\n`);
  recordCost(`${table}: ${what}`, unit, rounds);
}

/** {@link reportTime} of one of several transactions. @param rounds milliseconds of all of them */
function reportEach(what: string, rounds: readonly number[], transactions: number): void {
  reportTime(
    what,
    'µs',
    rounds.map((ms) => (ms * 1_000) / transactions),
  );
}

/** Begins a table. */
function begin(title: string): void {
  table = title;
  process.stdout.write(`\n${title}\n`);
}

function benchPool(senders: number): void {
  begin(`${count} transactions of ${senders} senders`);
  const all = transfers(senders, 0);
  const dearer = transfers(senders, 200).slice(0, 10_000);
  const times: Record<string, number[]> = {};
  const note = (what: string, ms: number) => {
    times[what] ??= [];
    times[what].push(ms);
  };
  for (let round = 0; round < ROUNDS; round++) {
    const world = new World();
    note(
      'admit',
      milliseconds(() => world.admit(all, 0)),
    );
    note(
      'replace',
      milliseconds(() => world.admit(dearer, count)),
    );
    note(
      'select',
      milliseconds(() => world.draw()),
    );
    note(
      'page',
      milliseconds(() => {
        for (let page = 0; page < PAGES; page++) world.pool.list({ limit: 50 });
      }),
    );
    const first = world.draw();
    note(
      'apply',
      milliseconds(() => world.seal(first, 10n)),
    );
    const second = world.draw();
    note(
      'apply, new base fee',
      milliseconds(() => world.seal(second, 11n)),
    );
    const newcomers = Array.from({ length: 15_000 }, (_, place) => transfer(1_000_000 + place, 0, 500));
    world.admit(newcomers.slice(0, 2 * BLOCK), 2 * count);
    note(
      'full',
      milliseconds(() => world.admit(newcomers.slice(2 * BLOCK), 3 * count)),
    );
  }
  const of = (what: string) => times[what] ?? [];
  reportEach('admit, from empty to full', of('admit'), count);
  reportEach('admit as a replacement', of('replace'), dearer.length);
  reportEach('admit into a full pool, one evicted each', of('full'), 10_000);
  reportTime(`select ${BLOCK}`, 'ms', of('select'));
  reportTime(`apply a block of ${BLOCK}`, 'ms', of('apply'));
  reportTime(`apply a block of ${BLOCK} that moves the base fee`, 'ms', of('apply, new base fee'));
  reportEach('a page of 50', of('page'), PAGES);
}

/** Bundles that share another sender's transaction: first behind a nonce gap, then ready; see `bundle-senders.ts`. */
function benchBundles(): void {
  const bundles = Math.floor(count / 8);
  begin(`${bundles} bundles that share a transaction`);
  const world = new World();
  const [before, shared] = [transfer(0, 0, 0), transfer(0, 1, 0)];
  const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
  const admit = milliseconds(() => {
    for (let place = 0; place < bundles; place++) {
      const bundle = bundleOf([shared, transfer(1 + place, 0, 0)], undefined, { sha256 });
      const result = world.pool.admitBundle(bundle, { arrival: 2 * place, receivedMs: 0 });
      if (!result.admitted) throw result.error;
    }
  });
  reportEach('admit a bundle of two', [admit], bundles);
  reportTime('apply a block that leaves them waiting', 'ms', [milliseconds(() => world.seal([], 10n))]);
  reportTime('apply a block that makes them ready', 'ms', [milliseconds(() => world.seal([before], 10n))]);
  reportTime('apply a block that ends them all', 'ms', [milliseconds(() => world.seal([shared], 10n))]);
}

async function benchJournal(): Promise<void> {
  begin(`journal, ${BATCH} transactions a write`);
  const directory = await mkdtemp(join(tmpdir(), 'heddle-bench-'));
  const { journal } = await PoolJournal.open(directory);
  const all = transfers(1_000, 0).slice(0, 50_000);
  const ms = milliseconds(() => {
    for (let at = 0; at < all.length; at += BATCH) journal.appendMany(all.slice(at, at + BATCH));
  });
  reportEach('append', [ms], all.length);
  await journal.close();
  const start = performance.now();
  const { journal: again, restored } = await PoolJournal.open(directory);
  reportEach('read at start', [performance.now() - start], restored.transactions.length);
  await again.close();
  await rm(directory, { recursive: true, force: true });
}

async function benchSignatures(): Promise<void> {
  const crypto = await loadCrypto('auto');
  const seed = new Uint8Array(32).fill(1);
  const publicKey = crypto.ed25519.publicKey(seed);
  const sender = ed25519Address(crypto, publicKey);
  const signed = Array.from({ length: 5_000 }, (_, nonce) => {
    const plain = transfer(0, nonce, 0);
    const value = { public_key: publicKey, signature: crypto.ed25519.sign(plain.hash, seed) };
    const transaction = { ...plain.signed.transaction, sender };
    return { ...plain, signed: { transaction, signature: { type: 'ed25519' as const, value } } };
  });
  const started = performance.now();
  const workers = new ExecutionPool({
    setup: { native: 'auto' },
    workers: Math.max(1, availableParallelism() - 1),
  });
  const checker = new SignatureChecker(workers);
  await checker.verify(signed[0] ?? transfer(0, 0, 0));
  begin('signatures in workers');
  reportTime('start a worker and check one', 'ms', [performance.now() - started]);
  for (const width of [1, BATCH, signed.length]) {
    const sample = width === 1 ? signed.slice(0, 1_000) : signed;
    const start = performance.now();
    for (let at = 0; at < sample.length; at += width) {
      const good = await Promise.all(
        sample.slice(at, at + width).map((transaction) => checker.verify(transaction)),
      );
      if (good.includes(undefined)) throw new Error('a good signature was found bad');
    }
    reportEach(`check, ${width} in a turn`, [performance.now() - start], sample.length);
  }
  await workers.stop();
}

benchPool(1_000);
benchPool(count);
benchBundles();
await benchJournal();
await benchSignatures();
