import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { devValidatorKey } from '../../../src/consensus/validator-key.js';
import { loadCrypto } from '../../../src/crypto/load-crypto.js';
import { ledger } from '../../../src/ledger/codecs.js';
import { devGenesis } from '../../../src/ledger/dev-genesis.js';
import { RpcClient } from '../../outside/rpc.js';
import { heddle } from '../nodes/command-line.js';
import { NodeProcess, removeDirectory, temporaryDirectory } from '../nodes/node-process.js';
import { grow } from './followed-chain.js';

/** Enough for several chunks. */
const ACCOUNTS = 24_000;

export interface Chunk {
  readonly height: number;
  readonly index: number;
  readonly proof: unknown;
  readonly entries: readonly { readonly key: string; readonly value: string }[];
  readonly blobs: readonly string[];
}

/** A running node whose chain has checkpoints of several chunks, and the first of them. */
export class SnapshotSource {
  readonly directory: string;
  /** Flags of any node of the chain. */
  readonly chain: readonly string[];
  readonly flags: readonly string[];
  readonly dataDir: string;
  /** The group key, in hexadecimal. */
  readonly groupKey: string;
  node: NodeProcess | undefined;
  /** Of the first checkpoint. */
  height = 0;
  stateRoot = '';
  readonly chunks: Chunk[] = [];

  private constructor(genesis: string, key: string, groupKey: string, directory: string) {
    this.directory = directory;
    this.dataDir = this.path('source');
    this.groupKey = groupKey;
    this.chain = ['--genesis', genesis, '--validator-key', key];
    this.flags = [
      ...this.chain,
      // Nothing but transactions moves the chain, because checkpoints of that many accounts take their time.
      ...['--block-time', '20', '--idle-block-time', '60000'],
      ...['--checkpoint-interval', '4', '--checkpoints-kept', '1000'],
    ];
  }

  static async start(): Promise<SnapshotSource> {
    const directory = temporaryDirectory();
    const crypto = await loadCrypto('auto', () => undefined);
    const base = devGenesis(crypto);
    const groupKey = Buffer.from(base.validator_set.group_public_key).toString('hex');
    const accounts = Array.from({ length: ACCOUNTS }, (_, index) => ({
      address: crypto.sha256(Buffer.from(`account ${index}`)).slice(12),
      balance: BigInt(index + 1),
    }));
    const [genesis, key] = [join(directory, 'genesis.json'), join(directory, 'key.json')];
    writeFileSync(genesis, ledger.Genesis.toJson({ ...base, accounts: [...base.accounts, ...accounts] }));
    const privateKey = `0x${Buffer.from(devValidatorKey(crypto)).toString('hex')}`;
    writeFileSync(key, JSON.stringify({ scheme: 'bls12-381', private_key: privateKey }), { mode: 0o600 });
    const source = new SnapshotSource(genesis, key, groupKey, directory);
    source.node = await NodeProcess.start({ dataDir: source.dataDir, flags: source.flags });
    await source.#fetch(source.node);
    return source;
  }

  path(name: string): string {
    return join(this.directory, name);
  }

  /** The file with the first checkpoint's light snapshot. */
  get light(): string {
    return this.path('light.json');
  }

  /** Stops the node and exports the first checkpoint. @returns the command's output */
  async export(archive: string): Promise<string> {
    await this.node?.stop();
    const { code, out, err } = await heddle([
      ...['snapshot', 'export', '--data-dir', this.dataDir, '--at', String(this.height), '--json'],
      ...[...this.chain, archive],
    ]);
    assert.equal(code, 0, err);
    return out;
  }

  async dispose(): Promise<void> {
    await this.node?.kill();
    removeDirectory(this.directory);
  }

  async #fetch(node: NodeProcess): Promise<void> {
    const rpc = new RpcClient(node.url);
    try {
      await grow(node, 6n);
      for (let waited = 0; this.height === 0; waited += 50) {
        assert.ok(waited < 20_000, node.log);
        await sleep(50);
        const answer = await rpc.call('get_checkpoint_list');
        const [newest] = (answer as { checkpoints: { height: number }[] }).checkpoints;
        this.height = newest?.height ?? 0;
      }
      const { height } = this;
      const answer = (await rpc.call('get_light_snapshot', { height })) as {
        checkpoint: { chunk_count: number; state_root: string };
      };
      writeFileSync(this.light, JSON.stringify(answer));
      this.stateRoot = answer.checkpoint.state_root;
      for (let index = 0; index < answer.checkpoint.chunk_count; index++) {
        const chunk = (await rpc.call('get_snapshot_chunk', { height, index })) as Chunk;
        const { proof, entries, blobs } = chunk;
        this.chunks.push({ height, index, proof, entries, blobs });
      }
    } finally {
      rpc.close();
    }
  }
}
