/**
 * What a snapshot costs on the way from one data directory to another: created, exported, imported, verified, and a start with it.
 *
 *     node dist/bench/snapshot.bench.js [accounts, default 1000000] [require | off]
 *
 * The source is a real data directory whose genesis has so many accounts; every step is the function behind the command of the same
 * name. Aims: all four steps together under 60 s with 1,000,000 accounts, a start under 2 s.
 */
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../src/config/config.js';
import { devValidatorKey } from '../src/consensus/validator-key.js';
import { loadCrypto } from '../src/crypto/load-crypto.js';
import type { Genesis } from '../src/generated/ledger.js';
import { ledger } from '../src/ledger/codecs.js';
import { devGenesis } from '../src/ledger/dev-genesis.js';
import { createLogger } from '../src/log.js';
import {
  createSnapshot,
  exportSnapshot,
  importSnapshot,
  verifySnapshot,
} from '../src/node/snapshot-directory.js';
import { startNode } from '../src/node.js';
import { printReport } from './support/statistics.js';

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
  total += seconds;
  return result;
}

function configOf(dataDir: string) {
  return loadConfig({
    flags: {
      'data-dir': join(directory, dataDir),
      genesis: join(directory, 'genesis.json'),
      'validator-key': join(directory, 'key.json'),
      port: '0',
      native,
      'log-level': 'error',
    },
    environment: {},
    workingDirectory: directory,
  });
}

async function startAndStop(dataDir: string, seal: boolean): Promise<number> {
  const config = configOf(dataDir);
  const from = performance.now();
  const node = await startNode(config, createLogger(config), { sealing: 'manual' });
  const started = performance.now() - from;
  if (seal) await node.sealNow(Date.now());
  await node.stop();
  return started;
}

try {
  const crypto = await loadCrypto(native, () => undefined);
  const base = devGenesis(crypto);
  const genesis: Genesis = {
    ...base,
    accounts: Array.from({ length: accounts }, (_, index) => ({
      address: crypto.sha256(Buffer.from(`account ${index}`)).slice(12),
      balance: BigInt(index) + 10n ** 18n,
    })),
  };
  await writeFile(join(directory, 'genesis.json'), ledger.Genesis.toJson(genesis));
  const key = Buffer.from(devValidatorKey(crypto)).toString('hex');
  await writeFile(
    join(directory, 'key.json'),
    JSON.stringify({ scheme: 'bls12-381', private_key: `0x${key}` }),
    { mode: 0o600 },
  );
  await startAndStop('source', true);

  const trust = { type: 'key', groupPublicKey: base.validator_set.group_public_key } as const;
  const onProgress = () => undefined;
  const file = join(directory, 'snapshot.tar.gz');
  const checkpoint = await timed('create', () => createSnapshot(configOf('source'), { onProgress }));
  await timed('export', () => exportSnapshot(configOf('source'), { file, onProgress }));
  await timed('import', () => importSnapshot(configOf('target'), { file, trust, onProgress }));
  await timed('verify', () => verifySnapshot({ native }, { file, trust, onProgress }));
  rows['all four'] = `${total.toFixed(1)} s`;
  rows['entries, chunks'] = `${checkpoint.entries}, ${checkpoint.chunk_count}`;
  rows['archive, MB'] = ((await stat(file)).size / 1e6).toFixed(1);
  rows['start with it'] = `${((await startAndStop('target', false)) / 1_000).toFixed(2)} s`;
  printReport('snapshots', rows);
} finally {
  await rm(directory, { recursive: true, force: true });
}
