import { availableParallelism } from 'node:os';
import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { BodyTooLongError } from '../../async/bounded-text.js';
import { defined } from '../../base/defined.js';
import { errorMessage } from '../../base/errors.js';
import { isLoopback } from '../../rpc/http/allowed-hosts.js';
import { fetchMetrics, type NodeReading, readingOf, usageBetween } from './node-reading.js';
import { type GeneratorUsage, meanUsage, type Resources, type SpanUsage } from './usage.js';

/** Watches how busy the node and the load generator are. */
export class ResourceWatcher {
  readonly #endpoint: string;
  #reading: NodeReading | undefined;
  #problem: string | undefined;
  #cpu = process.cpuUsage();
  #loop: EventLoopUtilization = performance.eventLoopUtilization();
  #atMs = performance.now();

  /** @param endpoint the node's endpoint for RPC; its metrics are beside it */
  constructor(endpoint: string) {
    this.#endpoint = endpoint;
  }

  /** Usage since the last call, or since this was made. Never rejects. */
  async span(): Promise<SpanUsage> {
    const generator = this.#generator();
    const before = this.#reading;
    this.#reading = await this.#read();
    const node =
      before === undefined || this.#reading === undefined ? undefined : usageBetween(before, this.#reading);
    return defined({ generator, node });
  }

  /** @param spans usage during the sending phase */
  resources(spans: readonly SpanUsage[]): Resources {
    const usage = meanUsage(spans);
    return {
      ...usage,
      ...(usage.node === undefined && {
        node_problem: this.#problem ?? 'the load was too short to read them twice',
      }),
      generator_cores: availableParallelism(),
      same_machine: isLoopback(new URL(this.#endpoint).hostname.replace(/^\[|\]$/g, '')),
    };
  }

  #generator(): GeneratorUsage {
    const [nowMs, loop] = [performance.now(), performance.eventLoopUtilization()];
    const { user, system } = process.cpuUsage(this.#cpu);
    const seconds = Math.max(0.001, (nowMs - this.#atMs) / 1_000);
    const { utilization } = performance.eventLoopUtilization(loop, this.#loop);
    this.#cpu = process.cpuUsage();
    this.#loop = loop;
    this.#atMs = nowMs;
    return {
      busy: utilization,
      cores: (user + system) / 1e6 / seconds,
      memory_bytes: process.memoryUsage.rss(),
    };
  }

  async #read(): Promise<NodeReading | undefined> {
    try {
      const reading = readingOf(await fetchMetrics(this.#endpoint), performance.now());
      if (reading === undefined)
        this.#problem = `${new URL('../metrics', this.#endpoint)} has no metrics of a node`;
      return reading;
    } catch (error) {
      // Whatever fetch throws means the same: the node's metrics are out of reach, which the report tells.
      const isLong = error instanceof BodyTooLongError;
      this.#problem = isLong ? `the metrics are ${error.message}` : errorMessage(causeOf(error));
      return undefined;
    }
  }
}

/** `fetch` wraps what happened in an error that says only that it failed. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? error.cause : error;
}
