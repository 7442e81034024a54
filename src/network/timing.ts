/** Times of the mesh, in milliseconds; none of them decides what is agreed on. */
export interface MeshTiming {
  /** For a TLS handshake, and again for the hello after it. */
  readonly handshakeMs: number;
  /** Between pings. */
  readonly pingMs: number;
  /** A connection on which nothing came for so many pings is dead. */
  readonly silentPings: number;
  /** How long a connection that another has replaced may still deliver what was on its way. */
  readonly retireMs: number;
  /** A connection of this age gives way to a new one, whoever began it: the other end would not begin one without need. */
  readonly replaceableAfterMs: number;
  /** The first pause before dialing again; doubles with each failure. */
  readonly firstRedialMs: number;
  readonly maxRedialMs: number;
  /** How long a peer at fault is kept out at first; doubles with each fault. */
  readonly firstBanMs: number;
  readonly maxBanMs: number;
  /** The longest exclusion while fewer than a quorum are connected. */
  readonly maxBanWithoutQuorumMs: number;
  /** Faults are forgotten after so long without another. */
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
