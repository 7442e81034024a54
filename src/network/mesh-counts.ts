import type { FrameKind } from './frame-kinds.js';
import type { CloseReason, PeerFaultCode } from './mesh-error.js';

/** Why a stranger's connection was closed. */
export type RefusalReason =
  /** Too many at the door, or too many from one address. */
  | 'crowded'
  /** The handshake failed or took too long. */
  | 'handshake_failed'
  /** No ed25519 key was shown. */
  | 'no_identity'
  /** The key is none of the peers'. */
  | 'unknown_identity'
  /** The peer was dropped lately. */
  | 'kept_out';

/** Messages of one kind, in one direction. */
export interface Traffic {
  readonly messages: number;
  /** Of their payloads. */
  readonly bytes: number;
}

/** Messages, payload bytes and events since the start, by kind or reason; only those that there were. */
export interface MeshCounts {
  readonly sent: ReadonlyMap<FrameKind, Traffic>;
  readonly received: ReadonlyMap<FrameKind, Traffic>;
  /** Messages that were not sent because too many waited. */
  readonly discardedSending: ReadonlyMap<FrameKind, number>;
  /** Messages that were not looked at because too many came. */
  readonly discardedReceiving: ReadonlyMap<FrameKind, number>;
  /** How often reading from a peer paused because it sent too much. */
  readonly pauses: number;
  readonly faults: ReadonlyMap<PeerFaultCode, number>;
  readonly closed: ReadonlyMap<CloseReason, number>;
  readonly refused: ReadonlyMap<RefusalReason, number>;
}

/** What the mesh counts. */
export class MeshCounters implements MeshCounts {
  readonly sent = new Map<FrameKind, { messages: number; bytes: number }>();
  readonly received = new Map<FrameKind, { messages: number; bytes: number }>();
  readonly discardedSending = new Map<FrameKind, number>();
  readonly discardedReceiving = new Map<FrameKind, number>();
  pauses = 0;
  readonly faults = new Map<PeerFaultCode, number>();
  readonly closed = new Map<CloseReason, number>();
  readonly refused = new Map<RefusalReason, number>();
}

/** One more of a kind or reason. */
export function increment<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** One more message. */
export function countTraffic(
  counts: Map<FrameKind, { messages: number; bytes: number }>,
  kind: FrameKind,
  bytes: number,
): void {
  const traffic = counts.get(kind);
  if (traffic === undefined) counts.set(kind, { messages: 1, bytes });
  else {
    traffic.messages++;
    traffic.bytes += bytes;
  }
}
