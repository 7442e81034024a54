import { count } from '../base/number-text.js';
import type { LimitKind, LoadReport, Verdict } from './load-report.js';
import type { ThreadUsage } from './resources/usage.js';

/** What a verdict is made of. */
export type LoadFacts = Pick<
  LoadReport,
  | 'ended'
  | 'settings'
  | 'block_time_ms'
  | 'sending_s'
  | 'whole_s'
  | 'totals'
  | 'per_second'
  | 'refusals'
  | 'blocks'
  | 'samples'
  | 'resources'
>;

export interface Limit {
  readonly kind: LimitKind;
  /** A clause such as `the limit was the main thread`. */
  readonly text: string;
}

/** Share of the due transactions that counts as all of them. */
const NEARLY_ALL = 0.98;
/** A thread counts as always busy from this share of the time on. */
const ALWAYS_BUSY = 0.9;
/** A thread that has work for less than this share of its time does not count as waiting for a processor. */
const OFTEN_BUSY = 0.4;
/** Share of its busy time that a thread runs at least, unless it waits for a processor. */
const RUNS = 0.6;
/** Share of the sent transactions from which their refusal counts as the limit. */
const MANY_REFUSED = 0.05;
/** Ratio of gas used to gas limit from which blocks count as full: the next transaction may not fit. */
const FULL = 0.9;

/** Refusals that name the limit, by their reasons. */
const REFUSALS: readonly (readonly [kind: LimitKind, text: string, reasons: readonly string[]])[] = [
  ['rate_limit', "the node's rate limit for this caller", ['rate_limited']],
  [
    'access',
    "the caller's access: the node refuses it without another token",
    ['unauthorized', 'forbidden', 'payment_required'],
  ],
  [
    'fees',
    'the fee: the node asks for more than the load offers',
    ['fee_too_low', 'replacement_underpriced'],
  ],
  ['funds', 'the funds of the accounts', ['insufficient_balance']],
];

/** Refusals that show that the node does not keep up, but not why. */
const OVERFLOWS: readonly (readonly [kind: LimitKind, text: string, reasons: readonly string[]])[] = [
  ['pool', "the node's pool, which was full", ['pool_full']],
  ['node_overloaded', 'the number of calls that the node takes at once', ['overloaded']],
];

/** The first cause that the facts support, from what rules out the others to what only suggests itself. */
export function limitOf(facts: LoadFacts): Limit {
  const { ended, totals, blocks } = facts;
  if (ended === 'node_gone') return { kind: 'node_gone', text: 'the node stopped answering' };
  if (totals.sent + totals.held_back === 0) return unknown('nothing was due');
  if (isReached(facts)) return { kind: 'none', text: 'no limit was reached' };
  const refused = refusalOf(facts, REFUSALS);
  if (refused !== undefined) return refused;
  if (blocks.fill_mean >= FULL) {
    return limit('gas_limit', `the gas limit of blocks, which came every ${interval(facts)} ms`);
  }
  return saturated(facts) ?? refusalOf(facts, OVERFLOWS) ?? ownSettingOf(facts) ?? unknown(symptomOf(facts));
}

/** The mean time between blocks in milliseconds, without decimals; 0 without blocks. */
export function interval({ whole_s: whole, blocks }: Pick<LoadFacts, 'whole_s' | 'blocks'>): number {
  return blocks.count === 0 ? 0 : Math.round((whole * 1_000) / blocks.count);
}

/** Whether nearly all that was due was sealed, and soon after it was sent. */
function isReached({ totals, sending_s: sending, whole_s: whole, block_time_ms: blockMs }: LoadFacts) {
  const { sent, held_back: heldBack, sealed } = totals;
  const soon = Math.max(2, 0.1 * sending, (4 * blockMs) / 1_000);
  return sealed >= NEARLY_ALL * (sent + heldBack) && whole - sending <= soon;
}

function refusalOf(
  { refusals, totals, per_second: rates, resources: { node } }: LoadFacts,
  causes: typeof REFUSALS,
): Limit | undefined {
  const found = causes
    .map(([kind, text, reasons]) => {
      const counted = reasons.reduce((sum, reason) => sum + (refusals[reason] ?? 0), 0) / totals.sent;
      // The client retries these, so they show in the node's counts alone.
      const retried =
        kind === 'rate_limit' ? node?.rate_limited : kind === 'node_overloaded' ? node?.overloaded : 0;
      return { kind, text, share: Math.max(counted, (retried ?? 0) / Math.max(1, rates.sent)) };
    })
    .sort((a, b) => b.share - a.share)[0];
  return found !== undefined && found.share >= MANY_REFUSED ? limit(found.kind, found.text) : undefined;
}

/** Whether a thread had work, but no processor to run on. */
function isStarved(usage: ThreadUsage | undefined): boolean {
  if (usage?.cores === undefined) return false;
  return usage.busy >= OFTEN_BUSY && usage.cores < RUNS * usage.busy;
}

/** Something that was in use all of the time. */
function saturated({ resources }: LoadFacts): Limit | undefined {
  const { node, generator, generator_cores: cores, same_machine: isShared } = resources;
  const used = (node?.cores ?? 0) + (generator?.cores ?? 0);
  if (node !== undefined && isShared && used >= ALWAYS_BUSY * cores) {
    return limit(
      'processors',
      `the ${cores === 1 ? 'processor' : `${cores} processors`} that node and load generator shared`,
    );
  }
  if (isStarved(generator)) {
    return limit('processors', 'the processors of this machine: the load generator waited for them');
  }
  // With the generator always busy, nothing is known about the node's own limits.
  if (generator !== undefined && generator.busy >= ALWAYS_BUSY) {
    return limit('load_generator', 'the load generator itself, not the node');
  }
  if (node === undefined) return undefined;
  if (isStarved(node.main) || isStarved(node.front)) {
    return limit('processors', "the processors of the node's machine: its threads waited for them");
  }
  const candidates: readonly (readonly [number | undefined, LimitKind, string])[] = [
    [node.main?.busy, 'main_thread', "the node's main thread"],
    [node.front?.busy, 'front_threads', 'a front thread; --front-threads adds more'],
    [
      node.block_workers,
      ...((node.contracts ?? 0) >= (node.block_workers ?? 0) / 2
        ? (['contract_calls', "the block workers' contract calls; --block-workers adds more"] as const)
        : (['signatures', "the block workers' signature checks; --block-workers adds more"] as const)),
    ],
    [node.roots, 'state_tree', 'the state tree, whose roots took all of the time'],
    [node.commit, 'store', 'the store, whose writes took all of the time'],
    [node.seal, 'sealing', 'the sealing of blocks, which took all of the time'],
  ];
  // The first of equals: a busy main thread makes sealing look busy too.
  const busiest = candidates.reduce((most, each) => ((each[0] ?? 0) > (most[0] ?? 0) ? each : most));
  const isAlways = (busiest[0] ?? 0) >= ALWAYS_BUSY;
  return isAlways ? limit(busiest[1], busiest[2]) : undefined;
}

/** The load's own bound on transactions that wait for a block, where it held most of them back. */
function ownSettingOf({ totals, settings, resources: { node } }: LoadFacts): Limit | undefined {
  // Without the metrics, something of the node may have made them wait.
  if (node === undefined || totals.held_back === 0 || 2 * totals.held_back_unsealed < totals.held_back) {
    return undefined;
  }
  return limit('max_unsealed', `--max-unsealed ${settings.max_unsealed}: as many waited for a block`);
}

/** Facts that suggest a limit without showing it. */
function symptomOf({ resources, totals, refusals, settings }: LoadFacts): string {
  if (resources.node === undefined) {
    return `the node's metrics could not be read (${resources.node_problem ?? 'no reason given'})`;
  }
  const [reason] = Object.keys(refusals);
  if (totals.refused >= MANY_REFUSED * totals.sent && reason !== undefined) {
    return `many transactions were refused, most for ${reason}`;
  }
  if (totals.held_back > 0) {
    return `transactions were held back, although nothing measured was always busy; more --connections than ${settings.connections} may tell more`;
  }
  return 'nothing measured was always busy';
}

function limit(kind: LimitKind, what: string): Limit {
  return { kind, text: `the limit was ${what}` };
}

function unknown(why: string): Limit {
  return { kind: 'unknown', text: `limit unknown: ${why}` };
}

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
    evidence: [nodeEvidence, generatorEvidence, blockEvidence, lossEvidence].flatMap((of) => of(facts)),
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
