// A clock that jumps changes block timestamps but no measured durations.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningNode } from '../../src/node.js';
import { RpcClient } from '../outside/rpc.js';
import { nodeStatus } from '../outside/traffic.js';
import { NodeParts } from '../support/nodes/node-parts.js';
import { perTier } from '../support/sweep.js';

const HOURS = 3_600_000;
const JUMPS = perTier([[-3, 3]], [[3], [-3], [3, -3], [-3, 3], [1_000, -1_000]]);

interface Consensus {
  readonly block_interval_ms: { readonly p50: number; readonly p99: number };
  readonly finality_latency_ms: { readonly p99: number };
}

async function open(parts: NodeParts, now: () => number): Promise<{ node: RunningNode; rpc: RpcClient }> {
  const node = await parts.node({ flags: { 'block-time': '50', 'idle-block-time': '50' }, now });
  return { node, rpc: new RpcClient(node.url) };
}

async function untilHeight(rpc: RpcClient, height: bigint): Promise<void> {
  const deadline = performance.now() + 20_000;
  while ((await nodeStatus(rpc)).tip.height < height) {
    assert.ok(performance.now() < deadline, `block ${height} was not sealed`);
    await sleep(20);
  }
}

async function assertMeasured(rpc: RpcClient): Promise<void> {
  const { consensus, sync } = (await rpc.call('validator_status')) as {
    readonly consensus: Consensus;
    readonly sync: { readonly tip_age_ms: number };
  };
  for (const { p99 } of [consensus.block_interval_ms, consensus.finality_latency_ms]) {
    assert.ok(p99 < 60_000, `${p99} ms`);
  }
  assert.ok(consensus.block_interval_ms.p50 >= 40, `${consensus.block_interval_ms.p50} ms between blocks`);
  assert.ok(sync.tip_age_ms < 60_000, `the tip is ${sync.tip_age_ms} ms old`);
  const { uptime_ms: uptime } = (await rpc.call('health')) as { readonly uptime_ms: number };
  assert.ok(uptime < 120_000, `up for ${uptime} ms`);
}

describe('a clock that jumps', () => {
  for (const jumps of JUMPS) {
    test(`by ${jumps.join(', then by ')} hours leaves block pace and statistics unchanged, also across a restart`, async (t) => {
      const parts = NodeParts.for(t);
      let offset = 0;
      const now = (): number => Date.now() + offset;
      const first = await open(parts, now);
      try {
        await untilHeight(first.rpc, 5n);
        for (const hours of jumps) {
          offset += hours * HOURS;
          const { tip } = await nodeStatus(first.rpc);
          await untilHeight(first.rpc, tip.height + 5n);
        }
        await assertMeasured(first.rpc);
      } finally {
        first.rpc.close();
        await first.node.stop();
      }
      offset += 3 * HOURS;
      const second = await open(parts, now);
      try {
        const { tip } = await nodeStatus(second.rpc);
        await untilHeight(second.rpc, tip.height + 5n);
        await assertMeasured(second.rpc);
      } finally {
        second.rpc.close();
        await second.node.stop();
      }
    });
  }
});
