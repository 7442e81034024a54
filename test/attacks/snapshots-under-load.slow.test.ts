// Snapshots are created, served and dropped under full blocks, while a hostile client requests chunks and never reads.
import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { RpcClient, RpcFailure } from '../outside/rpc.js';
import { drained, nodeStatus, submitEvery, Traffic } from '../outside/traffic.js';
import { devWallet, transfer } from '../outside/wallet.js';
import { AttackedNode } from '../support/nodes/attacked-node.js';
import { perTier } from '../support/sweep.js';

const ACCOUNTS = perTier(1_000, 4_000);
const LOAD_MS = perTier(1_500, 6_000);
const MAX_ROUNDS = 8;
const READERS = 4;
const LEAVERS = perTier(4, 8);
const CHUNKS_A_BATCH = 20;
const KEPT = 2;
const KILLS = perTier(1, 2);
/** The attacker's address, which no honest client uses. */
const HOSTILE = '127.0.0.2';

interface Checkpoint {
  readonly height: number;
  readonly chunk_count: number;
}

interface Chunk {
  readonly chunk_hash: string;
  readonly entries: readonly { readonly key: string; readonly value: string }[];
}

function bytesIn(directory: string): number {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

describe('snapshots under load', () => {
  let attacked: AttackedNode;
  let traffic: Traffic;

  before(async () => {
    attacked = await AttackedNode.start([
      ...['--block-time', '50', '--idle-block-time', '0'],
      ...['--checkpoint-interval', '12', '--checkpoints-kept', String(KEPT)],
    ]);
    const { chain_id: chainId } = await nodeStatus(attacked.rpc);
    traffic = new Traffic(chainId, 1);
    for (let sent = 0; sent < ACCOUNTS; sent += 1_000) await submitEvery(attacked.rpc, transfers(0, 1_000));
    await drained(attacked.rpc);
  });
  after(() => attacked.dispose());

  function transfers(from: number, count: number) {
    return Array.from({ length: count }, () =>
      traffic.next(devWallet(from), { action: transfer(traffic.freshAddress(), 1n) }),
    );
  }

  /** Reads whole checkpoints repeatedly; a checkpoint dropped meanwhile must be reported as such. */
  async function read(until: number, hashes: Map<string, string>, count: { chunks: number; gone: number }) {
    const rpc = new RpcClient(attacked.node.url);
    try {
      while (Date.now() < until) {
        const { checkpoints } = (await rpc.call('list_checkpoints', {})) as { checkpoints: Checkpoint[] };
        assert.ok(checkpoints.length <= KEPT, `${checkpoints.length} checkpoints`);
        for (const { height, chunk_count: chunks } of checkpoints) {
          for (let index = 0; index < chunks; index++) {
            try {
              const chunk = (await rpc.call('get_snapshot_chunk', { height, index })) as Chunk;
              const name = `${height}/${index}`;
              assert.equal(hashes.get(name) ?? chunk.chunk_hash, chunk.chunk_hash, name);
              hashes.set(name, chunk.chunk_hash);
              assert.ok(chunk.entries.length > 0, name);
              count.chunks++;
            } catch (error) {
              if (!(error instanceof RpcFailure)) throw error;
              assert.match(
                String(error.data['reason'] ?? error.message),
                /no checkpoint at height|overloaded/,
              );
              count.gone++;
              break;
            }
          }
        }
      }
    } finally {
      rpc.close();
    }
  }

  /** Requests many chunks at once and disconnects midway through the response. */
  async function leave(until: number): Promise<number> {
    let times = 0;
    for (; Date.now() < until; times++) {
      const { checkpoints } = (await attacked.rpc.call('list_checkpoints', {})) as {
        checkpoints: Checkpoint[];
      };
      const [{ height } = { height: 0 }] = checkpoints;
      const calls = Array.from({ length: CHUNKS_A_BATCH }, (_, id) => ({
        jsonrpc: '2.0',
        id,
        method: 'get_snapshot_chunk',
        params: { height, index: 0 },
      }));
      await new Promise<void>((resolve) => {
        const headers = { 'content-type': 'application/json' };
        const asked = request(`${attacked.node.url}/v2/rpc`, {
          method: 'POST',
          headers,
          agent: false,
          localAddress: HOSTILE,
        });
        asked.on('error', () => resolve());
        asked.on('close', () => resolve());
        asked.on('response', (answer) => {
          answer.on('error', () => resolve());
          answer.destroy();
        });
        asked.end(JSON.stringify(calls));
        setTimeout(() => asked.destroy(), 20 + (times % 5) * 20);
      });
    }
    return times;
  }

  async function fillBlocks(until: number): Promise<void> {
    while (Date.now() < until) {
      await submitEvery(attacked.rpc, transfers(1, 100));
      await sleep(20);
    }
  }

  test('are served whole or not at all, in bounded memory and disk space, while blocks continue', async () => {
    const before = await nodeStatus(attacked.rpc);
    const hashes = new Map<string, string>();
    const count = { chunks: 0, gone: 0 };
    const left = new Array<number>(LEAVERS).fill(0);
    // On a slow machine checkpoints may be dropped before their first chunk is read.
    for (let round = 0; round < MAX_ROUNDS && count.chunks === 0; round++) {
      const until = Date.now() + LOAD_MS;
      await Promise.all([
        ...left.map(async (_, leaver) => {
          left[leaver] = (left[leaver] ?? 0) + (await leave(until));
        }),
        ...Array.from({ length: READERS }, () => read(until, hashes, count)),
        fillBlocks(until),
      ]);
    }
    await drained(attacked.rpc);
    const { tip } = await nodeStatus(attacked.rpc);
    assert.ok(Number(tip.height - before.tip.height) >= 2, `${tip.height - before.tip.height} blocks`);
    assert.ok(count.chunks > 0, `${count.chunks} chunks, ${count.gone} were gone`);
    assert.ok(
      left.every((times) => times > 2),
      `left ${left.join(' ')} times`,
    );
    assert.ok(!attacked.node.log.includes('internal error'), attacked.node.log.slice(-3_000));
    const mebibytes = bytesIn(attacked.dataDir) / 2 ** 20;
    assert.ok(mebibytes < 200, `${Math.round(mebibytes)} MiB on disk`);
    await attacked.assertSound({ peakMiB: 1_200 });
  });

  test('lose nothing when the node is killed while creating one', async () => {
    for (let times = 0; times < KILLS; times++) {
      await submitEvery(attacked.rpc, transfers(2 + times, 500));
      await sleep(150);
      await attacked.restart('kill');
    }
    await attacked.assertSound();
    const { checkpoints } = (await attacked.rpc.call('list_checkpoints', {})) as {
      checkpoints: Checkpoint[];
    };
    const [{ height, chunk_count: chunks } = assert.fail('no checkpoint is left')] = checkpoints;
    for (let index = 0; index < chunks; index++) {
      await attacked.rpc.call('get_snapshot_chunk', { height, index });
    }
  });
});
