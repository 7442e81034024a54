import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Registry } from 'prom-client';
import { parallelSample } from '../../../src/cli/node/status-view.js';
import { Declarations } from '../../../src/rpc/metrics/declare.js';
import { chainMetrics } from '../../../src/rpc/metrics/node-metrics.js';

describe('parallel execution in the metrics', () => {
  it('matches the node’s own counts', async () => {
    const registry = new Registry();
    const metrics = chainMetrics(new Declarations(registry));
    const block = { groups: 3, rounds: 1, wastedGas: 5_000n, speedUp: 2 };
    metrics.parallel.observe({ ...block, units: 10, reruns: 1, workMs: 30, elapsedMs: 10 });
    metrics.parallel.observe({ ...block, units: 20, reruns: 2, workMs: 20, elapsedMs: 30 });
    const sample = parallelSample(await registry.metrics());
    assert.deepEqual(sample, { units: 30, groups: 6, reruns: 3, speedUp: 1.25 });
  });

  it('is absent before a block had work for workers', async () => {
    const registry = new Registry();
    const metrics = chainMetrics(new Declarations(registry));
    assert.equal(parallelSample(await registry.metrics()), undefined);
    metrics.parallel.observe({
      units: 0,
      groups: 0,
      reruns: 0,
      rounds: 0,
      wastedGas: 0n,
      workMs: 0,
      elapsedMs: 1,
      speedUp: 0,
    });
    assert.equal(parallelSample(await registry.metrics()), undefined);
  });
});
