import type { Registry } from 'prom-client';
import { TOPICS } from '../topics.js';
import { Declarations } from './declare.js';
import type { SocketCounts } from './socket-counts.js';

/** Publishes the counters of the WebSockets. @param counts the sum over all threads */
export function declareSockets(registry: Registry, counts: () => SocketCounts): void {
  const declare = new Declarations(registry);
  declare.gauge('heddle_websocket_connections', 'Open WebSockets', () => counts().connections);
  declare.counter('heddle_websocket_messages_total', 'WebSocket messages received', () => counts().messages);
  declare.counter(
    'heddle_websocket_received_bytes_total',
    'Bytes of WebSocket messages received',
    () => counts().receivedBytes,
  );
  declare.counter(
    'heddle_websocket_answer_bytes_total',
    'Bytes of answers sent over WebSockets',
    () => counts().sentBytes,
  );
  declare.counter(
    'heddle_websocket_events_total',
    'Events of subscriptions sent over WebSockets',
    () => counts().events,
  );
  declare.counter(
    'heddle_websocket_event_bytes_total',
    'Bytes of events sent over WebSockets',
    () => counts().eventBytes,
  );
  declare.counter(
    'heddle_websocket_subscriptions_dropped_total',
    'Subscriptions ended with a notice, mostly because their clients read too slowly',
    () => counts().dropped,
  );
  declare.counter(
    'heddle_websocket_connections_cut_total',
    'WebSockets cut off because their clients did not read or answer',
    () => counts().cut,
  );
  declare.gauge(
    'heddle_websocket_unsent_bytes',
    'Bytes that clients of WebSockets have not read yet',
    () => counts().unsentBytes,
  );
  declare.gauge(
    'heddle_websocket_log_lookups',
    'Index lookups per block for the log filters of subscriptions',
    () => counts().logLookups,
  );
  declare.gauge('heddle_websocket_replays', 'Subscriptions that read old blocks', () => counts().replays);
  declare.gauges('heddle_websocket_subscriptions', 'Active subscriptions, by topic', 'topic', () =>
    TOPICS.map((topic) => [topic, counts().subscriptions[topic]] as const),
  );
}
