import { interval, type LoadFacts, limitOf } from './limit.js';
import type { Verdict } from './load-report.js';
import { count } from './number-text.js';
import type { ThreadUsage } from './resources/usage.js';

export function verdictOf(facts: LoadFacts): Verdict {
  const { per_second: rates, settings, totals } = facts;
  const { kind, text } = limitOf(facts);
  // Without a limit the rate of sealing falls short by the time after the last transaction alone.
  const sealed =
    kind === 'none'
      ? `${count(totals.sealed)} of the ${count(totals.sent + totals.held_back)} transactions due at ${count(settings.rate)}/s`
      : `${count(rates.sealed)}/s of ${count(settings.rate)}/s asked for`;
  return {
    sentence: `sealed ${sealed}; ${text}`,
    limit: kind,
    evidence: [
      ...nodeEvidence(facts),
      ...generatorEvidence(facts),
      ...blockEvidence(facts),
      ...lossEvidence(facts),
    ],
  };
}

function nodeEvidence({ resources: { node, node_problem: problem } }: LoadFacts): string[] {
  if (node === undefined) return [`the node's metrics could not be read: ${problem ?? 'no reason given'}`];
  const parts = [
    `the node used ${node.cores.toFixed(1)} cores`,
    ...(node.main === undefined ? [] : [`main thread ${busyText(node.main)}`]),
    ...(node.front === undefined ? [] : [`busiest front thread ${busyText(node.front)}`]),
    ...shareText('block workers', node.block_workers, 'busy'),
    ...shareText('of them with contract calls', node.contracts, ''),
  ];
  const phases = [
    ...shareText('sealing of blocks', node.seal, ''),
    ...shareText('state tree', node.roots, ''),
    ...shareText('store', node.commit, ''),
  ];
  return [parts.join(', '), ...(phases.length === 0 ? [] : [`share of the time: ${phases.join(', ')}`])];
}

function generatorEvidence({ resources }: LoadFacts): string[] {
  const { generator, generator_cores: cores } = resources;
  if (generator === undefined) return [];
  const { busy, cores: used } = generator;
  return [
    `the load generator used ${used.toFixed(1)} of ${cores} cores, its event loop was ${percent(busy)} busy`,
  ];
}

function blockEvidence(facts: LoadFacts): string[] {
  const { blocks, block_time_ms: blockMs } = facts;
  if (blocks.count === 0) return ['no block came'];
  return [
    `blocks were ${percent(blocks.fill_mean)} full and came every ${count(interval(facts))} ms; the block time is ${count(blockMs)} ms`,
  ];
}

function lossEvidence({ totals, refusals }: LoadFacts): string[] {
  const reasons = Object.entries(refusals).map(([reason, times]) => `${count(times)} ${reason}`);
  return [
    ...(totals.held_back > 0
      ? [
          `${count(totals.held_back)} transactions were held back: ${count(totals.held_back_unsealed)} with too many unsealed, ${count(totals.held_back - totals.held_back_unsealed)} with too many in flight`,
        ]
      : []),
    ...(reasons.length > 0 ? [`refused: ${reasons.join(', ')}`] : []),
  ];
}

function busyText({ busy, cores }: ThreadUsage): string {
  return `${percent(busy)} busy${cores === undefined ? '' : ` with ${percent(cores)} of a processor`}`;
}

function shareText(what: string, share: number | undefined, then: string): string[] {
  return share === undefined ? [] : [`${what} ${percent(share)}${then === '' ? '' : ` ${then}`}`];
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
