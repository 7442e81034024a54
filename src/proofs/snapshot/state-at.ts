import type { Hashes } from '../../crypto/load-hashes.js';
import { ledger } from '../../ledger/codecs.js';
import { readAt } from '../../storage/state.js';
import { scanStateAt } from '../../storage/state-scan.js';
import type { StoreReader } from '../../storage/store.js';
import { ContractKeys } from './chunk-rule.js';
import type { CutSources } from './cut.js';

/** The state of a store at a committed height, as cutting looks at it. */
export function stateAt(store: StoreReader, hashes: Hashes, height: bigint): CutSources {
  return {
    hashes,
    entries: scanStateAt(store, height),
    contracts: new ContractKeys(hashes, (key) => {
      const value = readAt(store, key, height);
      return value === undefined ? undefined : ledger.AccountRecord.decode(value);
    }),
    blob: ({ kind, hash }) => store.get(kind, hash),
  };
}
