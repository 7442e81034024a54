/** Timeouts and intervals of the mesh, in milliseconds; consensus does not depend on them. */
export const MESH_TIMING = {
  /** Timeout for a TLS handshake, and another of the same length for the hello after it. */
  handshakeMs: 5_000,
  pingMs: 2_000,
  /** Number of ping intervals without traffic after which a connection is dead. */
  silentPings: 4,
  /** Time in which a superseded connection may still deliver messages in flight. */
  retireMs: 2_000,
  /** Age at which a connection yields to a new one from either end: the peer would not dial again without need. */
  replaceableAfterMs: 10_000,
  /** Initial redial backoff; doubles with each failure. */
  firstRedialMs: 250,
  maxRedialMs: 5_000,
  /** Initial ban after a fault; doubles with each fault. */
  firstBanMs: 1_000,
  maxBanMs: 300_000,
  /** Maximum ban while fewer than a quorum are connected. */
  maxBanWithoutQuorumMs: 2_000,
  /** Time without faults after which earlier ones are forgotten. */
  banResetMs: 600_000,
} as const;

export type MeshTiming = Readonly<Record<keyof typeof MESH_TIMING, number>>;
