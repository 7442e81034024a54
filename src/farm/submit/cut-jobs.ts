import type { BlockSummary } from '../../generated/node-rpc-v1.js';
import { rangePages } from '../../load/traces/range-transactions.js';
import type { FarmNode } from '../node/farm-node.js';
import { packLines } from '../run/pieces.js';
import type { Pin } from '../run/run-record.js';
import type { NewJob } from '../run/run-store.js';
import type { CheckedCall } from './call-source.js';

/** Time of a call in microseconds, by method. */
type CallCosts = Readonly<Record<string, number>>;

/** Jobs of a run, if that makes none of them too short or too long. */
const WANTED_JOBS = 256;

/** Bounds of the estimated time of a job, in microseconds. */
const SHORTEST_US = 500_000;
const LONGEST_US = 4_000_000;

const MAX_LINES = 2_000;
const MAX_CHARACTERS = 1024 * 1024;

/** Length that the jobs of a run aim at, in microseconds of a node's time. */
export function jobLengthUs(counts: ReadonlyMap<string, number>, costs: CallCosts): number {
  let total = 0;
  for (const [method, count] of counts) total += count * (costs[method] ?? 0);
  return Math.min(LONGEST_US, Math.max(SHORTEST_US, total / WANTED_JOBS));
}

/** A line of the input; its call is undefined if it is not one, or empty. */
export interface InputLine {
  readonly text: string;
  readonly call: CheckedCall | undefined;
}

/** A job, and the number of lines up to its end. */
export interface CutJob {
  readonly job: NewJob;
  readonly reached: number;
}

/**
 * Cuts lines into jobs of about `lengthUs`, each with calls at one block. The same lines are always cut alike.
 * @param options.start lines and jobs that were cut before; the lines are skipped
 */
export async function* cutCalls(
  lines: AsyncIterable<InputLine>,
  options: {
    readonly costs: CallCosts;
    readonly lengthUs: number;
    readonly pinOf: (call: CheckedCall) => Promise<Pin> | Pin;
    /** The block of jobs without a call. */
    readonly pin: Pin;
    readonly start: { readonly lines: number; readonly jobs: number };
  },
): AsyncGenerator<CutJob> {
  const { costs, lengthUs, pinOf, pin, start } = options;
  const cut = new Cut(start.lines, start.jobs);
  let line = 0;
  for await (const { text, call } of lines) {
    if (++line <= start.lines) continue;
    const own = call === undefined ? undefined : await pinOf(call);
    const cost = call === undefined ? 0 : (costs[call.method] ?? 0);
    if (cut.isFull(text, cost, own, lengthUs)) yield await cut.take(pin);
    cut.add(text, cost, own);
  }
  if (!cut.isEmpty) yield await cut.take(pin);
}

class Cut {
  #texts: string[] = [];
  #characters = 0;
  #costUs = 0;
  #pin: Pin | undefined;
  #reached: number;
  #job: number;

  constructor(reached: number, job: number) {
    this.#reached = reached;
    this.#job = job;
  }

  get isEmpty(): boolean {
    return this.#texts.length === 0;
  }

  /** Whether another line would make the job too long, or sees another block. */
  isFull(text: string, cost: number, pin: Pin | undefined, lengthUs: number): boolean {
    if (this.isEmpty) return false;
    if (this.#texts.length >= MAX_LINES || this.#characters + text.length > MAX_CHARACTERS) return true;
    if (this.#costUs + cost > lengthUs) return true;
    return pin !== undefined && this.#pin !== undefined && pin.hash !== this.#pin.hash;
  }

  add(text: string, cost: number, pin: Pin | undefined): void {
    this.#texts.push(text);
    this.#characters += text.length + 1;
    this.#costUs += cost;
    this.#pin ??= pin;
  }

  /** Ends the job and begins the next. */
  async take(runPin: Pin): Promise<CutJob> {
    const [job, count, pin] = [this.#job++, this.#texts.length, this.#pin ?? runPin];
    const first = this.#reached + 1;
    this.#reached += count;
    const text = this.#texts.map((one) => `${one}\n`).join('');
    this.#texts = [];
    this.#characters = 0;
    this.#costUs = 0;
    this.#pin = undefined;
    const input = await packLines(text);
    return { job: { data: { job, count, calls: { first, pin } }, input }, reached: this.#reached };
  }
}

const MAX_BLOCKS = 1_000n;
const MAX_TRANSACTIONS = 200;

/** Gas of a job's transactions: about two seconds of compiled loops. */
const MAX_GAS = 1_000_000_000n;

/**
 * Cuts a range of blocks into jobs, and a block with more transactions than a job may have into several. The same blocks
 * are always cut alike.
 * @throws NodeAwayError
 */
export async function* cutBlocks(
  node: FarmNode,
  { from, to }: { readonly from: bigint; readonly to: bigint },
): AsyncGenerator<CutJob> {
  let open: { readonly from: bigint; to: bigint; count: number; gas: bigint } | undefined;
  let job = 0;
  let reached = 0;
  const take = (data: { from: bigint; to: bigint; count: number; first?: number }): CutJob => {
    reached += data.count;
    const places =
      data.first === undefined ? {} : { places: { first: data.first, last: data.first + data.count - 1 } };
    const traces = { from: `${data.from}`, to: `${data.to}`, ...places };
    return { job: { data: { job: job++, count: data.count, traces } }, reached };
  };
  for await (const { height, tx_count: count, gas_used: gas } of summaries(node, from, to)) {
    const isFull =
      open !== undefined &&
      (open.count + count > MAX_TRANSACTIONS || open.gas + gas > MAX_GAS || height - open.from >= MAX_BLOCKS);
    if (open !== undefined && isFull) {
      yield take(open);
      open = undefined;
    }
    if (count > MAX_TRANSACTIONS) {
      for (let first = 0; first < count; first += MAX_TRANSACTIONS) {
        yield take({ from: height, to: height, count: Math.min(MAX_TRANSACTIONS, count - first), first });
      }
    } else if (open === undefined) {
      open = { from: height, to: height, count, gas };
    } else {
      open.to = height;
      open.count += count;
      open.gas += gas;
    }
  }
  if (open !== undefined) yield take(open);
}

async function* summaries(node: FarmNode, from: bigint, to: bigint): AsyncGenerator<BlockSummary> {
  const pages = rangePages(from, to, (range) => node.ask((client) => client.get_block_summaries(range)));
  for await (const { blocks } of pages) yield* blocks;
}
