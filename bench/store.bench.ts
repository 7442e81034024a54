/**
 * Cost of the store: putting an entry into a batch, writing, reading and scanning entries; and the memory used by
 * writing.
 *
 *     npm run bench -- store [entries, default 1000000] [rocksdb | memory, default both]
 *
 * The load is that of blocks of 500 transfers: per transfer two state changes, a hash entry and a sender entry, about
 * 100 bytes each; per block a body, receipts, and 100 tree pages of 4 KiB. A block is one synced batch. Reference
 * figures: 7 µs of CPU per written entry, 5 µs per read, 3.5 µs per key in batches of 50.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { be64 } from '../src/storage/big-endian.js';
import { openStore } from '../src/storage/open-store.js';
import { appendStateChanges, readAt } from '../src/storage/state.js';
import type { Store } from '../src/storage/store.js';
import { forEachOperation, WriteBatch } from '../src/storage/write-batch.js';
import type { Aim } from './results/figure.js';
import { describePositionals } from './support/bench-arguments.js';
import { atMost, recordCost, recordGain } from './support/record-values.js';

const TRANSFERS_A_BLOCK = 500;
const TREE_PAGES_A_BLOCK = 100;
const READS = 20_000;

describePositionals('[entries, default 1000000] [rocksdb | memory, default both]');
const entries = Number(process.argv[2] ?? 1_000_000);
const only = process.argv[3];
/** Title of the current table. */
let table = '';

const accounts = Array.from({ length: 100_000 }, () => new Uint8Array(randomBytes(32)));
const value = new Uint8Array(randomBytes(60));
const page = new Uint8Array(randomBytes(4032));
const body = new Uint8Array(randomBytes(TRANSFERS_A_BLOCK * 200));

function report(what: string, figure: string): void {
  process.stdout.write(`  ${what.padEnd(46)}${figure}\n`);
}

/** Prints a time of one operation, and records it under the name of the current table. */
function reportMicros(what: string, micros: number, more?: { readonly aim: Aim }): void {
  report(what, `${micros.toFixed(2)} µs`);
  recordCost(`${table}: ${what}`, 'µs', micros, more);
}

function microseconds(since: bigint, count: number): number {
  return Number(process.hrtime.bigint() - since) / 1000 / count;
}

/** Begins a table. */
function begin(title: string): void {
  table = title;
  process.stdout.write(`${title}\n`);
}

function account(index: number): Uint8Array {
  return accounts[index % accounts.length] as Uint8Array;
}

/** A commit batch like a block's. */
function blockBatch(store: Store, height: bigint): WriteBatch {
  const batch = new WriteBatch();
  const keys = new Set<Uint8Array>();
  for (let i = 0; i < 2 * TRANSFERS_A_BLOCK; i++)
    keys.add(account(Math.floor(Math.random() * accounts.length)));
  const changed = [...keys];
  const previous = store.getMany('state', changed);
  appendStateChanges(
    batch,
    height,
    changed.map((key, index) => ({ key, previous: previous[index], value })),
  );
  for (let i = 0; i < TRANSFERS_A_BLOCK; i++) {
    const hash = randomBytes(32);
    batch.put('transactions', hash, randomBytes(12));
    batch.put('by_sender', Buffer.concat([account(i).subarray(0, 20), be64(height), be64(BigInt(i))]), hash);
  }
  for (let i = 0; i < TREE_PAGES_A_BLOCK; i++) batch.put('tree', randomBytes(12), page);
  batch.put('bodies', be64(height), body);
  batch.put('receipts', be64(height), body);
  batch.put('blocks', be64(height), page.subarray(0, 400));
  return batch;
}

/** Prints the best of several rounds, which other load on the machine disturbs least. */
function measureBatches(): void {
  const count = 60_000;
  let best = Number.POSITIVE_INFINITY;
  let encoded = new Uint8Array(0);
  for (let round = 0; round < 10; round++) {
    const started = process.hrtime.bigint();
    let batch = new WriteBatch();
    for (let i = 0; i < count; i++) {
      if (batch.count === 3000) {
        encoded = batch.finish();
        batch = new WriteBatch();
      }
      batch.put('state', account(i), value);
    }
    best = Math.min(best, Number(process.hrtime.bigint() - started) / count);
  }
  reportMicros('putting an entry into a batch', best / 1000);
  let seen = 0;
  const visitor = { put: () => seen++, delete: () => seen++ };
  const started = process.hrtime.bigint();
  for (let i = 0; i < 20; i++) forEachOperation(encoded, visitor);
  reportMicros('reading an entry of a batch back', microseconds(started, seen));
}

async function measureWrites(store: Store): Promise<bigint> {
  let written = 0;
  let height = 0n;
  let maxRss = process.memoryUsage.rss();
  const before = maxRss;
  const cpu = process.cpuUsage();
  const started = process.hrtime.bigint();
  while (written < entries) {
    height++;
    const batch = blockBatch(store, height);
    written += batch.count;
    await store.write(batch, { sync: true });
    maxRss = Math.max(maxRss, process.memoryUsage.rss());
  }
  const spent = process.cpuUsage(cpu);
  const seconds = Number(process.hrtime.bigint() - started) / 1e9;
  const rate = written / seconds;
  report('entries written in blocks, building included', `${Math.round(rate)} entries/s`);
  recordGain(`${table}: entries written in blocks, building included`, '/s', rate);
  reportMicros('CPU for an entry written, all threads', (spent.user + spent.system) / written, atMost(7));
  recordCost(`${table}: memory added by writing, at most`, 'MiB', (maxRss - before) / 2 ** 20);
  report('resident memory, before and at most', `${before >> 20} MiB, ${maxRss >> 20} MiB`);
  await sleep(500);
  report('store size', `${Math.round((await store.sizeBytes()) / 2 ** 20)} MiB`);
  return height;
}

function measureReads(store: Store, tip: bigint): void {
  let started = process.hrtime.bigint();
  for (let i = 0; i < READS; i++) store.get('state', account(i));
  reportMicros('get', microseconds(started, READS), atMost(5));

  started = process.hrtime.bigint();
  for (let i = 0; i < READS; i += 50) store.getMany('state', accounts.slice(i, i + 50));
  reportMicros('getMany of 50, a key', microseconds(started, READS), atMost(3.5));

  started = process.hrtime.bigint();
  for (let i = 0; i < READS; i++) readAt(store, account(i), tip);
  reportMicros('readAt the tip', microseconds(started, READS));

  started = process.hrtime.bigint();
  for (let i = 0; i < READS; i++) readAt(store, account(i), tip / 2n);
  reportMicros('readAt half of the heights ago', microseconds(started, READS));

  started = process.hrtime.bigint();
  let scanned = 0;
  for (const _ of store.scan('state', {})) scanned++;
  reportMicros('scanning state, an entry', microseconds(started, scanned));

  started = process.hrtime.bigint();
  scanned = 0;
  for (const _ of store.scan('history', {})) scanned++;
  reportMicros('scanning history, an entry', microseconds(started, scanned));
}

begin('batches');
measureBatches();
for (const [name, native] of [
  ['rocksdb', 'require'],
  ['memory', 'off'],
] as const) {
  if (only !== undefined && only !== name) continue;
  begin(name);
  const directory = await mkdtemp(join(tmpdir(), 'store-bench-'));
  try {
    let store = await openStore({ directory, native, report: () => undefined });
    const tip = await measureWrites(store);
    measureReads(store, tip);
    await store.close();
    const started = process.hrtime.bigint();
    store = await openStore({ directory, native, report: () => undefined });
    const openMs = microseconds(started, 1_000);
    report('opening again', `${openMs.toFixed(0)} ms`);
    recordCost(`${table}: opening again`, 'ms', openMs);
    await store.close();
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
