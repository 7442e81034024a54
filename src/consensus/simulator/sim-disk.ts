import type { Column } from '../../storage/columns.js';
import { latin1 } from '../../storage/latin1.js';
import type { Entry, ScanRange } from '../../storage/store.js';
import { forEachOperation } from '../../storage/write-batch.js';
import type { Random } from './random.js';

/** One write of a batch; a value of undefined removes the key. */
export interface DiskWrite {
  readonly column: Column;
  readonly key: string;
  readonly value: Uint8Array | undefined;
}

export type DiskImage = Map<Column, Map<string, Uint8Array>>;

/** Decodes an encoded batch. The bytes are copied, because a batch reuses its buffers. */
export function decodedBatch(encoded: Uint8Array): readonly DiskWrite[] {
  const writes: DiskWrite[] = [];
  // One copy for all values: memory outside of V8's heap costs more than the decoding.
  forEachOperation(encoded.slice(), {
    put: (column, key, value) => writes.push({ column, key: latin1(key), value }),
    delete: (column, key) => writes.push({ column, key: latin1(key), value: undefined }),
  });
  return writes;
}

/** A validator's disk. A crash keeps the batches up to the last sync, and possibly some after it. */
export class SimDisk {
  /** Called with each batch once a crash cannot undo it. */
  readonly #onDurable: (batch: readonly DiskWrite[]) => void;
  #visible: DiskImage = new Map();
  #durable: DiskImage = new Map();
  /** Visible batches after the last sync. */
  #unsynced: (readonly DiskWrite[])[] = [];

  constructor(onDurable: (batch: readonly DiskWrite[]) => void) {
    this.#onDurable = onDurable;
  }

  write(batch: readonly DiskWrite[]): void {
    apply(this.#visible, batch);
    this.#unsynced.push(batch);
  }

  sync(): void {
    for (const batch of this.#unsynced) this.#persist(batch);
    this.#unsynced = [];
  }

  /** Loses a random part of the writes that were not synced. @param inFlight batches that were being written */
  crash(random: Random, inFlight: readonly (readonly DiskWrite[])[]): void {
    const open = [...this.#unsynced, ...inFlight];
    for (const batch of open.slice(0, random.below(open.length + 1))) this.#persist(batch);
    this.#unsynced = [];
    this.#visible = copy(this.#durable);
  }

  /** A backup of everything that is synced. */
  image(): DiskImage {
    return copy(this.#durable);
  }

  /** Replaces everything by a backup; none empties the disk. Only between processes. */
  replace(image: DiskImage | undefined): void {
    this.#durable = copy(image ?? new Map());
    this.#visible = copy(this.#durable);
    this.#unsynced = [];
  }

  get(column: Column, key: Uint8Array): Uint8Array | undefined {
    return this.#visible.get(column)?.get(latin1(key));
  }

  *scan(column: Column, { gte, lt, reverse = false, limit = Number.POSITIVE_INFINITY }: ScanRange) {
    const low = gte === undefined ? '' : latin1(gte);
    const high = lt === undefined ? undefined : latin1(lt);
    const keys = [...(this.#visible.get(column)?.keys() ?? [])]
      .filter((key) => key >= low && (high === undefined || key < high))
      .sort();
    if (reverse) keys.reverse();
    for (const key of keys.slice(0, limit)) {
      const value = this.#visible.get(column)?.get(key);
      if (value !== undefined) yield [Uint8Array.from(Buffer.from(key, 'latin1')), value] satisfies Entry;
    }
  }

  #persist(batch: readonly DiskWrite[]): void {
    apply(this.#durable, batch);
    this.#onDurable(batch);
  }
}

function apply(columns: DiskImage, batch: readonly DiskWrite[]): void {
  for (const { column, key, value } of batch) {
    let entries = columns.get(column);
    if (entries === undefined) {
      entries = new Map();
      columns.set(column, entries);
    }
    if (value === undefined) entries.delete(key);
    else entries.set(key, value);
  }
}

function copy(columns: DiskImage): DiskImage {
  return new Map([...columns].map(([column, entries]) => [column, new Map(entries)]));
}
