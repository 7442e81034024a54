import { Counter, Gauge, type Registry } from 'prom-client';
import { Declarations, type Labelled } from './declare.js';
import { BOUNDS_MS } from './latency-record.js';
import { RecordedHistogram } from './recorded-histogram.js';
import { type RpcCounts, type SizeCounts, sumCounts, type ThreadCounts } from './rpc-metrics.js';
import { SIZE_BOUNDS } from './size-record.js';
import { declareSockets } from './socket-series.js';

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
          // There from the start, because `increase` does not see the first event of a new series.
          this.inc({ method, outcome: 'internal_error' }, 0);
          for (const [outcome, count] of errors) this.inc({ method, outcome }, count);
        }
        this.inc({ method: '', outcome: 'internal_error' }, 0);
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
      new RecordedHistogram({
        name: 'heddle_rpc_call_duration_seconds',
        help: 'Time from a parsed request to its result, by method; one in eight of the calls answered at once is timed and counts eight times',
        labelNames: ['method'],
        bounds: BOUNDS_MS.map((ms) => ms / 1_000),
        records: () =>
          Array.from(this.#counts.methods, ([method, { latency }]) => ({
            labels: { method },
            buckets: latency.buckets,
            sum: latency.sumMs / 1_000,
          })),
      }),
    );
    this.#declareHttp(registry);
    this.#declareThreads(registry);
    this.#declareKeptResults(registry);
    declareSockets(registry, () => this.#counts.sockets);
    const counters = [
      ['heddle_http_requests_total', 'HTTP requests received', () => this.#counts.httpRequests],
      [
        'heddle_http_connections_refused_total',
        'Connections refused because the total limit or that of their client was reached',
        () => this.#counts.connectionsRefused,
      ],
      ['heddle_http_request_bytes_total', 'Bytes of request bodies', () => this.#counts.requestSizes.sum],
      ['heddle_http_answer_bytes_total', 'Length of answer bodies', () => this.#counts.answerSizes.sum],
      [
        'heddle_rpc_slow_calls_total',
        'Calls that took at least --slow-call-ms',
        () => this.#counts.slowCalls,
      ],
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
      name: 'heddle_rpc_calls_in_place_total',
      help: 'View calls, simulations and traces run on the thread that received them, and those of them that were then moved to a worker',
      labelNames: ['how'],
      registers,
      collect() {
        this.reset();
        this.inc({ how: 'answered' }, self.#counts.callsInline);
        this.inc({ how: 'outgrown' }, self.#counts.callsOffloaded);
      },
    });
  }

  #declareHttp(registry: Registry): void {
    const declare = new Declarations(registry);
    declare.counters('heddle_http_answers_total', 'HTTP answers, by status', 'status', () =>
      Array.from(this.#counts.statuses, ([status, count]) => [String(status), count] as const),
    );
    declare.counters(
      'heddle_rpc_result_bytes_total',
      'Length of the results of successful calls, by method',
      'method',
      () => Array.from(this.#counts.methods, ([method, { answerBytes }]) => [method, answerBytes] as const),
    );
    declare.counters(
      'heddle_rpc_overloads_total',
      'Calls refused as overloaded, by reason: calls (too many wait), bytes (they hold too much memory), queue (its queue is too long or too slow)',
      'reason',
      () => Object.entries(this.#counts.overloads),
    );
    const sizes = (name: string, help: string, of: (counts: RpcCounts) => SizeCounts): void =>
      registry.registerMetric(
        new RecordedHistogram({
          name,
          help,
          labelNames: [],
          bounds: SIZE_BOUNDS,
          records: () => [{ labels: {}, ...of(this.#counts) }],
        }),
      );
    sizes('heddle_http_request_size_bytes', 'Size of request bodies', ({ requestSizes }) => requestSizes);
    sizes('heddle_http_answer_size_bytes', 'Length of answer bodies', ({ answerSizes }) => answerSizes);
  }

  #declareKeptResults(registry: Registry): void {
    const declare = new Declarations(registry);
    declare.gauge(
      'heddle_rpc_kept_result_bytes',
      'Memory held by kept results',
      () => this.#counts.resultBytes,
    );
    declare.counters(
      'heddle_rpc_kept_results_total',
      'Calls whose result never changes: answered with a kept result (hit) or not (miss)',
      'how',
      () => [
        ['hit', this.#counts.resultHits],
        ['miss', this.#counts.resultMisses],
      ],
    );
  }

  #declareThreads(registry: Registry): void {
    const declare = new Declarations(registry);
    const each = (value: (counts: ThreadCounts) => number): Labelled => {
      return () => Array.from(this.#threads, ([thread, counts]) => [thread, value(counts)] as const);
    };
    declare.counters(
      'heddle_thread_active_seconds_total',
      'Time that the event loop spent outside its wait for events; the rate is its utilisation, from 0 to 1',
      'thread',
      each(({ activeSeconds }) => activeSeconds),
    );
    declare.counters(
      'heddle_thread_collections_total',
      'Garbage collections, by thread',
      'thread',
      each(({ collections }) => collections.count),
    );
    declare.counters(
      'heddle_thread_collection_seconds_total',
      'Time of garbage collections, by thread',
      'thread',
      each(({ collections }) => collections.seconds),
    );
    declare.gauges(
      'heddle_thread_longest_collection_seconds',
      'Longest garbage collection since the last scrape, by thread',
      'thread',
      each(({ collections }) => collections.longestSeconds),
    );
    declare.gauges(
      'heddle_thread_heap_bytes',
      'JavaScript heap in use, by thread',
      'thread',
      each(({ heapBytes }) => heapBytes),
    );
    declare.gauges(
      'heddle_thread_heap_limit_bytes',
      'Heap size at which V8 gives up, by thread',
      'thread',
      each(({ heapLimitBytes }) => heapLimitBytes),
    );
    const self = this;
    new Gauge({
      name: 'heddle_queue_jobs',
      help: 'Jobs waiting or in progress, by queue and thread: calls and reads (sent to workers), slices (long requests, and work for other threads)',
      labelNames: ['queue', 'thread'],
      registers: [registry],
      collect() {
        this.reset();
        for (const [thread, { queues }] of self.#threads) {
          for (const [queue, jobs] of queues) this.set({ queue, thread }, jobs);
        }
      },
    });
  }

  /** Sets the counters to publish. @param threads counters by thread name */
  show(threads: ReadonlyMap<string, ThreadCounts>): void {
    this.#threads = threads;
    this.#counts = sumCounts([...threads.values()].map(({ rpc }) => rpc));
  }
}
