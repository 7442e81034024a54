import type { BlockHeader } from '../../../generated/ledger.js';
import type { VoteMessage } from '../../core/types.js';
import type { PeerMessage } from '../../shell/ports.js';
import type { SimBlock } from '../sim-blocks.js';
import type { Actor, Trait, TraitMaker } from './actor.js';

/** Makes another block at the place of one. */
function sibling(
  actor: Actor,
  block: SimBlock,
  change?: (header: BlockHeader) => BlockHeader,
): SimBlock | undefined {
  const { blocks, random } = actor.world;
  const parent = blocks.get(block.facts.parentHash);
  if (parent === undefined) return undefined;
  const { epoch, view, proposer } = block.facts;
  const timestampMs = Number(block.header.timestamp_ms) + random.below(5);
  return blocks.build(
    parent,
    { epoch, view, proposer, timestampMs, transactions: [random.below(1_000)] },
    change,
  );
}

function propose(actor: Actor, block: SimBlock, message: VoteMessage, to?: number): void {
  const vote = actor.host.sign(message);
  actor.pass(to, { type: 'proposal', vote, block: block.encoded });
}

/** The block of an own proposal. */
function proposed(actor: Actor, message: PeerMessage): SimBlock | undefined {
  return message.type === 'proposal' ? actor.world.blocks.get(message.vote.hash) : undefined;
}

/** Proposes two blocks in each of its views, each to some of its peers, and votes for both. One may be invalid. */
function equivocator(actor: Actor): Trait {
  return {
    outgoing: (to, message) => {
      const block = proposed(actor, message);
      if (block === undefined || message.type !== 'proposal' || to !== undefined) return true;
      const { random } = actor;
      const invalid = (header: BlockHeader) => ({ ...header, gas_limit: header.gas_limit + 1n });
      const other = sibling(actor, block, random.chance(0.2) ? invalid : undefined);
      if (other === undefined) return true;
      const { vote } = message;
      const offer = (peer: number, one: SimBlock) => {
        propose(actor, one, { ...vote, hash: one.facts.hash }, peer);
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
  return {
    outgoing: (to, message) => {
      const block = proposed(actor, message);
      if (block === undefined || message.type !== 'proposal' || to !== undefined) return true;
      const { random, world } = actor;
      const { vote } = message;
      switch (random.below(6)) {
        case 0: {
          // The right header with another body.
          const other = sibling(actor, block);
          if (other === undefined) return true;
          const encoded = { header: block.encoded.header, body: other.encoded.body };
          actor.pass(undefined, { type: 'proposal', vote, block: encoded });
          return false;
        }
        case 1: {
          // The parent itself, as if it were the last of the epoch.
          const parent = world.blocks.get(block.facts.parentHash);
          if (parent === undefined) return true;
          propose(actor, parent, { ...vote, hash: parent.facts.hash });
          return false;
        }
        case 2: {
          // Another block of the branch, or one of a former view.
          const grandparent = world.blocks.get(
            world.blocks.get(block.facts.parentHash)?.facts.parentHash ?? '',
          );
          if (grandparent === undefined) return true;
          const { epoch, view, proposer } = block.facts;
          const timestampMs = Number(block.header.timestamp_ms);
          const other = world.blocks.build(grandparent, {
            epoch,
            view,
            proposer,
            timestampMs,
            transactions: [],
          });
          propose(actor, other, { ...vote, hash: other.facts.hash });
          return false;
        }
        default: {
          const change = random.pick(CHANGES);
          const other = sibling(actor, block, (header) => change(header, actor));
          if (other === undefined) return true;
          propose(actor, other, { ...vote, hash: other.facts.hash });
          return false;
        }
      }
    },
    // Proposes in the name of the leader of a view that is about to begin.
    incoming: (_, message) => {
      if (message.type !== 'proposal' || !actor.random.chance(0.2)) return true;
      const block = actor.world.blocks.get(message.vote.hash);
      const other = block && sibling(actor, block);
      if (other !== undefined) propose(actor, other, { ...message.vote, hash: other.facts.hash });
      return true;
    },
  };
}

/** Builds on blocks that are not notarized: its own refused ones, and any that it has seen. */
function stacker(actor: Actor): Trait {
  let last: { readonly block: SimBlock; readonly view: number } | undefined;
  return {
    incoming: (_, message) => {
      if (message.type !== 'proposal') return true;
      const block = actor.world.blocks.get(message.vote.hash);
      if (block !== undefined && actor.random.chance(0.5)) last = { block, view: message.vote.view };
      return true;
    },
    outgoing: (to, message) => {
      const block = proposed(actor, message);
      if (block === undefined || message.type !== 'proposal' || to !== undefined) return true;
      const { random, world } = actor;
      const { vote } = message;
      const { epoch, view, proposer } = block.facts;
      const timestampMs = Number(block.header.timestamp_ms);
      const before = last;
      if (before !== undefined && before.block.facts.epoch === epoch && before.view < view) {
        const child = world.blocks.build(before.block, {
          epoch,
          view,
          proposer,
          timestampMs,
          transactions: [],
        });
        propose(actor, child, { ...vote, parentView: before.view, hash: child.facts.hash });
        last = { block: child, view };
        return false;
      }
      // A block that is refused or reaches too few, to build on it later.
      const bad = random.chance(0.5);
      const other = sibling(actor, block, (header) => (bad ? { ...header, gas_limit: 1n } : header));
      if (other === undefined) return true;
      last = { block: other, view };
      propose(actor, other, { ...vote, hash: other.facts.hash }, bad ? undefined : random.pick(actor.peers));
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
      const block = proposed(actor, message);
      if (block === undefined || message.type !== 'proposal' || to !== undefined) return true;
      const { random, world } = actor;
      const { vote } = message;
      const { epoch, view, proposer } = block.facts;
      const timestampMs = Number(block.header.timestamp_ms);
      if (random.chance(0.3)) {
        // The same block, with a parent view that holds something else or nothing.
        const parentView = random.below(vote.view);
        propose(actor, block, { ...vote, parentView });
        return false;
      }
      const places = [...seen]
        .filter(([place, at]) => place === `${epoch}/${at.view}` && at.view < vote.parentView)
        .slice(-4)
        .map(([, at]) => at);
      const lower = places.length === 0 ? undefined : random.pick(places);
      const parent = lower && world.blocks.get(lower.hash);
      if (lower === undefined || parent === undefined) return true;
      const other = world.blocks.build(parent, { epoch, view, proposer, timestampMs, transactions: [] });
      propose(actor, other, { ...vote, parentView: lower.view, hash: other.facts.hash });
      return false;
    },
  };
}

export const FORGERS = { equivocator, forger, stacker, skipper } satisfies Record<string, TraitMaker>;
