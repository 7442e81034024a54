import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../config/config.js';
import type { Log } from '../../config/log.js';
import { TokenManager } from '../../rpc/access/token-manager.js';
import type { TokenAdmin } from '../../rpc/access/token-service.js';
import { issueToken } from '../../rpc/access/token-setup.js';
import { TokenSlots } from '../../rpc/access/token-slots.js';
import type { UsageReader } from '../../rpc/access/usage/usage.js';
import { DataDirectoryError } from '../../storage/data-directory.js';
import { ControlClient, ControlError } from '../control/control-client.js';
import { openQuotaStore } from '../open-quota-store.js';
import { withDirectory } from './with-directory.js';

/** While a node starts or stops, it owns the directory but does not answer. */
const MAX_ATTEMPTS = 50;
const PAUSE_MS = 200;

type UseTokens<T> = (tokens: TokenAdmin, usage: UsageReader) => Promise<T>;

/**
 * Runs an operator's command on the tokens of a data directory: through its running node, or else directly on its
 * store, which is created if missing, or on the store of `--quota-store`. A node counts as running if it takes
 * connections: from another PID namespace, as between a container and its host, its process is not visible.
 * @throws QuotaError, ControlError, DataDirectoryError, StoreError
 */
export async function withTokens<T>(config: Config, log: Log, use: UseTokens<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      const client = new ControlClient(config.dataDir);
      return await use(client, client);
    } catch (error) {
      if (!(error instanceof ControlError && error.code === 'not_listening')) throw error;
    }
    try {
      return await withStoredTokens(config, log, use);
    } catch (error) {
      const mayChange = error instanceof DataDirectoryError && error.code === 'in_use';
      if (!mayChange || attempt === MAX_ATTEMPTS) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

function withStoredTokens<T>(config: Config, log: Log, use: UseTokens<T>): Promise<T> {
  return withDirectory(config, false, async ({ store: own }) => {
    const { store, usage, close } = await openQuotaStore(config, own);
    try {
      return await use(
        new TokenManager({
          store,
          slots: new TokenSlots(TokenSlots.memory()),
          sign: (claims) => issueToken({ dataDirectory: config.dataDir, log }, claims),
          now: Date.now,
          onFault: (error) => {
            throw error;
          },
        }),
        usage,
      );
    } finally {
      close();
    }
  });
}
