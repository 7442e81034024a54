import type { BlockHeader } from '../../../generated/ledger.js';
import type { VoteMessage } from '../../core/types.js';
import type { PeerMessage } from '../../shell/ports.js';
import type { SimBlock } from '../sim-blocks.js';
import type { Actor, Trait } from './actor.js';

/** Makes another block at the place of one. */
function sibling(actor: Actor, block: SimBlock, change?: (header: BlockHeader) => BlockHeader) {
  const { blocks, random } = actor.world;
  const parent = blocks.get(block.facts.parentHash);
  if (parent === undefined) return undefined;
  const timestampMs = Number(block.header.timestamp_ms) + random.below(5);
  const transactions = [random.below(1_000)];
  return blocks.build(parent, { ...block.facts, timestampMs, transactions }, change);
}

/** Makes a block without transactions on another parent, at the place of one. */
function moved(actor: Actor, parent: SimBlock, { facts, header }: SimBlock): SimBlock {
  const timestampMs = Number(header.timestamp_ms);
  return actor.world.blocks.build(parent, { ...facts, timestampMs, transactions: [] });
}

/** An own proposal to all, with its block. */
function proposed(actor: Actor, to: number | undefined, message: PeerMessage) {
  if (message.type !== 'proposal' || to !== undefined) return undefined;
  const block = actor.world.blocks.get(message.vote.hash);
  return block && { block, vote: message.vote };
}

/** Proposes two blocks in each of its views, each to some of its peers, and votes for both. One may be invalid. */
function equivocator(actor: Actor): Trait {
  return {
    outgoing: (to, message) => {
      const own = proposed(actor, to, message);
      if (own === undefined) return true;
      const { block, vote } = own;
      const { random } = actor;
      const invalid = (header: BlockHeader) => ({ ...header, gas_limit: header.gas_limit + 1n });
      const other = sibling(actor, block, random.chance(0.2) ? invalid : undefined);
      if (other === undefined) return true;
      const offer = (peer: number, one: SimBlock) => {
        actor.offer(one, vote, peer);
        actor.vote({ ...vote, kind: 'finalize', hash: one.facts.hash }, peer);
      };
      for (const peer of actor.peers) {
        const both = random.chance(0.2);
        const first = random.chance(0.5);
        if (first || both) offer(peer, block);
        if (!first || both) offer(peer, other);
      }
      return false;
    },
  };
}

type Change = (header: BlockHeader, actor: Actor) => BlockHeader;

/** Faults in a header. Those in front leave the roots right. */
const CHANGES: readonly Change[] = [
  (header, { world }) => ({ ...header, proposer: (header.proposer + 1) % world.scenario.validators }),
  (header) => ({ ...header, view: header.view + 1n }),
  (header) => ({ ...header, view: header.view - 1n }),
  (header) => ({ ...header, epoch: header.epoch + 1n }),
  (header) => ({ ...header, timestamp_ms: 1n }),
  (header) => ({ ...header, timestamp_ms: header.timestamp_ms + 60_000n }),
  (header) => ({ ...header, timestamp_ms: header.timestamp_ms + 2_400n }),
  (header) => ({ ...header, gas_limit: header.gas_limit - 1n }),
  (header) => ({ ...header, state_root: new Uint8Array(32) }),
  (header) => ({ ...header, chain_id: header.chain_id + 1n }),
  (header) => ({ ...header, height: header.height + 1n }),
  (header) => ({ ...header, extra: Uint8Array.of(1) }),
];

/** Proposes blocks with a wrong header, another's block, the wrong bytes, a wrong parent, or in another's name. */
function forger(actor: Actor): Trait {
  let usurped = 0;
  return {
    outgoing: (to, message) => {
      const own = proposed(actor, to, message);
      if (own === undefined) return true;
      const { block, vote } = own;
      const { random, world } = actor;
      switch (random.below(6)) {
        case 0: {
          // The right header with another body.
          const other = sibling(actor, block);
          if (other === undefined) return true;
          const encoded = { header: block.encoded.header, body: other.encoded.body };
          for (const peer of actor.peers)
            actor.pass(peer, { type: 'proposal', vote, block: random.chance(0.5) ? encoded : block.encoded });
          return false;
        }
        case 1: {
          // The parent itself, as if it were the last of the epoch.
          const parent = world.blocks.get(block.facts.parentHash);
          if (parent === undefined) return true;
          actor.offer(parent, vote);
          return false;
        }
        case 2: {
          // Another block of the branch, or one of a former view.
          const parent = world.blocks.get(block.facts.parentHash);
          const grandparent = parent && world.blocks.get(parent.facts.parentHash);
          if (grandparent === undefined) return true;
          actor.offer(moved(actor, grandparent, block), vote);
          return false;
        }
        default: {
          const change = random.pick(CHANGES);
          const other = sibling(actor, block, (header) => change(header, actor));
          if (other === undefined) return true;
          actor.offer(other, vote);
          return false;
        }
      }
    },
    // Proposes in the place or in the name of the leader of a view that has just begun.
    incoming: (_, message) => {
      const { random, world } = actor;
      if (message.type === 'certificate' && message.certificate.kind === 'notarize') {
        const { epoch, view, hash } = message.certificate;
        const parent = world.blocks.get(hash);
        const leader = world.leaderOf(epoch, view + 1);
        if (parent === undefined || usurped >= view || leader === actor.index || !random.chance(0.5))
          return true;
        usurped = view;
        const draft = { epoch, view: view + 1, timestampMs: 0, transactions: [random.below(1_000)] };
        const other = world.blocks.build(parent, { ...draft, proposer: random.pick([leader, actor.index]) });
        actor.offer(other, actor.message('notarize', epoch, view + 1, view));
      } else if (message.type === 'proposal' && random.chance(0.2)) {
        const block = world.blocks.get(message.vote.hash);
        const other = block && sibling(actor, block);
        if (other !== undefined) actor.offer(other, message.vote);
      }
      return true;
    },
  };
}

/** Builds on blocks that are not notarized, and withholds votes so that views end without one that is. */
function stacker(actor: Actor): Trait {
  const seen = new Map<string, SimBlock>();
  const placeOf = ({ epoch, view }: Pick<VoteMessage, 'epoch' | 'view'>) => `${epoch}/${view}`;
  const note = (block: SimBlock | undefined, vote: VoteMessage) => {
    if (block !== undefined) seen.set(placeOf(vote), block);
  };
  /** The highest block below a view that no quorum has notarized there. */
  const openBelow = (vote: VoteMessage) => {
    const { epoch } = vote;
    for (let view = vote.view - 1; view > Math.max(0, vote.view - 12); view--) {
      const block = seen.get(placeOf({ epoch, view }));
      if (block !== undefined && !actor.world.keys.isNotarized(epoch, view, block.facts.hash))
        return { block, view };
    }
    return undefined;
  };
  return {
    incoming: (_, message) => {
      if (message.type === 'proposal') note(actor.world.blocks.get(message.vote.hash), message.vote);
      return true;
    },
    outgoing: (to, message) => {
      const { random, world } = actor;
      // Its parent is not final for longer.
      if (message.type === 'vote' && message.vote.kind === 'finalize' && random.chance(0.6)) return false;
      if (message.type === 'vote' && message.vote.kind === 'notarize') {
        const { epoch, view } = message.vote;
        const isNext = world.leaderOf(epoch, view + 1) === actor.index;
        if (!random.chance(isNext ? 0.9 : 0.5)) return true;
        if (random.chance(0.7)) actor.vote(actor.message('nullify', epoch, view));
        return false;
      }
      const own = proposed(actor, to, message);
      if (own === undefined) return true;
      const { block, vote } = own;
      const parent = world.blocks.get(block.facts.parentHash);
      if (parent !== undefined && random.chance(0.25)) {
        // On a rival of the true parent, with the parent's certificates.
        const rival = sibling(actor, parent);
        if (rival === undefined) return true;
        const other = moved(actor, rival, block);
        actor.serve(rival);
        actor.offer(other, vote);
        return false;
      }
      const below = openBelow(vote);
      if (below !== undefined && random.chance(0.8)) {
        // The last block of an epoch is proposed again as it is.
        const isLast = below.block.facts.height % world.scenario.core.epochLength === 0;
        const other = isLast ? below.block : moved(actor, below.block, block);
        actor.offer(other, { ...vote, parentView: below.view });
        note(other, vote);
        return false;
      }
      // A block that is refused or reaches too few, to build on it later.
      const bad = random.chance(0.4);
      const other = sibling(actor, block, (header) => (bad ? { ...header, gas_limit: 1n } : header));
      if (other === undefined) return true;
      note(other, vote);
      if (bad) actor.offer(other, vote);
      else for (const peer of actor.peers) if (random.chance(0.5)) actor.offer(other, vote, peer);
      return false;
    },
  };
}

/** Proposes on a lower parent than it must, over notarized or open views. */
function skipper(actor: Actor): Trait {
  const seen = new Map<string, { readonly hash: string; readonly view: number }>();
  const note = (message: PeerMessage) => {
    if (message.type !== 'certificate' || message.certificate.kind === 'nullify') return true;
    const { epoch, view, hash } = message.certificate;
    seen.set(`${epoch}/${view}`, { hash, view });
    return true;
  };
  return {
    incoming: (_, message) => note(message),
    outgoing: (to, message) => {
      note(message);
      const { random, world } = actor;
      // Without its votes fewer views become final, so that more lower parents are left.
      if (message.type === 'vote' && message.vote.kind !== 'nullify' && random.chance(0.6)) return false;
      const own = proposed(actor, to, message);
      if (own === undefined) return true;
      const { block, vote } = own;
      if (random.chance(0.3)) {
        // The same block, with a parent view that holds something else or nothing, even the block itself.
        const parentView = random.below(vote.view + 2);
        actor.offer(block, { ...vote, parentView });
        return false;
      }
      const places = [...seen]
        .filter(([place, at]) => place === `${block.facts.epoch}/${at.view}` && at.view < vote.parentView)
        .slice(-4)
        .map(([, at]) => at);
      const lower = places.length === 0 ? undefined : random.pick(places);
      const parent = lower && world.blocks.get(lower.hash);
      if (lower === undefined || parent === undefined) return true;
      actor.offer(moved(actor, parent, block), { ...vote, parentView: lower.view });
      return false;
    },
  };
}

export const FORGERS = { equivocator, forger, stacker, skipper };
