import type { Topic } from '../topics.js';

/** Counters of one thread's WebSockets, or of the sum over all threads; can be structured-cloned. */
export interface SocketCounts {
  connections: number;
  /** Connections closed because their peers did not read or answer. */
  cut: number;
  messages: number;
  receivedBytes: number;
  /** Length of answers, in bytes. */
  sentBytes: number;
  events: number;
  eventBytes: number;
  /** Subscriptions ended with a notice. */
  dropped: number;
  /** Bytes that the system has not accepted yet, because peers do not read. */
  unsentBytes: number;
  /** Index lookups per block for log filters. */
  logLookups: number;
  /** Subscriptions that read old blocks. */
  replays: number;
  /** Active subscriptions by topic. */
  readonly subscriptions: Record<Topic, number>;
}

export function emptySocketCounts(): SocketCounts {
  return {
    connections: 0,
    cut: 0,
    messages: 0,
    receivedBytes: 0,
    sentBytes: 0,
    events: 0,
    eventBytes: 0,
    dropped: 0,
    unsentBytes: 0,
    logLookups: 0,
    replays: 0,
    subscriptions: { new_blocks: 0, finalized_blocks: 0, pending_txs: 0, logs: 0 },
  };
}

export function sumSocketCounts(all: readonly SocketCounts[]): SocketCounts {
  const sum = emptySocketCounts();
  for (const counts of all) {
    sum.connections += counts.connections;
    sum.cut += counts.cut;
    sum.messages += counts.messages;
    sum.receivedBytes += counts.receivedBytes;
    sum.sentBytes += counts.sentBytes;
    sum.events += counts.events;
    sum.eventBytes += counts.eventBytes;
    sum.dropped += counts.dropped;
    sum.unsentBytes += counts.unsentBytes;
    sum.logLookups += counts.logLookups;
    sum.replays += counts.replays;
    for (const [topic, active] of Object.entries(counts.subscriptions)) {
      sum.subscriptions[topic as Topic] += active;
    }
  }
  return sum;
}
