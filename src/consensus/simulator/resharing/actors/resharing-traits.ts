import type { ResharingActor } from '../resharing-scenario.js';
import { copier } from './copier.js';
import { dawdler, equivocator, garbler, miscounter } from './faulty-dealers.js';
import { accuser, censor, flooder, forger } from './faulty-players.js';
import type { ResharingTraitMaker } from './resharing-actor.js';

export const RESHARING_TRAITS: Readonly<Record<ResharingActor, ResharingTraitMaker>> = {
  garbler,
  copier,
  equivocator,
  miscounter,
  dawdler,
  accuser,
  forger,
  censor,
  flooder,
};
