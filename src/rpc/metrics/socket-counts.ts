import type { Topic } from '../topics.js';

/** Counters of one thread's WebSockets; can be structured-cloned. */
export class SocketCounts {
  connections = 0;
  /** Connections closed because their peers did not read or answer. */
  cut = 0;
  messages = 0;
  receivedBytes = 0;
  /** Length of answers, in bytes. */
  sentBytes = 0;
  events = 0;
  eventBytes = 0;
  /** Subscriptions ended with a notice. */
  dropped = 0;
  /** Bytes that the system has not accepted yet, because peers do not read. */
  unsentBytes = 0;
  /** Index lookups per block for log filters. */
  logLookups = 0;
  replays = 0;
  readonly subscriptions: Record<Topic, number> = {
    new_blocks: 0,
    finalized_blocks: 0,
    pending_txs: 0,
    logs: 0,
  };
}
