import type { ActorName } from '../scenario.js';
import { SimNode } from '../sim-node.js';
import type { World } from '../world.js';
import { Conflicter } from './conflicter.js';
import { Equivocator } from './equivocator.js';
import { Impersonator } from './impersonator.js';
import { Nuller } from './nuller.js';
import { Outdated } from './outdated.js';
import { Rusher } from './rusher.js';
import { Silent } from './silent.js';
import { Twin } from './twin.js';
import { Withholder } from './withholder.js';

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

/** Who runs under a validator's identity: itself, or what stands in its place. */
export function hostsOf(world: World, index: number): SimNode[] {
  const actor = world.scenario.byzantine.get(index);
  return actor === undefined ? [new SimNode(world, index)] : ACTORS[actor](world, index);
}
