import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openChain, storedTip } from '../../../chain/open-chain.js';
import type { Config } from '../../../config/config.js';
import { checkpointInterval } from '../../../config/defaults.js';
import type { Crypto } from '../../../crypto/crypto.js';
import { DEV_ACCOUNT_COUNT } from '../../../crypto/dev-accounts.js';
import { loadCrypto } from '../../../crypto/load-crypto.js';
import { ExecutionPool } from '../../../execution/pool/execution-pool.js';
import { devGenesis } from '../../../ledger/dev-genesis.js';
import { ProofService } from '../../../proofs/proof-service.js';
import { writeTree } from '../../../proofs/write-tree.js';
import { DataDirectory } from '../../../storage/data-directory.js';
import { openStore } from '../../../storage/open-store.js';
import type { Store } from '../../../storage/store.js';
import { withTeardown } from '../../teardown.js';
import type { Progress } from '../snapshot-directory.js';
import { type AddedBlocks, addBlocks } from './add-blocks.js';
import { BASE_HEIGHT, makeBaseBlock } from './base-block.js';
import { DevStateError } from './dev-state-error.js';
import { DevTransfers } from './dev-transfers.js';
import { fillState } from './fill-state.js';

const TREE_STEPS = 1_000;

export interface DevStateOptions extends AddedBlocks {
  /** Number of funded accounts; those of every development chain are the first. */
  readonly accounts: number;
  readonly onProgress: Progress;
}

export interface DevState {
  readonly height: bigint;
  readonly hash: Uint8Array;
  readonly stateRoot: Uint8Array;
}

/**
 * Makes the development chain in a data directory without one: with many accounts, with many blocks, or both.
 *
 * The store is made under another name, and gets its own once it is complete: a run that ends early leaves nothing that
 * a node would open, and the next run removes it.
 * @throws DevStateError `has_chain`; DataDirectoryError; StoreError; the signal's reason
 */
export function makeDevState(config: Config, options: DevStateOptions): Promise<DevState> {
  const { dataDir, native, cacheBytes } = config;
  const finished = join(dataDir, 'store');
  const directory = join(dataDir, 'store.unfinished');
  return withTeardown(async (teardown) => {
    const data = await DataDirectory.open(dataDir);
    teardown.add(() => data.close());
    if (existsSync(finished)) {
      throw new DevStateError('has_chain', `${dataDir} holds a chain already: name an empty --data-dir`);
    }
    await rm(directory, { recursive: true, force: true });
    teardown.add(() => rm(directory, { recursive: true, force: true }));
    const made = await withTeardown(async (opened) => {
      const crypto = await loadCrypto(native, () => undefined);
      const store = await openStore({ directory, native, report: () => undefined, cacheBytes });
      opened.add(() => store.close());
      if (options.accounts > DEV_ACCOUNT_COUNT) await addAccounts(store, crypto, config, options);
      return addChain(store, crypto, config, options);
    });
    await rename(directory, finished);
    return made;
  });
}

async function addAccounts(
  store: Store,
  crypto: Crypto,
  config: Config,
  options: DevStateOptions,
): Promise<void> {
  const { native } = config;
  const { accounts, onProgress, signal } = options;
  const onFilled = (done: number) => onProgress('deriving accounts', done, accounts);
  await fillState({ ...options, store, native, height: BASE_HEIGHT, onProgress: onFilled });
  await makeBaseBlock({
    store,
    crypto,
    native,
    genesis: devGenesis(crypto),
    checkpointInterval: devInterval(config),
    onProgress: (fraction) => {
      signal?.throwIfAborted();
      onProgress('building the state tree', Math.floor(fraction * TREE_STEPS), TREE_STEPS);
    },
  });
}

function addChain(store: Store, crypto: Crypto, config: Config, options: DevStateOptions): Promise<DevState> {
  const { native, treeMemoryBytes, proofWindow, stateRetention } = config;
  const { accounts, blocks: count, onProgress } = options;
  return withTeardown(async (teardown) => {
    const tip = storedTip(store);
    const proofs = await ProofService.start({
      store: store.handle,
      native,
      proofWindow,
      memoryBytes: treeMemoryBytes,
      tip: tip === undefined ? undefined : { ...tip, stateRoot: tip.header.state_root },
      checkpointInterval: devInterval(config),
      onProgress: () => undefined,
      writeTree: (encoded) => writeTree(store, encoded),
    });
    teardown.add(async () => writeTree(store, await proofs.stop()));
    const chain = await openChain(store, crypto, proofs, devGenesis(crypto));
    if (count > 0) {
      const setup = { native, store: store.handle };
      const blocks = new ExecutionPool({ name: 'block-', setup, workers: config.workers });
      teardown.add(() => blocks.stop());
      await addBlocks({
        ...options,
        store,
        crypto,
        chain,
        proofs,
        workers: blocks,
        stateRetention,
        transfers: new DevTransfers(crypto, Math.max(accounts, DEV_ACCOUNT_COUNT)),
        onProgress: (done) => onProgress('adding blocks', done, count),
      });
    }
    const { header, hash } = chain.tip;
    return { height: header.height, hash, stateRoot: header.state_root };
  });
}

/** The interval of a node that starts on the chain, which has the development genesis. */
function devInterval({ checkpointInterval: given }: Config): number {
  return checkpointInterval({ checkpointInterval: given, genesisFile: undefined });
}
