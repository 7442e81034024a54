/** Timeouts and intervals of the mesh, in milliseconds; consensus does not depend on them. */
export interface MeshTiming {
  /** Timeout for a TLS handshake, and again for the hello after it. */
  readonly handshakeMs: number;
  /** Interval between pings. */
  readonly pingMs: number;
  /** Number of ping intervals without traffic after which a connection is dead. */
  readonly silentPings: number;
  /** How long a superseded connection may still deliver messages in flight. */
  readonly retireMs: number;
  /** Age at which a connection yields to a new one from either end: the peer would not dial again without need. */
  readonly replaceableAfterMs: number;
  /** Initial redial backoff; doubles with each failure. */
  readonly firstRedialMs: number;
  readonly maxRedialMs: number;
  /** Initial ban after a fault; doubles with each fault. */
  readonly firstBanMs: number;
  readonly maxBanMs: number;
  /** Maximum ban while fewer than a quorum are connected. */
  readonly maxBanWithoutQuorumMs: number;
  /** Time without faults after which earlier ones are forgotten. */
  readonly banResetMs: number;
}

export const MESH_TIMING: MeshTiming = {
  handshakeMs: 5_000,
  pingMs: 2_000,
  silentPings: 4,
  retireMs: 2_000,
  replaceableAfterMs: 10_000,
  firstRedialMs: 250,
  maxRedialMs: 5_000,
  firstBanMs: 1_000,
  maxBanMs: 300_000,
  maxBanWithoutQuorumMs: 2_000,
  banResetMs: 600_000,
};
