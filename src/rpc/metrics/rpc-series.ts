import { Counter, Gauge, type Registry } from 'prom-client';
import { LatencyHistogram } from './latency-histogram.js';
import { type RpcCounts, sumCounts, type ThreadCounts } from './rpc-metrics.js';

/** Publishes the counters of the RPC front end. */
export class RpcSeries {
  #counts: RpcCounts = sumCounts([]);
  #threads: ReadonlyMap<string, ThreadCounts> = new Map();

  constructor(registry: Registry) {
    const registers = [registry];
    const self = this;
    new Gauge({
      name: 'heddle_event_loop_turn_seconds',
      help: 'Longest event loop tick since the last scrape, by thread; ticks below 10 ms count as 0',
      labelNames: ['thread'],
      registers,
      collect() {
        this.reset();
        for (const [thread, { tickMs }] of self.#threads) this.set({ thread }, tickMs / 1_000);
      },
    });
    new Gauge({
      name: 'heddle_thread_turn_processor_seconds',
      help: 'Maximum CPU time of an event loop tick since the last scrape, by thread; overestimated by up to 10 ms; absent if the system does not provide it',
      labelNames: ['thread'],
      registers,
      collect() {
        this.reset();
        for (const [thread, { tickCpuMs }] of self.#threads) {
          if (tickCpuMs !== undefined) this.set({ thread }, tickCpuMs / 1_000);
        }
      },
    });
    new Counter({
      name: 'heddle_rpc_calls_total',
      help: 'RPC calls answered, by method and outcome: ok or the kind of the error',
      labelNames: ['method', 'outcome'],
      registers,
      collect() {
        this.reset();
        for (const [method, { ok, errors }] of self.#counts.methods) {
          this.inc({ method, outcome: 'ok' }, ok);
          for (const [outcome, count] of errors) this.inc({ method, outcome }, count);
        }
        for (const [outcome, count] of self.#counts.refused) this.inc({ method: '', outcome }, count);
      },
    });
    new Counter({
      name: 'heddle_thread_processor_seconds_total',
      help: 'CPU time of the threads that seal or serve requests, by thread; absent if the system does not provide it',
      labelNames: ['thread'],
      registers,
      collect() {
        this.reset();
        for (const [thread, { cpuSeconds }] of self.#threads) {
          if (cpuSeconds !== undefined) this.inc({ thread }, cpuSeconds);
        }
      },
    });
    registry.registerMetric(
      new LatencyHistogram(
        'heddle_rpc_call_duration_seconds',
        'Time from a parsed request to its result, by method; one in eight of the calls answered at once is timed and counts eight times',
        'method',
        () => [...this.#counts.methods].map(([method, { latency }]) => [method, latency] as const),
      ),
    );
    const counters = [
      ['heddle_http_requests_total', 'HTTP requests received', () => this.#counts.httpRequests],
      [
        'heddle_http_connections_refused_total',
        'Connections refused because the total limit or that of their client was reached',
        () => this.#counts.connectionsRefused,
      ],
      ['heddle_http_request_bytes_total', 'Bytes of request bodies', () => this.#counts.requestBytes],
      ['heddle_http_answer_bytes_total', 'Length of answer bodies', () => this.#counts.answerBytes],
    ] as const;
    for (const [name, help, value] of counters) {
      new Counter({
        name,
        help,
        registers,
        collect() {
          this.reset();
          this.inc(value());
        },
      });
    }
    const gauges = [
      ['heddle_http_connections', 'Open HTTP connections', () => this.#counts.connections],
      ['heddle_rpc_calls_in_flight', 'RPC calls waiting for an answer', () => this.#counts.callsInFlight],
      [
        'heddle_rpc_buffered_bytes',
        'Memory held by unfinished bodies, unread answers and waiting calls',
        () => this.#counts.bufferedBytes,
      ],
    ] as const;
    for (const [name, help, value] of gauges) {
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(value());
        },
      });
    }
    new Counter({
      name: 'heddle_rpc_buffers_refused_total',
      help: 'Bodies, answers and calls cut or refused because the byte budget was exhausted',
      labelNames: ['how'],
      registers,
      collect() {
        this.reset();
        this.inc({ how: 'cut' }, self.#counts.buffersCut);
        this.inc({ how: 'refused' }, self.#counts.buffersRefused);
      },
    });
    new Counter({
      name: 'heddle_rpc_views_in_place_total',
      help: 'View calls run on the thread that received them, and those of them that were then moved to a worker',
      labelNames: ['how'],
      registers,
      collect() {
        this.reset();
        this.inc({ how: 'answered' }, self.#counts.viewsInline);
        this.inc({ how: 'outgrown' }, self.#counts.viewsOffloaded);
      },
    });
  }

  /** Sets the counters to publish. @param threads counters by thread name */
  show(threads: ReadonlyMap<string, ThreadCounts>): void {
    this.#threads = threads;
    this.#counts = sumCounts([...threads.values()].map(({ rpc }) => rpc));
  }
}
