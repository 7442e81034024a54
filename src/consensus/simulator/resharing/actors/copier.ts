import { modOrder } from '../../../../crypto/scalars/scalars.js';
import type { Dealing, SealedShare } from '../../../../generated/ledger.js';
import { maxFaulty } from '../../../../ledger/validators/quorum.js';
import { pointOf, proveSealing, scalarOf } from '../cheap-curve.js';
import type { ResharingActorRuntime, ResharingTrait } from './resharing-actor.js';

/** Number of other dealers' sealed shares that it remembers. */
const MAX_SEEN = 32;

/**
 * Deals nothing to some players, and seals shares to them under another dealer's ephemeral point or twice that point. It
 * does not know the scalar, so it copies the other dealer's proof or proves a different scalar.
 */
export function copier(actor: ResharingActorRuntime): ResharingTrait {
  const { random } = actor;
  let epoch = -1n;
  let victims = new Set<number>();
  const seen: SealedShare[] = [];
  const enter = (next: bigint) => {
    if (next === epoch) return;
    epoch = next;
    const players = actor.players.length;
    victims = new Set(random.sample(random.between(1, Math.max(1, maxFaulty(players))), players));
  };
  const copied = ({ epoch, dealer }: Dealing, own: SealedShare): SealedShare => {
    if (seen.length === 0) return own;
    const other = random.pick(seen);
    const { player } = own;
    const twice = pointOf(modOrder(2n * (scalarOf(other.ephemeral) ?? 1n)));
    const statement = {
      context: { epoch, dealer, player },
      encryptionKey: actor.players[player]?.encryption_key ?? pointOf(1n),
      ephemeral: random.chance(0.7) ? other.ephemeral : twice,
      share: random.chance(0.5) ? other.share : actor.bytes(32),
    };
    if (random.chance(0.5)) return { player, ...proveSealing(statement, actor.scalar()) };
    const { ephemeral, share } = statement;
    return { ...other, player, ephemeral, share };
  };
  const copy = (dealing: Dealing): Dealing => {
    const sealed = dealing.sealed.map((own) => copied(dealing, own));
    return actor.signedDealing({ ...dealing, sealed });
  };
  return {
    outgoing: (to, message) => {
      enter(message.value.epoch);
      if (message.kind === 'dealt_share')
        return victims.has(actor.indexIn(actor.players, to)) ? [] : [message];
      return message.kind === 'dealing' ? [{ ...message, value: copy(message.value) }] : [message];
    },
    received: (_, message) => {
      if (message.kind !== 'dealing') return;
      seen.push(...message.value.sealed);
      seen.splice(0, seen.length - MAX_SEEN);
    },
    offered: (items) => ({
      ...items,
      dealings: items.dealings.map((one) => (one.dealer === actor.dealer ? copy(one) : one)),
    }),
  };
}
