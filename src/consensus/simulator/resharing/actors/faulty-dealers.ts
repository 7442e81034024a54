import { evaluationFor, type Polynomial, randomPolynomial } from '../../../../crypto/dkg/polynomial.js';
import { encodeScalar, expectScalar, modOrder } from '../../../../crypto/scalars/scalars.js';
import type { Ack, Dealing, SealedShare } from '../../../../generated/ledger.js';
import type { DealtShare } from '../../../../generated/mesh.js';
import { maxFaulty, quorumOf } from '../../../../ledger/validators/quorum.js';
import { ackMessage, commitmentsDigest } from '../../../../ledger/validators/signed-messages.js';
import { pointOf, scalarOf, sealTo } from '../cheap-curve.js';
import { CHAIN_ID } from '../final-blocks.js';
import type { ResharingMessage } from '../resharing-model.js';
import { RESHARING_CRYPTO } from '../sim-identities.js';
import type { ResharingActorRuntime, ResharingTrait } from './resharing-actor.js';

/** Seals garbage: to some players that it deals nothing to, or to all that did not acknowledge. */
export function garbler(actor: ResharingActorRuntime): ResharingTrait {
  const { random } = actor;
  let epoch = -1n;
  let victims = new Set<number>();
  let isForAll = false;
  const garbled = new Map<string, Dealing>();
  const enter = (next: bigint) => {
    if (next === epoch) return;
    epoch = next;
    garbled.clear();
    const players = actor.players.length;
    isForAll = random.chance(0.5);
    const count = isForAll ? 0 : random.between(1, Math.max(1, maxFaulty(players)));
    victims = new Set(random.sample(count, players));
  };
  const garbage = ({ epoch, dealer }: Dealing, own: SealedShare): SealedShare => {
    const { player } = own;
    const key = actor.players[player]?.encryption_key ?? pointOf(1n);
    const context = { epoch, dealer, player };
    switch (random.below(4)) {
      case 0:
        return sealTo(key, actor.scalar(), context, actor.randomShare());
      case 1:
        return sealTo(key, actor.scalar(), context, new Uint8Array(32).fill(0xff));
      case 2:
        return sealTo(key, actor.scalar(), context, actor.bytes(32));
      default:
        return own;
    }
  };
  const garble = (dealing: Dealing): Dealing => {
    enter(dealing.epoch);
    const name = dealing.sealed.map(({ player }) => player).join();
    const known = garbled.get(name);
    if (known !== undefined) return known;
    const sealed = dealing.sealed.map((one) =>
      isForAll || victims.has(one.player) ? garbage(dealing, one) : one,
    );
    const made = actor.signedDealing({ ...dealing, sealed });
    garbled.set(name, made);
    return made;
  };
  return {
    outgoing: (to, message) => {
      enter(message.value.epoch);
      if (message.kind === 'dealt_share')
        return victims.has(actor.indexIn(actor.players, to)) ? [] : [message];
      return message.kind === 'dealing' ? [{ ...message, value: garble(message.value) }] : [message];
    },
    offered: (items) => ({
      ...items,
      dealings: items.dealings.map((one) => (one.dealer === actor.dealer ? garble(one) : one)),
    }),
  };
}

/** Deals two polynomials, to some players one and to some the other, and each of both after an acknowledgement. */
export function equivocator(actor: ResharingActorRuntime): ResharingTrait {
  const { random } = actor;
  let epoch = -1n;
  let polynomial: Polynomial = [];
  let commitments: readonly Uint8Array[] = [];
  let side = new Set<number>();
  const acks = new Map<number, Ack>();
  let second: Dealing | undefined;
  const first = new Map<number, ResharingMessage>();
  const enter = (next: bigint) => {
    const share = actor.host.disk.durable.share?.share;
    if (next === epoch || share === undefined) return;
    epoch = next;
    const players = actor.players.length;
    polynomial = randomPolynomial(quorumOf(players), (length) => actor.bytes(length), expectScalar(share));
    commitments = polynomial.map(pointOf);
    side = new Set(random.sample(random.below(players + 1), players));
    acks.clear();
    first.clear();
    second = undefined;
  };
  const other = (dealt: DealtShare, player: number): ResharingMessage => {
    const share = encodeScalar(evaluationFor(polynomial, player));
    return { kind: 'dealt_share', value: { ...dealt, commitments, share } };
  };
  const makeSecond = (): Dealing | undefined => {
    const { players, dealer } = actor;
    if (acks.size < players.length - maxFaulty(players.length) || dealer < 0) return undefined;
    const sealed = players.flatMap(({ encryption_key: key }, player) => {
      const share = encodeScalar(evaluationFor(polynomial, player));
      const context = { epoch, dealer, player };
      return acks.has(player) ? [] : [sealTo(key, actor.scalar(), context, share)];
    });
    const present = [...acks.values()].sort((a, b) => a.player - b.player);
    const key = actor.state.encryptionKeys[dealer] ?? pointOf(1n);
    return actor.signedDealing({ epoch, dealer, commitments, encryption_key: key, acks: present, sealed });
  };
  return {
    outgoing: (to, message) => {
      if (message.kind !== 'dealt_share') return [message];
      enter(message.value.epoch);
      const player = actor.indexIn(actor.players, to);
      first.set(to, message);
      return [side.has(player) ? other(message.value, player) : message];
    },
    received: (from, { kind, value }) => {
      if (kind !== 'dealt_ack' || value.epoch !== epoch) return;
      const { player, signature } = value.ack;
      const sent = first.get(from);
      if (sent?.kind !== 'dealt_share') return;
      const digest = commitmentsDigest(RESHARING_CRYPTO, commitments);
      const message = ackMessage(CHAIN_ID, { epoch, dealer: value.dealer, player, digest });
      const key = actor.players[player]?.identity_key ?? new Uint8Array(0);
      const isSecond = RESHARING_CRYPTO.ed25519.verify(signature, message, key);
      if (isSecond) acks.set(player, value.ack);
      actor.host.transmit(from, isSecond ? sent : other(sent.value, player));
      second ??= makeSecond();
      if (second !== undefined) actor.broadcast({ kind: 'dealing', value: second });
    },
    offered: (items) => {
      if (second === undefined || second.epoch !== actor.epoch) return items;
      return { ...items, dealings: [second, ...items.dealings] };
    },
  };
}

/** The evaluation of a polynomial with one coefficient more, and its commitments. */
function longer(dealt: DealtShare, player: number): DealtShare {
  const { commitments, share } = dealt;
  const added = [...commitments.map(() => 0n), 1n];
  const evaluation = modOrder(expectScalar(share) + evaluationFor(added, player));
  return { ...dealt, commitments: [...commitments, pointOf(1n)], share: encodeScalar(evaluation) };
}

/** The evaluation of a polynomial with another constant, and its commitments. */
function shifted(dealt: DealtShare): DealtShare {
  const [constant = new Uint8Array(0), ...others] = dealt.commitments;
  const commitments = [pointOf(modOrder((scalarOf(constant) ?? 0n) + 1n)), ...others];
  return { ...dealt, commitments, share: encodeScalar(modOrder(expectScalar(dealt.share) + 1n)) };
}

/** Deals evaluations to some players that they must refuse. */
export function miscounter(actor: ResharingActorRuntime): ResharingTrait {
  const { random } = actor;
  const spoil = (dealt: DealtShare, player: number): DealtShare => {
    const { share } = dealt;
    switch (random.below(6)) {
      case 0:
        return { ...dealt, share: encodeScalar(modOrder(expectScalar(share) + 1n)) };
      case 1:
        return longer(dealt, player);
      case 2:
        return shifted(dealt);
      case 3:
        return { ...dealt, share: new Uint8Array(32).fill(0xff) };
      case 4:
        return { ...dealt, dealer: (dealt.dealer + 1) % actor.state.validators.validators.length };
      default:
        return dealt;
    }
  };
  return {
    outgoing: (to, message) =>
      message.kind === 'dealt_share' && random.chance(0.7)
        ? [{ ...message, value: spoil(message.value, actor.indexIn(actor.players, to)) }]
        : [message],
  };
}

/** Publishes its dealing in the last block that may hold it, or after it. */
export function dawdler(actor: ResharingActorRuntime): ResharingTrait {
  let held: Dealing | undefined;
  return {
    outgoing: (_, message) => {
      if (message.kind !== 'dealing') return [message];
      held = message.value;
      return [];
    },
    block: () => {
      if (held !== undefined && (actor.window === 'last' || actor.random.chance(0.1)))
        actor.broadcast({ kind: 'dealing', value: held });
    },
    offered: (items) => {
      const own = items.dealings.find(({ dealer }) => dealer === actor.dealer) ?? held;
      const others = items.dealings.filter(({ dealer }) => dealer !== actor.dealer);
      return { ...items, dealings: own === undefined || actor.window === 'open' ? others : [...others, own] };
    },
  };
}
