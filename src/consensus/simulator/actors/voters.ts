import { NO_BLOCK, type Vote, type VoteMessage } from '../../core/types.js';
import type { PeerMessage } from '../../shell/ports.js';
import { voteIn } from '../model.js';
import type { Actor, Trait } from './actor.js';

/** Votes kept for replays. */
const MAX_SEEN = 64;

/** Sends a conflicting vote with each of its votes: for another block, on another parent, or of another kind. */
function conflicter(actor: Actor): Trait {
  let lastHash = NO_BLOCK;
  return {
    outgoing: (_, message) => {
      const vote = voteIn(message);
      if (vote === undefined || vote.kind === 'nullify') return true;
      const { random } = actor;
      const others: VoteMessage[] = [
        { ...vote, parentView: random.below(vote.view) },
        { ...vote, hash: lastHash },
        { ...vote, kind: 'finalize' },
      ];
      lastHash = vote.hash;
      for (const peer of actor.peers) {
        const other = random.pick(others);
        if (!random.chance(0.2)) actor.vote(other, peer);
        // This vote has no identity signature, so it cannot be evidence.
        else actor.passVote(peer, { ...actor.host.sign(other), signature: new Uint8Array(64) });
      }
      return true;
    },
  };
}

/** Both nullifies and finalizes every view. */
function nuller(actor: Actor): Trait {
  return {
    outgoing: (_, message) => {
      const vote = voteIn(message);
      if (vote === undefined) return true;
      actor.vote({ ...vote, kind: 'nullify', parentView: 0, hash: NO_BLOCK });
      if (vote.kind === 'notarize') actor.vote({ ...vote, kind: 'finalize' });
      return true;
    },
  };
}

/** Nullifies each view as soon as it sees it begin, to some or all. */
function hasty(actor: Actor): Trait {
  let epoch = -1;
  let view = 0;
  const nullify = (of: number, upTo: number) => {
    if (of !== epoch) view = Math.max(0, upTo - 2);
    epoch = of;
    while (view < upTo) {
      view++;
      const message = actor.message('nullify', epoch, view);
      if (actor.random.chance(0.6)) actor.vote(message);
      else actor.vote(message, actor.random.pick(actor.peers));
    }
  };
  const onMessage = (message: PeerMessage) => {
    if (message.type === 'certificate') {
      const { certificate } = message;
      if (certificate.epoch === actor.epoch && certificate.view + 1 > (epoch === actor.epoch ? view : 0))
        nullify(actor.epoch, certificate.view + 1);
    }
    const vote = voteIn(message);
    if (vote?.epoch === actor.epoch && (epoch !== vote.epoch || vote.view > view))
      nullify(vote.epoch, vote.view);
    return true;
  };
  return { outgoing: (_, message) => onMessage(message), incoming: (_, message) => onMessage(message) };
}

/** Votes in the name of others, with invalid signatures, sends forged certificates, and replays others' votes. */
function impersonator(actor: Actor): Trait {
  const seen: Vote[] = [];
  return {
    incoming: (_, message) => {
      if (message.type === 'vote') seen.push(message.vote);
      if (seen.length > MAX_SEEN) seen.shift();
      return true;
    },
    outgoing: (to, message) => {
      if (message.type !== 'vote') return true;
      const { random, world, index } = actor;
      const { vote } = message;
      const bad = { partial: new Uint8Array(96), signature: new Uint8Array(64) };
      for (const peer of actor.peers) {
        if (to !== undefined && to !== peer) continue;
        switch (random.below(7)) {
          case 0:
            actor.passVote(peer, { ...vote, signer: random.below(world.scenario.validators) });
            break;
          case 1:
            actor.passVote(peer, { ...vote, partial: bad.partial });
            continue;
          case 2: {
            const certificate = { ...vote, view: vote.view + random.below(20), signature: bad.partial };
            actor.pass(peer, { type: 'certificate', certificate });
            break;
          }
          case 3:
            // In the peer's own name, with a signature that is not the peer's.
            actor.passVote(peer, { ...vote, ...bad, signer: peer });
            break;
          case 4: {
            const other = seen.filter(({ signer }) => signer !== index);
            if (other.length > 0) actor.passVote(peer, random.pick(other));
            break;
          }
          case 5: {
            // A vote of the peer itself, as after the loss of its disk, changed in one field.
            const own = seen.filter(({ signer }) => signer === peer);
            if (own.length === 0) break;
            const returned = random.pick(own);
            const changed = { ...returned, parentView: 0, view: returned.view + 1 };
            actor.passVote(peer, random.chance(0.5) ? returned : changed);
            break;
          }
        }
        actor.pass(peer, message);
      }
      return false;
    },
  };
}

/** Votes in past and far future views and epochs, and connects again at times. */
function outdated(actor: Actor): Trait {
  return {
    outgoing: (to, message) => {
      if (message.type !== 'vote') return true;
      const { random } = actor;
      const { vote } = message;
      const view = Math.max(1, vote.view + random.between(-25, random.chance(0.3) ? 40 : 0));
      const epoch = Math.max(0, vote.epoch + random.between(-1, random.chance(0.1) ? 1 : 0));
      const parentView = Math.min(vote.parentView, view - 1);
      actor.vote({ ...vote, view, epoch, parentView }, to);
      // A peer returns the votes that it keeps.
      if (view > vote.view && random.chance(0.2)) actor.host.reconnect(to ?? random.pick(actor.peers));
      return false;
    },
  };
}

/** Notarizes and finalizes every block that it sees a vote for, and votes on both sides of every view. */
function rusher(actor: Actor): Trait {
  const rushed = new Set<string>();
  return {
    incoming: (_, message) => {
      const vote = voteIn(message);
      if (vote === undefined) return true;
      const name = `${vote.epoch}/${vote.view}/${vote.parentView}/${vote.hash}`;
      if (rushed.has(name)) return true;
      rushed.add(name);
      // Joins the others that nullify, so that as few honest ones as possible make a quorum.
      if (vote.kind === 'nullify') actor.vote(vote);
      else
        for (const kind of ['notarize', 'finalize'] as const) {
          const signed = actor.host.sign({ ...vote, kind });
          for (const peer of actor.peers) if (actor.random.chance(0.4)) actor.passVote(peer, signed);
        }
      return true;
    },
  };
}

export const VOTERS = { conflicter, nuller, hasty, impersonator, outdated, rusher };
