import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { FloodWorld } from './flood-world.js';
import { HONEST_GROUPS, type HonestGroup } from './honest-calls.js';
import type { HonestAnswer, HonestTask } from './honest-worker.js';

/** Answers to the calls of a group or a method. */
export interface HonestFigures {
  /** Calls that were sent. */
  readonly sent: number;
  /** Calls that were answered with a result. */
  readonly answered: number;
  /** Other calls by error kind; `lost` if no answer came. */
  readonly refused: Readonly<Record<string, number>>;
  /** Median time from when a call was due until it was answered, refused or lost, in milliseconds. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

export interface HonestReport {
  readonly groups: Readonly<Record<HonestGroup, HonestFigures>>;
  readonly methods: Readonly<Record<string, HonestFigures>>;
}

/** A client beside a flood, from another address; see `honest-worker.ts`. */
export class HonestClient {
  readonly #worker: Worker;
  readonly #failed: Promise<never>;

  constructor(url: string, world: FloodWorld) {
    this.#worker = new Worker(new URL('./honest-worker.js', import.meta.url), {
      workerData: { url, world } satisfies HonestTask,
    });
    this.#failed = new Promise((_, reject) => this.#worker.once('error', reject));
    this.#failed.catch(() => undefined);
  }

  /** Begins to send calls. */
  async begin(): Promise<void> {
    const begun = once(this.#worker, 'message');
    this.#worker.postMessage('begin');
    await Promise.race([begun, this.#failed]);
  }

  /** Stops sending, and waits for outstanding answers. */
  async finish(): Promise<HonestReport> {
    const told = once(this.#worker, 'message') as Promise<[HonestAnswer[]]>;
    this.#worker.postMessage('finish');
    const [answers] = await Promise.race([told, this.#failed]);
    return reportOf(answers);
  }

  async terminate(): Promise<void> {
    await this.#worker.terminate();
  }
}

function reportOf(answers: readonly HonestAnswer[]): HonestReport {
  const groups = HONEST_GROUPS.map((group) => [
    group,
    figuresOf(answers.filter((each) => each.group === group)),
  ]);
  const methods = [...new Set(answers.map(({ method }) => method))].map((method) => [
    method,
    figuresOf(answers.filter((each) => each.method === method)),
  ]);
  return { groups: Object.fromEntries(groups), methods: Object.fromEntries(methods) };
}

function figuresOf(answers: readonly HonestAnswer[]): HonestFigures {
  const refused: Record<string, number> = {};
  const sent = answers.filter(({ isImplied }) => !isImplied);
  for (const { refused: kind } of sent) {
    if (kind !== undefined) refused[kind] = (refused[kind] ?? 0) + 1;
  }
  const sorted = answers.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return {
    sent: sent.length,
    answered: sent.filter((each) => each.refused === undefined).length,
    refused,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    maxMs: at(1),
  };
}
