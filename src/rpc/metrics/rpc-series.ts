import type { Registry } from 'prom-client';
import { TOPICS } from '../topics.js';
import { BOUNDS_MS, type BucketCounts, SIZE_BOUNDS } from './bucket-records.js';
import { Declarations, type Labelled, type Reading } from './declare.js';
import { RecordedHistogram } from './recorded-histogram.js';
import { type RpcCounts, RpcMetrics, type ThreadCounts } from './rpc-metrics.js';
import { sumOfCounts } from './sum-of-counts.js';

export class RpcSeries {
  #counts: RpcCounts = new RpcMetrics().counts();
  #threads: ReadonlyMap<string, ThreadCounts> = new Map();

  constructor(registry: Registry) {
    const declare = new Declarations(registry);
    this.#declareHttp(registry, declare);
    this.#declareCalls(registry, declare);
    this.#declareSockets(declare);
    this.#declareThreads(declare);
  }

  /** Sets the counters to publish. @param threads counters by thread name, of at least one thread */
  show(threads: ReadonlyMap<string, ThreadCounts>): void {
    this.#threads = threads;
    const [first, ...others] = Array.from(threads.values(), ({ rpc }) => rpc);
    if (first !== undefined) this.#counts = sumOfCounts(first, ...others);
  }

  #declareHttp(registry: Registry, declare: Declarations): void {
    declare.counter('heddle_http_requests_total', 'HTTP requests received', () => this.#counts.httpRequests);
    declare.counters('heddle_http_answers_total', 'HTTP answers, by status', 'status', () =>
      Array.from(this.#counts.statuses, ([status, count]) => [String(status), count]),
    );
    declare.gauge('heddle_http_connections', 'Open HTTP connections', () => this.#counts.connections);
    declare.counter(
      'heddle_http_connections_refused_total',
      'Connections refused because the total limit or that of their client was reached',
      () => this.#counts.connectionsRefused,
    );
    for (const [what, unit, help, field] of [
      ['request', 'Bytes', 'Size', 'requestSizes'],
      ['answer', 'Length', 'Length', 'answerSizes'],
    ] as const) {
      const of = (): BucketCounts => this.#counts[field];
      declare.counter(`heddle_http_${what}_bytes_total`, `${unit} of ${what} bodies`, () => of().sum);
      registry.registerMetric(
        new RecordedHistogram({
          name: `heddle_http_${what}_size_bytes`,
          help: `${help} of ${what} bodies`,
          labelNames: [],
          bounds: SIZE_BOUNDS,
          records: () => [{ labels: {}, ...of() }],
        }),
      );
    }
  }

  #declareCalls(registry: Registry, declare: Declarations): void {
    declare.counters(
      'heddle_rpc_calls_total',
      'RPC calls answered, by method and outcome: ok or the kind of the error',
      ['method', 'outcome'],
      () => this.#outcomes(),
    );
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
            sum: latency.sum / 1_000,
          })),
      }),
    );
    declare.counters(
      'heddle_rpc_result_bytes_total',
      'Length of the results of successful calls, by method',
      'method',
      () => Array.from(this.#counts.methods, ([method, { answerBytes }]) => [method, answerBytes]),
    );
    declare.counters(
      'heddle_rpc_overloads_total',
      'Calls refused as overloaded, by reason: calls (too many wait), bytes (they hold too much memory), queue (its queue is too long or too slow)',
      'reason',
      () => Object.entries(this.#counts.overloads),
    );
    const counter = (name: string, help: string, value: () => number): void =>
      declare.counter(`heddle_rpc_${name}_total`, help, value);
    const gauge = (name: string, help: string, value: () => number): void =>
      declare.gauge(`heddle_rpc_${name}`, help, value);
    const byWhat = (name: string, help: string, counts: () => Readonly<Record<string, number>>): void =>
      declare.counters(`heddle_rpc_${name}_total`, help, 'how', () => Object.entries(counts()));
    counter('slow_calls', 'Calls that took at least --slow-call-ms', () => this.#counts.slowCalls);
    gauge('calls_in_flight', 'RPC calls waiting for an answer', () => this.#counts.callsInFlight);
    gauge(
      'buffered_bytes',
      'Memory held by unfinished bodies, unread answers and waiting calls',
      () => this.#counts.bufferedBytes,
    );
    byWhat(
      'buffers_refused',
      'Bodies, answers and calls cut or refused because the byte budget was exhausted',
      () => ({ cut: this.#counts.buffersCut, refused: this.#counts.buffersRefused }),
    );
    byWhat(
      'calls_in_place',
      'View calls, simulations and traces run on the thread that received them, and those of them that were then moved to a worker',
      () => ({ answered: this.#counts.callsInline, outgrown: this.#counts.callsOffloaded }),
    );
    gauge('kept_result_bytes', 'Memory held by kept results', () => this.#counts.results.bytes);
    byWhat(
      'kept_results',
      'Calls whose result never changes: answered with a kept result (hit) or not (miss)',
      () => ({ hit: this.#counts.results.hits, miss: this.#counts.results.misses }),
    );
  }

  *#outcomes(): Iterable<readonly [labels: readonly string[], count: number]> {
    for (const [method, { ok, errors }] of this.#counts.methods) {
      yield [[method, 'ok'], ok];
      // There from the start, because `increase` does not see the first event of a new series.
      yield [[method, 'internal_error'], 0];
      for (const [outcome, count] of errors) yield [[method, outcome], count];
    }
    yield [['', 'internal_error'], 0];
    for (const [outcome, count] of this.#counts.refused) yield [['', outcome], count];
  }

  #declareSockets(declare: Declarations): void {
    const counters = [
      ['messages', 'WebSocket messages received', 'messages'],
      ['received_bytes', 'Bytes of WebSocket messages received', 'receivedBytes'],
      ['answer_bytes', 'Bytes of answers sent over WebSockets', 'sentBytes'],
      ['events', 'Events of subscriptions sent over WebSockets', 'events'],
      ['event_bytes', 'Bytes of events sent over WebSockets', 'eventBytes'],
      [
        'subscriptions_dropped',
        'Subscriptions ended with a notice, mostly because their clients read too slowly',
        'dropped',
      ],
      ['connections_cut', 'WebSockets cut off because their clients did not read or answer', 'cut'],
    ] as const;
    for (const [name, help, field] of counters) {
      declare.counter(`heddle_websocket_${name}_total`, help, () => this.#counts.sockets[field]);
    }
    const gauges = [
      ['connections', 'Open WebSockets', 'connections'],
      ['unsent_bytes', 'Bytes that clients of WebSockets have not read yet', 'unsentBytes'],
      ['log_lookups', 'Index lookups per block for the log filters of subscriptions', 'logLookups'],
      ['replays', 'Subscriptions that read old blocks', 'replays'],
    ] as const;
    for (const [name, help, field] of gauges) {
      declare.gauge(`heddle_websocket_${name}`, help, () => this.#counts.sockets[field]);
    }
    declare.gauges('heddle_websocket_subscriptions', 'Active subscriptions, by topic', 'topic', () =>
      TOPICS.map((topic) => [topic, this.#counts.sockets.subscriptions[topic]]),
    );
  }

  #declareThreads(declare: Declarations): void {
    const each = (value: (counts: ThreadCounts) => Reading): Labelled => {
      return () => Array.from(this.#threads, ([thread, counts]) => [thread, value(counts)]);
    };
    const gauge = (name: string, help: string, value: (counts: ThreadCounts) => Reading): void =>
      declare.gauges(`heddle_${name}`, help, 'thread', each(value));
    const counter = (name: string, help: string, value: (counts: ThreadCounts) => Reading): void =>
      declare.counters(`heddle_thread_${name}_total`, help, 'thread', each(value));
    gauge(
      'event_loop_turn_seconds',
      'Longest event loop tick since the last scrape, by thread; ticks below 10 ms count as 0',
      ({ tickMs }) => tickMs / 1_000,
    );
    gauge(
      'thread_turn_processor_seconds',
      'Maximum CPU time of an event loop tick since the last scrape, by thread; overestimated by up to 10 ms; absent if the system does not provide it',
      ({ tickCpuMs: ms }) => (ms === undefined ? undefined : ms / 1_000),
    );
    counter(
      'processor_seconds',
      'CPU time of the threads that seal or serve requests, by thread; absent if the system does not provide it',
      ({ cpuSeconds }) => cpuSeconds,
    );
    counter(
      'active_seconds',
      'Time that the event loop spent outside its wait for events; the rate is its utilisation, from 0 to 1',
      ({ activeSeconds }) => activeSeconds,
    );
    counter('collections', 'Garbage collections, by thread', ({ collections }) => collections.count);
    counter(
      'collection_seconds',
      'Time of garbage collections, by thread',
      ({ collections }) => collections.seconds,
    );
    gauge(
      'thread_longest_collection_seconds',
      'Longest garbage collection since the last scrape, by thread',
      ({ collections }) => collections.longestSeconds,
    );
    gauge('thread_heap_bytes', 'JavaScript heap in use, by thread', ({ heapBytes }) => heapBytes);
    gauge(
      'thread_heap_limit_bytes',
      'Heap size at which V8 gives up, by thread',
      ({ heapLimitBytes }) => heapLimitBytes,
    );
    declare.gauges(
      'heddle_queue_jobs',
      'Jobs waiting or in progress, by queue and thread: calls and reads (sent to workers), slices (long requests, and work for other threads)',
      ['queue', 'thread'],
      () =>
        [...this.#threads].flatMap(([thread, { queues }]) =>
          Array.from(queues, ([queue, jobs]) => [[queue, thread], jobs] as const),
        ),
    );
  }
}
