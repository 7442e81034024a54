import type { Packet } from '../model.js';
import { SimNode } from '../sim-node.js';
import type { World } from '../world.js';

/** How long a pair of twins keeps to the same peers. */
const ROUND_MS = 700;

/** One of two that run under one identity with a journal each; each speaks to its half of the others, which changes. */
export class Twin extends SimNode {
  override readonly honest = false;
  readonly #half: number;

  constructor(world: World, index: number, half: number) {
    super(world, index);
    this.#half = half;
  }

  protected override transmit(to: number, packet: Packet): void {
    const round = Math.floor(this.world.nowMs / ROUND_MS);
    // Any even spread over peers and rounds will do.
    const half = ((to * 7 + round * 5 + ((to * round) >> 1)) >> 1) & 1;
    if (half === this.#half) super.transmit(to, packet);
  }
}
