import type { Store } from '../../src/storage/store.js';

/**
 * A store that tells of what is about to be written.
 * @param onWrite what it throws, the write rejects with, and nothing is written
 */
export function withWriteHook(store: Store, onWrite: (sync: boolean) => void): Store {
  return {
    handle: store.handle,
    implementation: store.implementation,
    get: (column, key) => store.get(column, key),
    getMany: (column, keys) => store.getMany(column, keys),
    scan: (column, range) => store.scan(column, range),
    close: () => store.close(),
    sizeBytes: () => store.sizeBytes(),
    write: async (batch, options) => {
      onWrite(options.sync);
      await store.write(batch, options);
    },
  };
}
