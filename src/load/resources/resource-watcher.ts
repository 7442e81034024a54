import { availableParallelism } from 'node:os';
import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { BodyTooLongError, boundedText } from '../../async/bounded-text.js';
import { defined } from '../../base/defined.js';
import { errorMessage } from '../../base/errors.js';
import { isLoopback } from '../../rpc/http/allowed-hosts.js';
import { type NodeReading, readingOf, usageBetween } from './node-reading.js';
import { type GeneratorUsage, meanUsage, type Resources, type SpanUsage } from './usage.js';

const RPC_PATH = '/v2/rpc';
const TIMEOUT_MS = 2_000;
/** Several times what a node with all its metrics sends. */
const MAX_BYTES = 4 * 1_024 * 1_024;

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
      const url = this.#endpoint.replace(RPC_PATH, '/metrics');
      const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
      const text = await boundedText(response, MAX_BYTES);
      const reading = response.ok ? readingOf(text, performance.now()) : undefined;
      if (reading === undefined) {
        this.#problem = response.ok
          ? `${url} has no metrics of a node`
          : `${url} answered with status ${response.status}`;
      }
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
