import type { Store } from '../../../src/storage/store.js';

/**
 * A store that calls a hook before each write.
 * @param onWrite called before the write; if it throws, the write rejects with that error and writes nothing
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
