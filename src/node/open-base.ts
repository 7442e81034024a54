import { join } from 'node:path';
import type { NativeChoice, NativeReport } from '../config/native-mode.js';
import type { Crypto } from '../crypto/crypto.js';
import { loadCrypto } from '../crypto/load-crypto.js';
import type { Logger } from '../log.js';
import { DataDirectory } from '../storage/data-directory.js';
import { openStore } from '../storage/open-store.js';
import type { Store } from '../storage/store.js';
import type { NodeEnvironment } from './core/core-options.js';

export interface NodeBase {
  readonly crypto: Crypto;
  readonly store: Store;
}

export async function openBase(
  environment: Pick<NodeEnvironment, 'config' | 'report' | 'teardown'> & { readonly log?: Logger },
): Promise<NodeBase> {
  const { config, log, report, teardown } = environment;
  const { dataDir, native, cacheBytes } = config;
  const directory = await DataDirectory.open(dataDir);
  teardown.add(() => directory.close());
  const crypto = await loadCrypto(native, report);
  const onWarning = (message: string) => log?.warn(message);
  const store = await openStore({
    directory: join(dataDir, 'store'),
    native,
    report,
    cacheBytes,
    log: onWarning,
  });
  teardown.add(() => store.close());
  return { crypto, store };
}

/** Logs the implementation in use, native or fallback. @param parts also receives the choice, by part */
export function nativeReport(log: Logger, parts?: Map<string, NativeChoice>): NativeReport {
  return (choice) => {
    const { part, implementation, native, reason } = choice;
    parts?.set(part, choice);
    log.info(
      { part, implementation, ...(reason === undefined ? {} : { reason }) },
      native ? `${part}: native, ${implementation}` : `${part}: pure, ${implementation}`,
    );
  };
}
