import type { Column } from '../../storage/columns.js';
import type { Store } from '../../storage/store.js';
import { StoreError } from '../../storage/store-error.js';
import type { WriteBatch } from '../../storage/write-batch.js';
import { type DiskWrite, decodedBatch, type SimDisk } from './sim-disk.js';

export interface SimStoreOptions {
  readonly disk: SimDisk;
  /** Time that a write takes, in virtual milliseconds. */
  readonly writeMs: (sync: boolean) => number;
  readonly after: (delayMs: number, run: () => void) => void;
  readonly fault: (sync: boolean) => WriteFault | undefined;
  readonly crash: () => void;
}

/** A crash before the batch is written, before it is synced, or before the writer learns of it; or a failed write. */
export type WriteFault = 'before_write' | 'before_sync' | 'after_sync' | 'failure';

interface Write {
  readonly batch: readonly DiskWrite[];
  readonly sync: boolean;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export class SimStore implements Pick<Store, 'get' | 'getMany' | 'scan' | 'write' | 'close'> {
  readonly #options: SimStoreOptions;
  /** Writes in progress, in order. */
  readonly #writes: Write[] = [];
  #hasFailed = false;

  constructor(options: SimStoreOptions) {
    this.#options = options;
  }

  /** Batches that have not reached the disk. */
  get inFlight(): readonly (readonly DiskWrite[])[] {
    return this.#writes.map(({ batch }) => batch);
  }

  get(column: Column, key: Uint8Array): Uint8Array | undefined {
    return this.#options.disk.get(column, key);
  }

  getMany(column: Column, keys: readonly Uint8Array[]): (Uint8Array | undefined)[] {
    return keys.map((key) => this.get(column, key));
  }

  scan(...[column, range]: Parameters<Store['scan']>): ReturnType<Store['scan']> {
    return this.#options.disk.scan(column, range);
  }

  write(batch: WriteBatch, { sync }: { readonly sync: boolean }): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#writes.push({ batch: decodedBatch(batch.finish()), sync, resolve, reject });
      if (this.#writes.length === 1) this.#begin();
    });
  }

  async close(): Promise<void> {
    // Nothing to release.
  }

  #begin(): void {
    const [write] = this.#writes;
    if (write === undefined) return;
    const { after, writeMs } = this.#options;
    after(writeMs(write.sync), () => this.#end(write));
  }

  #end(write: Write): void {
    const { disk, fault, crash } = this.#options;
    const { batch, sync, resolve, reject } = write;
    const interruption = this.#hasFailed ? 'failure' : fault(sync);
    if (interruption === 'before_write') {
      crash();
      return;
    }
    this.#writes.shift();
    if (interruption === 'failure') {
      this.#hasFailed = true;
      reject(new StoreError('write_failed', 'the simulated disk failed'));
    } else {
      disk.write(batch);
      if (interruption === 'before_sync') {
        crash();
        return;
      }
      if (sync) disk.sync();
      if (interruption === 'after_sync') {
        crash();
        return;
      }
      resolve();
    }
    this.#begin();
  }
}
