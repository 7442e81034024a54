import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ChainError } from '../../chain/chain-error.js';
import type { Config } from '../../config/config.js';
import type { Crypto } from '../../crypto/crypto.js';
import { loadCrypto } from '../../crypto/load-crypto.js';
import { DataDirectory } from '../../storage/data-directory.js';
import { openStore } from '../../storage/open-store.js';
import type { Store } from '../../storage/store.js';
import { type Teardown, withTeardown } from '../teardown.js';

/** The open parts of a stopped node's data directory. */
interface OpenDirectory {
  readonly store: Store;
  readonly crypto: Crypto;
  /** Further parts to close before the directory. */
  readonly teardown: Teardown;
}

/**
 * Opens the data directory of a stopped node, and closes it after its use.
 * @param mustExist whether to refuse a directory without a store
 * @throws DataDirectoryError if a node is using the directory; ChainError `no_chain`; StoreError
 */
export async function withDirectory<T>(
  { dataDir, native, cacheBytes }: Config,
  mustExist: boolean,
  use: (directory: OpenDirectory) => Promise<T>,
): Promise<T> {
  const storeDirectory = join(dataDir, 'store');
  if (mustExist && !existsSync(storeDirectory)) {
    throw new ChainError('no_chain', `${dataDir} holds no chain; name a node's --data-dir`);
  }
  const report = () => undefined;
  return withTeardown(async (teardown) => {
    const directory = await DataDirectory.open(dataDir);
    teardown.add(() => directory.close());
    const crypto = await loadCrypto(native, report);
    const store = await openStore({ directory: storeDirectory, native, report, cacheBytes });
    teardown.add(() => store.close());
    return use({ store, crypto, teardown });
  });
}
