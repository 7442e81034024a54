import { readFile } from 'node:fs/promises';
import { errorMessage } from '../../base/errors.js';
import { sameBytes } from '../../base/same-bytes.js';
import { storedTip } from '../../chain/open-chain.js';
import type { Config } from '../../config/config.js';
import { badFlag } from '../../config/config-error.js';
import { parseFork } from '../../config/option-kinds.js';
import type { Genesis } from '../../generated/ledger.js';
import { readGenesis } from '../../ledger/chain-meta.js';
import { ledger } from '../../ledger/codecs.js';
import { isForkable } from '../../ledger/forked-state.js';
import { blockHash } from '../../ledger/header.js';
import { BaseReader } from '../../storage/fork-base/base-reader.js';
import { forkCacheDirectory } from '../../storage/fork-base/fork-cache.js';
import { storeOnBase } from '../../storage/fork-base/store-on-base.js';
import { openReader } from '../../storage/open-store.js';
import type { NodeEnvironment } from '../core/core-options.js';
import { devChainGenesis } from '../dev/dev-chain.js';
import type { NodeBase } from '../open-base.js';
import { ForkError } from './fork-error.js';
import { type ForkRecord, readForkRecord, writeForkRecord } from './fork-record.js';
import { ForkThread } from './fork-thread.js';
import { expectNoFork, forkedHeader } from './forked-chain.js';

export interface Fork {
  /** The node's parts, with a store that also shows the forked chain's state. */
  readonly base: NodeBase;
  readonly genesis: Genesis;
  readonly thread: ForkThread;
  /** The funded accounts that the forked chain has as well; none once the first block has copied them. */
  readonly initial: readonly Uint8Array[];
}

interface ForkOptions extends NodeEnvironment {
  readonly base: NodeBase;
}

/**
 * Opens the fork of `--fork`, or the one that the data directory holds; undefined for any other chain.
 * @throws ForkError, ConfigError, StoreError
 */
export async function openFork(options: ForkOptions): Promise<Fork | undefined> {
  const { config, base, log, teardown } = options;
  const token = await tokenOf(config);
  const record = await forkOf(options, token);
  if (record === undefined) return undefined;
  const { header, url } = record;
  const encodedHeader = encoded(header);
  const hash = blockHash(base.crypto, encodedHeader);
  const thread = await ForkThread.start(
    {
      native: config.native,
      directory: forkCacheDirectory(config.dataDir, hash),
      url,
      token,
      header: encodedHeader,
    },
    options.fail,
  );
  teardown.add(() => thread.stop());
  const { handle } = thread;
  const reader = new BaseReader(openReader(handle.cache), handle.mailboxes);
  teardown.add(() => reader.close());
  log.info(
    { url, chain_id: header.chain_id.toString(), height: header.height.toString() },
    `a fork of chain ${header.chain_id} at block ${header.height}, from ${url}`,
  );
  const genesis = devChainGenesis(config, base.crypto, base.store, config.dataDir, header);
  const isNew = (storedTip(base.store)?.height ?? 0n) === 0n;
  const funded = isNew ? genesis.accounts.map(({ address }) => address) : [];
  const initial = funded.filter((name) => isForkable(name) && reader.value(name, 'show') !== undefined);
  return { base: { ...base, store: storeOnBase(base.store, reader, handle) }, genesis, thread, initial };
}

/** Refuses `--fork` beside options that choose another chain. @throws ConfigError */
export function expectForkAlone({ fork, genesisFile, validator, follow, awaitSnapshot }: Config): void {
  if (fork === undefined) return;
  const others = { genesis: genesisFile, validator, follow: follow[0], 'await-snapshot': awaitSnapshot };
  for (const [flag, value] of Object.entries(others)) {
    if (value !== undefined)
      throw badFlag('fork', fork, `none beside --${flag}: a fork is a chain of its own`);
  }
}

/** The token of `--fork-token-file`. @throws ForkError */
async function tokenOf({ forkTokenFile: path }: Config): Promise<string | undefined> {
  if (path === undefined) return undefined;
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    throw new ForkError(`${path}: cannot read the token: ${errorMessage(error)}`, { cause: error });
  }
}

async function forkOf(
  { config: { fork, dataDir, genesisFile }, base }: ForkOptions,
  token: string | undefined,
): Promise<ForkRecord | undefined> {
  const held = await readForkRecord(dataDir);
  if (held !== undefined && genesisFile !== undefined) {
    throw badFlag(
      'fork',
      `--genesis ${genesisFile}`,
      `none: ${dataDir} holds a fork of ${held.url}; name another --data-dir`,
    );
  }
  if (fork === undefined) return held;
  const { url, height } = parseFork(fork);
  const stored = readGenesis(base.store) !== undefined;
  if (held === undefined && stored) {
    throw badFlag('fork', fork, `an empty --data-dir or one with a fork: ${dataDir} holds another chain`);
  }
  // A record without a chain is left from a start that failed.
  if (held !== undefined && stored) {
    if (height !== undefined && height !== held.header.height) {
      const expected = `@${held.header.height} or no height: ${dataDir} holds a fork of that block; name another --data-dir`;
      throw badFlag('fork', fork, expected);
    }
    if (url === held.url) return held;
  }
  if (!stored) await expectNoFork({ url, token }, base.crypto);
  const header = await forkedHeader({ url, token }, stored ? held?.header.height : height);
  if (held !== undefined && stored && !sameBytes(encoded(header), encoded(held.header))) {
    const expected = `a node of the chain that ${dataDir} holds a fork of; name another --data-dir`;
    throw badFlag('fork', fork, expected);
  }
  const record = { url, header };
  await writeForkRecord(dataDir, record);
  return record;
}

function encoded(header: ForkRecord['header']): Uint8Array {
  return ledger.BlockHeader.encode(header);
}
