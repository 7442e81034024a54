import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ChainError } from '../../chain/chain-error.js';
import type { Config } from '../../config/config.js';
import { type NodeBase, openBase } from '../open-base.js';
import { type Teardown, withTeardown } from '../teardown.js';

interface OpenDirectory extends NodeBase {
  /** Further parts to close before the directory. */
  readonly teardown: Teardown;
}

/**
 * Opens the data directory of a stopped node, and closes it after its use.
 * @param mustExist whether to refuse a directory without a store
 * @throws DataDirectoryError if a node is using the directory; ChainError `no_chain`; StoreError
 */
export async function withDirectory<T>(
  config: Config,
  mustExist: boolean,
  use: (directory: OpenDirectory) => Promise<T>,
): Promise<T> {
  const { dataDir } = config;
  if (mustExist && !existsSync(join(dataDir, 'store'))) {
    throw new ChainError('no_chain', `${dataDir} holds no chain; name a node's --data-dir`);
  }
  return withTeardown(async (teardown) => {
    const base = await openBase({ config, teardown, report: () => undefined });
    return use({ ...base, teardown });
  });
}
