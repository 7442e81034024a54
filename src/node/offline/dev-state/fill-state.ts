import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import type { NativeMode } from '../../../config/native-mode.js';
import type { Store } from '../../../storage/store.js';
import { WriteBatch } from '../../../storage/write-batch.js';
import type { AccountPortion } from './account-portion.js';

/** Accounts of one task, about a quarter of a second of work. */
const ACCOUNTS_A_TASK = 8_192;
/** Portions given to each thread at a time, so that none waits for the next one. */
const AHEAD = 2;

export interface FillStateOptions {
  readonly store: Store;
  readonly native: NativeMode;
  readonly accounts: number;
  /** Height at which the accounts appear. */
  readonly height: bigint;
  /** Called with the number of accounts written. */
  readonly onProgress: (accounts: number) => void;
  readonly signal?: AbortSignal;
}

/** Writes development accounts to the state; threads derive them, as many as there are processors. */
export async function fillState(options: FillStateOptions): Promise<void> {
  const { store, native, accounts, height, onProgress, signal } = options;
  const threads = Math.min(availableParallelism(), Math.ceil(accounts / ACCOUNTS_A_TASK));
  const pool = new Piscina<AccountPortion, Uint8Array<ArrayBuffer>>({
    filename: new URL('./account-portion.js', import.meta.url).href,
    name: 'accountPortion',
    minThreads: threads,
    maxThreads: threads,
  });
  let next = 0;
  let written = 0;
  const run = async () => {
    while (next < accounts) {
      signal?.throwIfAborted();
      const from = next;
      const count = Math.min(ACCOUNTS_A_TASK, accounts - from);
      next += count;
      const batch = new WriteBatch();
      batch.adopt([await pool.run({ native, from, count, height })]);
      await store.write(batch, { sync: false });
      written += count;
      onProgress(written);
    }
  };
  try {
    await Promise.all(Array.from({ length: threads * AHEAD }, run));
  } finally {
    await pool.destroy();
  }
}
