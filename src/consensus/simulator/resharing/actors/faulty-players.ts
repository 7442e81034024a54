import type { Complaint, Dealing } from '../../../../generated/ledger.js';
import { proofOf } from '../cheap-curve.js';
import type { ResharingActorRuntime, ResharingTrait } from './resharing-actor.js';

/** Acknowledges nothing from some dealers, and complains about the good shares that they seal to it. */
export function accuser(actor: ResharingActorRuntime): ResharingTrait {
  const { random } = actor;
  const ignored = new Set<string>();
  const accused = new Set<string>();
  let complaints: Complaint[] = [];
  const accuse = ({ epoch, dealer, sealed }: Dealing): Complaint | undefined => {
    const own = sealed.find(({ player }) => player === actor.player) ?? sealed[0];
    const key = actor.host.disk.durable.keys.at(-1)?.privateKey;
    if (own === undefined || key === undefined) return undefined;
    const proof = random.chance(0.7) ? proofOf(key, own, actor.bytes(32)) : undefined;
    const bogus = { shared: own.ephemeral, challenge: actor.bytes(32), response: actor.bytes(32) };
    return { epoch, dealer, player: own.player, ...(proof ?? bogus) };
  };
  return {
    outgoing: (_, message) => {
      if (message.kind !== 'dealt_ack') return [message];
      const name = `${message.value.epoch}/${message.value.dealer}`;
      if (!ignored.has(name) && random.chance(0.5)) ignored.add(name);
      return ignored.has(name) ? [] : [message];
    },
    block: () => {
      complaints = complaints.filter(({ epoch }) => epoch === actor.epoch);
      for (const dealing of actor.state.dealings) {
        const name = `${dealing.epoch}/${dealing.dealer}`;
        if (accused.has(name)) continue;
        accused.add(name);
        const complaint = accuse(dealing);
        if (complaint === undefined) continue;
        complaints.push(complaint);
        actor.broadcast({ kind: 'complaint', value: complaint });
      }
    },
    offered: (items) => ({ ...items, complaints: [...complaints, ...items.complaints] }),
  };
}

/** Sends acknowledgements that are not its own or not signed, and the items of others. */
export function forger(actor: ResharingActorRuntime): ResharingTrait {
  const { random } = actor;
  return {
    outgoing: (_, message) => {
      if (message.kind !== 'dealt_ack' || !random.chance(0.5)) return [message];
      const { ack } = message.value;
      const player = random.chance(0.5) ? (ack.player + 1) % actor.players.length : ack.player;
      const signature = random.chance(0.5) ? actor.bytes(64) : ack.signature;
      return [{ ...message, value: { ...message.value, ack: { player, signature } } }, message];
    },
    received: (from, message) => {
      if (message.kind === 'dealt_share' || !random.chance(0.2)) return;
      const to = random.below(actor.world.scenario.validators);
      if (to !== from && to !== actor.host.index) actor.host.transmit(to, message);
    },
  };
}

/** Leaves out items of its proposals, and changes their order. */
export function censor(actor: ResharingActorRuntime): ResharingTrait {
  const { random } = actor;
  return {
    offered: (items) => ({
      ...items,
      dealings: items.dealings.filter(() => random.chance(0.5)).reverse(),
      complaints: items.complaints.filter(() => random.chance(0.3)),
    }),
  };
}

/** Sends dealings and complaints that are early, late or malformed, many times. */
export function flooder(actor: ResharingActorRuntime): ResharingTrait {
  const { random } = actor;
  let last: Dealing | undefined;
  return {
    outgoing: (_, message) => {
      if (message.kind === 'dealing') last = message.value;
      return [message, message];
    },
    block: () => {
      const to = random.below(actor.world.scenario.validators);
      if (to === actor.host.index) return;
      const dealer = random.below(actor.state.validators.validators.length);
      const epoch = actor.epoch + BigInt(random.below(3));
      const proof = { shared: actor.bytes(48), challenge: actor.bytes(32), response: actor.bytes(32) };
      const player = Math.max(0, actor.player);
      actor.host.transmit(to, { kind: 'complaint', value: { epoch, dealer, player, ...proof } });
      if (last === undefined) return;
      const value = actor.signedDealing({ ...last, epoch, sealed: last.sealed.slice(random.below(2)) });
      actor.host.transmit(to, { kind: 'dealing', value });
    },
  };
}
