import { setTimeout as pause } from 'node:timers/promises';
import { packageVersion } from '../../config/package-info.js';
import { FarmError } from '../farm-error.js';
import { FarmNode } from '../node/farm-node.js';
import type { StoredRun } from '../run/run-progress.js';
import { RunStore } from '../run/run-store.js';
import { NodeShift } from './node-shift.js';
import type { WorkerSettings } from './run-consumer.js';
import type { JobEnd } from './run-job.js';
import { publishReport, REPORT_MS, withdrawReport } from './worker-report.js';

/** Interval of looks for new and ended runs, in milliseconds. */
const REFRESH_MS = 500;

/** Runs worked on at once, the oldest first; each takes a connection to Redis per node. */
const MAX_RUNS = 16;

export interface FarmWorkerOptions extends WorkerSettings {
  readonly nodes: readonly { readonly url: string; readonly token: string | undefined }[];
  /** Maximum number of calls in flight at each node. */
  readonly concurrency: number;
}

/** Totals since the start of a worker. */
export type WorkerTotals = FarmWorker['totals'];

/** Runs jobs of all runs against one or several nodes until it is told to stop. */
export class FarmWorker {
  readonly totals = { jobs: 0, calls: 0, failed: 0, undetermined: 0, disagreements: 0, overloads: 0 };
  readonly shifts: readonly NodeShift[];
  readonly #options: FarmWorkerOptions;
  readonly #store: RunStore;
  readonly #startedMs = Date.now();
  readonly #fatal: Promise<FarmError>;
  /** Overloads of each node, by its name. */
  readonly #overloads = new Map<string, number>();
  /** Runs whose record cannot be read, which has been said. */
  readonly #damaged = new Set<string>();
  #reportedAt = performance.now();
  /** Calls since the latest report, by run. */
  readonly #recentCalls = new Map<string, number>();
  #state: 'running' | 'draining' | 'ended' = 'running';

  constructor(options: FarmWorkerOptions) {
    const { nodes, concurrency, ...settings } = options;
    this.#options = options;
    this.#store = new RunStore(settings.redis);
    let onFatal: (error: FarmError) => void = () => undefined;
    this.#fatal = new Promise((resolve) => {
      onFatal = resolve;
    });
    this.shifts = nodes.map(
      ({ url, token }) =>
        new NodeShift({
          ...settings,
          onFatal,
          node: new FarmNode({
            url,
            token,
            concurrency,
            onOverload: () => this.#noteOverload(new URL(url).origin),
          }),
          isGone: (run) => this.#isGone(run),
          onJob: (run, end) => this.#note(run, end),
        }),
    );
  }

  /**
   * Works until the signal, then finishes the jobs in progress.
   * @throws FarmError redis, if Redis is lost or refuses results for too long; jobs in progress then run elsewhere
   */
  async run(signal: AbortSignal): Promise<void> {
    const { redis, name, log } = this.#options;
    const ended = new Promise<undefined>((resolve) => {
      signal.addEventListener('abort', () => resolve(undefined), { once: true });
      if (signal.aborted) resolve(undefined);
    });
    const given = Promise.race([redis.lost, this.#fatal]);
    try {
      const failure = await Promise.race([ended, given, this.#work()]);
      if (failure !== undefined) throw failure;
      this.#state = 'draining';
      log.info({ name }, 'finishing the jobs in progress; a second signal ends at once');
      const drained = Promise.all(this.shifts.map((shift) => shift.drain()));
      const late = await Promise.race([drained.then(() => undefined), given]);
      if (late !== undefined) throw late;
    } catch (error) {
      for (const shift of this.shifts) shift.kill();
      throw error;
    } finally {
      this.#state = 'ended';
    }
    await withdrawReport(redis, name);
  }

  /** @throws FarmError */
  async #work(): Promise<undefined> {
    let reported = Number.NEGATIVE_INFINITY;
    while (this.#state !== 'ended') {
      if (this.#state === 'running') {
        const runs = await this.#runs();
        await Promise.all(this.shifts.map((shift) => shift.refresh(runs)));
      }
      if (performance.now() - reported >= REPORT_MS) {
        await this.#report(this.#state);
        reported = performance.now();
      }
      await pause(REFRESH_MS);
    }
    return undefined;
  }

  #runs(): Promise<StoredRun[]> {
    const { log } = this.#options;
    return this.#store.working(MAX_RUNS, (run, error) => {
      if (this.#damaged.has(run)) return;
      this.#damaged.add(run);
      log.warn({ run }, `skips a run: ${error.message}`);
    });
  }

  async #isGone({ run, record }: StoredRun): Promise<boolean> {
    try {
      const now = await this.#store.read(run);
      const { state } = now.progress;
      return now.record.id !== record.id || state === 'canceled' || state === 'removed';
    } catch (error) {
      if (error instanceof FarmError && error.code === 'no_run') return true;
      throw error;
    }
  }

  #note(run: string, { outcome, calls, failed, undetermined }: JobEnd): void {
    this.totals.jobs++;
    this.totals.calls += calls;
    this.totals.failed += failed;
    this.totals.undetermined += undetermined;
    if (outcome === 'differs') this.totals.disagreements++;
    this.#recentCalls.set(run, (this.#recentCalls.get(run) ?? 0) + calls);
  }

  #noteOverload(node: string): void {
    this.totals.overloads++;
    this.#overloads.set(node, (this.#overloads.get(node) ?? 0) + 1);
  }

  async #report(state: 'running' | 'draining'): Promise<void> {
    const { redis, name } = this.#options;
    const now = performance.now();
    const seconds = Math.max(0.001, (now - this.#reportedAt) / 1_000);
    const rates = Object.fromEntries([...this.#recentCalls].map(([run, calls]) => [run, calls / seconds]));
    this.#reportedAt = now;
    this.#recentCalls.clear();
    const { jobs, calls } = this.totals;
    await publishReport(redis, {
      name,
      version: packageVersion(),
      started_ms: this.#startedMs,
      seen_ms: Date.now(),
      state,
      jobs,
      calls,
      calls_per_second: rates,
      nodes: this.shifts.map(({ node, problem }) => ({
        url: node.name,
        problem,
        in_flight: node.limit.inFlight,
        allowed: node.limit.allowed,
        overloads: this.#overloads.get(node.name) ?? 0,
      })),
    });
  }
}
