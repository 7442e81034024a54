/**
 * Cost of moving a snapshot from one data directory to another: creating, exporting, importing and verifying it, and
 * a start with it.
 *
 *     npm run bench -- snapshot [accounts, default 1000000] [require | off]
 *
 * The source is a data directory with `accounts` accounts in its state; every step calls the function behind the
 * command of the same name. Targets: all four steps together under 60 s with 1,000,000 accounts, a start under 2 s.
 */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openChain } from '../src/chain/open-chain.js';
import { loadConfig } from '../src/config/config.js';
import { loadCrypto } from '../src/crypto/load-crypto.js';
import type { Genesis } from '../src/generated/ledger.js';
import { appendBlock, NO_CONTENT } from '../src/ledger/block-store.js';
import { putTip } from '../src/ledger/chain-meta.js';
import { ledger } from '../src/ledger/codecs.js';
import { devGenesis } from '../src/ledger/dev-genesis.js';
import { blockHash } from '../src/ledger/header.js';
import { accountKey } from '../src/ledger/state-keys.js';
import { createLogger } from '../src/log.js';
import {
  createSnapshot,
  exportSnapshot,
  importSnapshot,
  verifySnapshot,
} from '../src/node/offline/snapshot-directory.js';
import { startNode } from '../src/node.js';
import { ProofService } from '../src/proofs/proof-service.js';
import { writeTree } from '../src/proofs/write-tree.js';
import { be64 } from '../src/storage/big-endian.js';
import { DataDirectory } from '../src/storage/data-directory.js';
import { openStore } from '../src/storage/open-store.js';
import { appendStateChanges } from '../src/storage/state.js';
import { WriteBatch } from '../src/storage/write-batch.js';
import { describePositionals } from './support/bench-arguments.js';
import { atMost, recordCost } from './support/record-values.js';
import { printReport } from './support/statistics.js';

describePositionals('[accounts, default 1000000] [require | off]');
const accounts = Number(process.argv[2] ?? 1_000_000);
const native = process.argv[3] === 'off' ? 'off' : 'require';

const directory = await mkdtemp(join(tmpdir(), 'heddle-snapshot-bench-'));
const rows: Record<string, string | number> = { accounts, native };
let total = 0;

async function timed<T>(name: string, work: () => Promise<T>): Promise<T> {
  const wall = performance.now();
  const cpu = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(cpu);
  const seconds = (performance.now() - wall) / 1_000;
  rows[name] = `${seconds.toFixed(1)} s, ${((user + system) / 1e6).toFixed(1)} s of processor time`;
  recordCost(`${accounts} accounts: ${name}`, 's', seconds);
  total += seconds;
  return result;
}

function configOf(dataDir: string) {
  return loadConfig({
    flags: {
      'data-dir': join(directory, dataDir),
      port: '0',
      native,
      'log-level': 'error',
    },
    environment: {},
    workingDirectory: directory,
  });
}

async function startAndStop(dataDir: string): Promise<number> {
  const config = configOf(dataDir);
  const from = performance.now();
  const node = await startNode(config, await createLogger(config), { sealing: 'manual' });
  const started = performance.now() - from;
  await node.stop();
  return started;
}

/** Creates a development chain whose first block gives balances to all accounts directly, without transactions. */
async function fillSource(): Promise<Genesis> {
  const { dataDir } = configOf('source');
  const data = await DataDirectory.open(dataDir);
  const store = await openStore({ directory: join(dataDir, 'store'), native, report: () => undefined });
  const crypto = await loadCrypto(native, () => undefined);
  const genesis = devGenesis(crypto);
  const proofs = await ProofService.start({
    store: store.handle,
    native,
    tip: undefined,
    onProgress: () => undefined,
    writeTree: (encoded) => writeTree(store, encoded),
  });
  const { tip: first } = await openChain(store, crypto, proofs, genesis);
  const changes = Array.from({ length: accounts }, (_, index) => ({
    key: accountKey(crypto, crypto.sha256(Buffer.from(`account ${index}`)).slice(12)),
    value: ledger.AccountRecord.encode({
      balance: BigInt(index) + 10n ** 18n,
      lanes: [{ lane: 0, next_nonce: 1n }],
      deploy_index: 0n,
    }),
    previous: undefined,
  }));
  const roots = await proofs.blockRoots({
    height: 1n,
    parentHash: first.hash,
    changes,
    items: [],
    receipts: [],
  });
  const header = {
    ...first.header,
    height: 1n,
    parent_hash: first.hash,
    view: 1n,
    timestamp_ms: first.header.timestamp_ms + 1n,
    state_root: roots.stateRoot,
    history_root: roots.historyRoot,
  };
  const encodedHeader = ledger.BlockHeader.encode(header);
  const hash = blockHash(crypto, encodedHeader);
  const batch = new WriteBatch();
  appendBlock(batch, { header, encodedHeader, hash, ...NO_CONTENT });
  appendStateChanges(batch, 1n, changes);
  for (const node of roots.mmrNodes) batch.put('mmr', be64(node.position), node.hash);
  putTip(batch, { height: 1n, hash });
  await store.write(batch, { sync: true });
  proofs.commit(roots.id, { height: 1n, hash });
  await writeTree(store, await proofs.stop());
  await store.close();
  await data.close();
  return genesis;
}

try {
  const { validator_set: validators } = await fillSource();
  const trust = { type: 'key', groupPublicKey: validators.group_public_key } as const;
  const onProgress = () => undefined;
  const file = join(directory, 'snapshot.tar.gz');
  const checkpoint = await timed('create', () => createSnapshot(configOf('source'), { onProgress }));
  await timed('export', () => exportSnapshot(configOf('source'), { file, onProgress }));
  await timed('import', () => importSnapshot(configOf('target'), { file, trust, onProgress }));
  await timed('verify', () => verifySnapshot(configOf('target'), { file, trust, onProgress }));
  rows['all four'] = `${total.toFixed(1)} s`;
  rows['entries, chunks'] = `${checkpoint.entries}, ${checkpoint.chunk_count}`;
  rows['archive, MB'] = ((await stat(file)).size / 1e6).toFixed(1);
  const startSeconds = (await startAndStop('target')) / 1_000;
  recordCost(`${accounts} accounts: all four`, 's', total, atMost(60));
  recordCost(`${accounts} accounts: start`, 's', startSeconds, atMost(2));
  rows['start with it'] = `${startSeconds.toFixed(2)} s`;
  printReport('snapshots', rows);
} finally {
  await rm(directory, { recursive: true, force: true });
}
