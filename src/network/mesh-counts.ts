import type { FrameKind } from './frame-kinds.js';
import type { CloseReason, PeerFaultCode } from './mesh-error.js';

/** Why an incoming connection was refused. */
export type RefusalReason =
  /** Too many unidentified sockets, in total or from one address. */
  | 'crowded'
  /** The handshake failed or took too long. */
  | 'handshake_failed'
  /** The peer presented no ed25519 key. */
  | 'no_identity'
  /** The key belongs to no allowed peer. */
  | 'unknown_identity'
  | 'kept_out';

interface Traffic {
  messages: number;
  /** Payload bytes. */
  bytes: number;
}

/** Messages, payload bytes and events since the start, by kind or reason; zero counts are absent. */
export class MeshCounts {
  readonly sent = new Map<FrameKind, Traffic>();
  readonly received = new Map<FrameKind, Traffic>();
  /** Messages not sent because a queue was full or a rate exceeded. */
  readonly discardedSending = new Map<FrameKind, number>();
  /** Messages skipped unread because of a limit. */
  readonly discardedReceiving = new Map<FrameKind, number>();
  /** Number of times that reading from a peer paused because the peer sent too much. */
  pauses = 0;
  readonly faults = new Map<PeerFaultCode, number>();
  readonly closed = new Map<CloseReason, number>();
  readonly refused = new Map<RefusalReason, number>();
}

export function increment<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

export function countTraffic(counts: Map<FrameKind, Traffic>, kind: FrameKind, bytes: number): void {
  const traffic = counts.get(kind);
  if (traffic === undefined) counts.set(kind, { messages: 1, bytes });
  else {
    traffic.messages++;
    traffic.bytes += bytes;
  }
}
