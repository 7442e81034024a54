import type { LoadReport } from '../../src/load/load-report.js';
import { Recorder } from '../../src/load/recorder.js';
import type { NodeUsage } from '../../src/load/resources/usage.js';
import type { LoadFacts } from '../../src/load/verdict.js';
import { verdictOf } from '../../src/load/verdict.js';

export const IDLE_NODE: NodeUsage = {
  cores: 0.5,
  memory_bytes: 200 * 1_024 * 1_024,
  main: { busy: 0.3, cores: 0.3 },
  front: { busy: 0.2, cores: 0.2 },
  block_workers: 0.1,
  contracts: 0.01,
  roots: 0.1,
  commit: 0.1,
  seal: 0.2,
};
const GENERATOR = { busy: 0.2, cores: 0.3, memory_bytes: 100 * 1_024 * 1_024 };

/** Facts of a load of which a machine with eight cores took all. */
export function sampleFacts(
  changes: Partial<LoadFacts> = {},
): LoadFacts & Pick<LoadReport, 'accepted_ms' | 'sealed_ms'> {
  const recorder = new Recorder();
  for (let i = 1; i <= 1_000; i++) {
    recorder.sent();
    recorder.accepted(i, new Uint8Array(32), i);
    recorder.sealed(2 * i);
  }
  recorder.block({ transactions: 10, fill: 0.25 });
  recorder.sample(1_000, 3, 4, { generator: GENERATOR, node: IDLE_NODE });
  recorder.sample(2_000, 0, 0, { generator: GENERATOR });
  return {
    ended: 'complete',
    block_time_ms: 250,
    settings: {
      profile: 'transfers',
      rate: 500,
      duration_s: 2,
      connections: 8,
      accounts: 32,
      lanes: 4,
      max_unsealed: 20_000,
      seed: 1,
    },
    ...recorder.report(2_000, 4_000, 0),
    resources: { generator: GENERATOR, node: IDLE_NODE, generator_cores: 8, same_machine: true },
    ...changes,
  };
}

export function sampleReport(changes: Partial<LoadReport> = {}): LoadReport {
  const facts = sampleFacts();
  return {
    ...facts,
    kind: 'heddle load report 1',
    started: '2026-01-02T03:04:05.000Z',
    description: 'native transfers among the accounts',
    url: 'http://127.0.0.1:1/v2/rpc',
    node_version: '0.1.0',
    chain_id: '9545',
    sampled_outcomes: { success: 60, reverted: 4 },
    sampled_errors: { InsufficientBalance: 3, unnamed: 1 },
    verdict: verdictOf(facts),
    ...changes,
  };
}
