import type { ChainClock } from '../../chain/chain-clock.js';

/**
 * Sets a follower's clock by a block of a development chain that it has just applied, because the controls of the sealer
 * may have advanced the chain's clock. Old blocks, while the follower catches up, give the machine's time.
 * @param timestampMs the block's, milliseconds since 1970
 */
export function followClock(clock: ChainClock, timestampMs: bigint): void {
  clock.setLead(Math.max(0, clock.leadAt(Number(timestampMs))));
}
