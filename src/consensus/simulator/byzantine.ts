import { Conflicter, Equivocator, Impersonator, Nuller, Outdated, Rusher } from './byzantine-voters.js';
import type { Packet } from './model.js';
import type { ActorName } from './scenario.js';
import { SimNode } from './sim-node.js';
import type { World } from './world.js';

/** An otherwise honest node that withholds most of its votes, certificates or blocks from random peers. */
class Withholder extends SimNode {
  override readonly honest = false;
  readonly #withheld: Packet['type'] = this.world.random.pick(['vote', 'certificate', 'block'] as const);

  protected override transmit(to: number, packet: Packet): void {
    if (packet.type === this.#withheld && this.world.random.chance(0.7)) return;
    super.transmit(to, packet);
  }
}

/** Ignores all packets and sends none. */
class Silent extends SimNode {
  override readonly honest = false;

  override receive(): void {
    // Ignores the packet.
  }

  protected override transmit(): void {
    // Sends nothing.
  }
}

/** Interval at which a pair of twins redivides its peers, in virtual milliseconds. */
const ROUND_MS = 700;

/** One of two processes with the same key but separate journals; each sends to its half of the peers. */
class Twin extends SimNode {
  override readonly honest = false;
  readonly #half: number;

  constructor(world: World, index: number, half: number) {
    super(world, index);
    this.#half = half;
  }

  protected override transmit(to: number, packet: Packet): void {
    const round = Math.floor(this.world.nowMs / ROUND_MS);
    // Spreads peers evenly over both halves, differently in each round.
    const half = ((to * 7 + round * 5 + ((to * round) >> 1)) >> 1) & 1;
    if (half === this.#half) super.transmit(to, packet);
  }
}

const ACTORS: Readonly<Record<ActorName, (world: World, index: number) => SimNode[]>> = {
  equivocator: (world, index) => [new Equivocator(world, index)],
  conflicter: (world, index) => [new Conflicter(world, index)],
  nuller: (world, index) => [new Nuller(world, index)],
  impersonator: (world, index) => [new Impersonator(world, index)],
  outdated: (world, index) => [new Outdated(world, index)],
  withholder: (world, index) => [new Withholder(world, index)],
  silent: (world, index) => [new Silent(world, index)],
  rusher: (world, index) => [new Rusher(world, index)],
  twins: (world, index) => [new Twin(world, index, 0), new Twin(world, index, 1)],
};

/** The processes that run under a validator's key: an honest node, or the scenario's Byzantine actor. */
export function hostsOf(world: World, index: number): SimNode[] {
  const actor = world.scenario.byzantine.get(index);
  return actor === undefined ? [new SimNode(world, index)] : ACTORS[actor](world, index);
}
