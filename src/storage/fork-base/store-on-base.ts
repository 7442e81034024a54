import type { StateBaseHandle, Store, StoreReader } from '../store.js';
import type { BaseReader } from './base-reader.js';

/** A reader of a store whose state lies on that of another chain. */
export function readerOnBase(reader: StoreReader, base: BaseReader): StoreReader {
  return {
    base,
    get: (column, key) => reader.get(column, key),
    getMany: (column, keys) => reader.getMany(column, keys),
    scan: (column, range) => reader.scan(column, range),
    close: async () => {
      await base.close();
      await reader.close();
    },
  };
}

/** A store whose state lies on that of another chain, in all threads that its handle reaches. */
export function storeOnBase(store: Store, base: BaseReader, handle: StateBaseHandle): Store {
  const { figures } = store;
  return {
    ...readerOnBase(store, base),
    handle: { ...store.handle, base: handle },
    implementation: store.implementation,
    write: (batch, options) => store.write(batch, options),
    sizeBytes: () => store.sizeBytes(),
    ...(figures === undefined ? {} : { figures: () => figures.call(store) }),
  };
}
