import type { StatisticsRecord } from './statistics.js';

/** Summary of a run, finished or not. */
export interface RunSummary {
  readonly run: string;
  readonly kind: 'calls' | 'traces';
  readonly submitted_ms: number;
  /** Time of the first result. */
  readonly first_ms?: number;
  /** Absent while the run is not at its end. */
  readonly finished_ms?: number;
  /** Where the calls come from, such as a file's name. */
  readonly source: string;
  /** The states that the calls ran on; the first ones, if there are many. */
  readonly pins: readonly { readonly height: string; readonly block_hash: string; readonly calls: number }[];
  readonly statistics: StatisticsRecord;
  readonly workers: readonly RunWorker[];
  /** A sample of the failed calls. */
  readonly failures: readonly { readonly line: number; readonly kind: string; readonly message: string }[];
  /** Jobs whose results differ between workers. */
  readonly disagreements: readonly RunDisagreement[];
}

export interface RunWorker {
  readonly name: string;
  readonly node: string;
  readonly jobs: number;
  readonly calls: number;
  /** Time spent on jobs. */
  readonly busy_ms: number;
}

export interface RunDisagreement {
  readonly job: number;
  /** The lines of the job, such as `1–500`. */
  readonly lines: string;
  readonly workers: readonly string[];
  readonly checksums: readonly string[];
}

/** What a run of the farm comes to. */
export interface RunVerdict {
  /** How many calls were made how fast, and what the limit was. */
  readonly sentence: string;
  readonly limit: 'nodes' | 'work' | 'unknown';
  /** The measured facts behind it, one clause each. */
  readonly evidence: readonly string[];
}

/** What a node did in a run, through all of its workers. */
interface NodeWork {
  readonly node: string;
  jobs: number;
  calls: number;
  busyMs: number;
}

/** A node counts as always busy from this share of the time on. */
const ALWAYS_BUSY = 0.9;
/** A node counts as mostly idle up to this share of the time. */
const MOSTLY_IDLE = 0.5;

export function verdictOfRun(summary: RunSummary): RunVerdict {
  const { kind, statistics, finished_ms: finished, workers } = summary;
  const { calls, failed, undetermined } = statistics;
  const nodes = nodesOf(workers);
  const elapsedMs = elapsedOf(summary);
  const rate = elapsedMs === undefined ? '' : `, ${count((calls * 1_000) / elapsedMs)}/s`;
  const losses = failed + undetermined;
  const counted = `${count(calls)} ${kind}${rate}, ${losses === 0 ? 'none failed' : `${count(losses)} failed`}`;
  const [limit, text] = limitOf(nodes, elapsedMs);
  return {
    sentence: finished === undefined ? `${counted}; the run is not finished` : `${counted}; ${text}`,
    limit: finished === undefined ? 'unknown' : limit,
    evidence: [...speedEvidence(nodes, kind), ...busyEvidence(nodes, elapsedMs), ...failureEvidence(summary)],
  };
}

function limitOf(nodes: readonly NodeWork[], elapsedMs: number | undefined): [RunVerdict['limit'], string] {
  if (elapsedMs === undefined || nodes.length === 0) return ['unknown', 'limit unknown: nothing was timed'];
  const shares = nodes.map(({ busyMs }) => busyMs / elapsedMs);
  if (shares.every((share) => share >= ALWAYS_BUSY)) {
    const all = nodes.length === 1 ? 'the node, which was' : `the ${count(nodes.length)} nodes, which were`;
    return ['nodes', `the limit was ${all} busy all of the time`];
  }
  if (shares.every((share) => share <= MOSTLY_IDLE)) {
    return [
      'work',
      'the limit was not the nodes, which waited for jobs: for the submission, for workers or for Redis',
    ];
  }
  const idle = shares.filter((share) => share < ALWAYS_BUSY).length;
  const [jobs, most] = [nodes.reduce((sum, node) => sum + node.jobs, 0), nodes.length * 2];
  if (jobs < most) {
    return [
      'work',
      `the limit was the number of jobs: ${count(jobs)} do not keep ${count(nodes.length)} nodes busy`,
    ];
  }
  return ['unknown', `limit unknown: ${count(idle)} of ${count(nodes.length)} nodes were idle at times`];
}

/** Milliseconds from the beginning of the first job to the last result, as far as the records tell. */
export function elapsedOf({
  submitted_ms: submitted,
  first_ms: first,
  finished_ms: finished,
  workers,
}: RunSummary): number | undefined {
  if (finished === undefined) return undefined;
  const [jobs, busyMs] = workers.reduce(
    ([allJobs, allMs], { jobs: some, busy_ms: ms }) => [allJobs + some, allMs + ms],
    [0, 0],
  );
  // Workers may have started long after the submission.
  const began = first === undefined || jobs === 0 ? submitted : Math.max(submitted, first - busyMs / jobs);
  const elapsed = finished - began;
  return elapsed > 0 ? elapsed : undefined;
}

function nodesOf(workers: readonly RunWorker[]): NodeWork[] {
  const nodes = new Map<string, NodeWork>();
  for (const { node, jobs, calls, busy_ms: busyMs } of workers) {
    const work = nodes.get(node) ?? { node, jobs: 0, calls: 0, busyMs: 0 };
    nodes.set(node, work);
    work.jobs += jobs;
    work.calls += calls;
    work.busyMs += busyMs;
  }
  return [...nodes.values()].filter(({ busyMs }) => busyMs > 0);
}

function speedEvidence(nodes: readonly NodeWork[], kind: RunSummary['kind']): string[] {
  const speedOf = ({ calls, busyMs }: NodeWork) => (calls * 1_000) / busyMs;
  const [fastest, ...others] = [...nodes].sort((a, b) => speedOf(b) - speedOf(a));
  const slowest = others.at(-1);
  if (fastest === undefined || slowest === undefined) return [];
  return [
    `slowest node ${slowest.node}: ${count(speedOf(slowest))} ${kind} per busy second; fastest ${fastest.node}: ${count(speedOf(fastest))}`,
  ];
}

function busyEvidence(nodes: readonly NodeWork[], elapsedMs: number | undefined): string[] {
  if (elapsedMs === undefined || nodes.length === 0) return [];
  const shares = nodes.map(({ busyMs }) => Math.min(1, busyMs / elapsedMs));
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  const what = nodes.length === 1 ? 'the node was' : `${count(nodes.length)} nodes were`;
  return [`${what} busy ${Math.round(mean * 100)} % of ${count(elapsedMs / 1_000)} s`];
}

function failureEvidence({ statistics: { calls, errors, outcomes }, disagreements }: RunSummary): string[] {
  const list = (counts: Readonly<Record<string, number>>, left: string) =>
    Object.entries(counts)
      .filter(([name]) => name !== left)
      .map(([name, times]) => `${name} ${count(times)}`)
      .join(', ');
  const [failed, ended] = [list(errors, ''), list(outcomes, 'success')];
  return [
    ...(failed === '' ? [] : [`failed: ${failed}`]),
    ...(ended === '' ? [] : [`of ${count(calls)} ended without success: ${ended}`]),
    ...(disagreements.length === 0
      ? []
      : [
          `workers disagree about ${disagreements.length === 1 ? 'one job' : `${count(disagreements.length)} jobs`}`,
        ]),
  ];
}

function count(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: value < 100 ? 1 : 0 });
}
