import type { ActorName } from '../scenario.js';
import { Actor, type ActorHost, type Trait, type TraitMaker } from './actor.js';
import { FORGERS } from './proposals.js';
import { TRAFFIC } from './traffic.js';
import { VOTERS } from './voters.js';

const TRAITS: Readonly<Record<Exclude<ActorName, 'twins'>, TraitMaker>> = {
  ...VOTERS,
  ...FORGERS,
  ...TRAFFIC,
};

/** @param half which of a pair of twins it is, 0 or 1 */
export function actorOf(host: ActorHost, names: readonly ActorName[], half: number | undefined): Actor {
  const traits = names.flatMap((name) => (name === 'twins' ? [] : [TRAITS[name]]));
  return new Actor(host, half === undefined ? traits : [...traits, (actor) => twin(actor, half)]);
}

/** Interval at which twins divide their peers again, in virtual milliseconds. */
const ROUND_MS = 700;

/** One of two processes with the same keys and separate disks; each sends to its half of the peers. */
function twin({ world }: Actor, half: number): Trait {
  return {
    reaches: (to) => {
      const round = Math.floor(world.nowMs / ROUND_MS);
      // Spreads peers evenly over both halves, differently in each round.
      return (((to * 7 + round * 5 + ((to * round) >> 1)) >> 1) & 1) === half;
    },
  };
}
