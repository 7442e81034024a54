import { createHash } from 'node:crypto';
import type { Column } from '../../../src/storage/columns.js';
import { forEachOperation } from '../../../src/storage/write-batch.js';
import { hex } from '../../support/hex.js';

const sha256 = (...parts: readonly Uint8Array[]) =>
  createHash('sha256').update(Buffer.concat(parts)).digest();

/** State by key in hex, values as bytes. */
export type Model = Map<string, Uint8Array>;

/** The root by the definition: recursive, one hash at a time, nothing cached. */
export function naiveRoot(model: Model): string {
  const build = (keys: readonly string[], depth: number): Buffer => {
    const [first] = keys;
    if (first === undefined) return Buffer.alloc(32);
    if (keys.length === 1) {
      const key = Buffer.from(first, 'hex');
      return sha256(Buffer.of(0), key, sha256(model.get(first) ?? Buffer.alloc(0)));
    }
    const goesRight = (key: string) =>
      ((Number.parseInt(key.slice((depth >> 3) * 2, (depth >> 3) * 2 + 2), 16) >> (7 - (depth & 7))) & 1) ===
      1;
    return sha256(
      build(
        keys.filter((key) => !goesRight(key)),
        depth + 1,
      ),
      build(keys.filter(goesRight), depth + 1),
    );
  };
  return hex(build([...model.keys()], 0));
}

/** A map with the tree's column and others, written by encoded batches: the tree's view of a store. */
export class FakeStore {
  readonly entries = new Map<string, Uint8Array>();
  /** Number of keys read so far. */
  reads = 0;

  getMany(column: Column, keys: readonly Uint8Array[]): (Uint8Array | undefined)[] {
    this.reads += keys.length;
    return keys.map((key) => this.entries.get(`${column}/${hex(key)}`)?.slice());
  }

  apply(encoded: Uint8Array): void {
    forEachOperation(encoded, {
      put: (column, key, value) => this.entries.set(`${column}/${hex(key)}`, value.slice()),
      delete: (column, key) => this.entries.delete(`${column}/${hex(key)}`),
    });
  }

  keys(column: Column): string[] {
    return [...this.entries.keys()].filter((key) => key.startsWith(`${column}/`));
  }
}
