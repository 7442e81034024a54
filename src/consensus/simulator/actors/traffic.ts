import type { Certificate } from '../../core/types.js';
import type { FinalBlock, PeerMessage } from '../../shell/ports.js';
import type { Actor, Trait, TraitMaker } from './actor.js';

/** Withholds most votes, certificates, blocks or answers from random peers. */
function withholder(actor: Actor): Trait {
  const withheld = actor.random.pick(['vote', 'certificate', 'proposal', 'block'] as const);
  return { reaches: (_, { type }) => type !== withheld || !actor.random.chance(0.7) };
}

/** Neither hears nor sends anything. */
function silent(): Trait {
  return { incoming: () => false, outgoing: () => false };
}

/** Floods its peers with requests, with messages of the next epoch and of far views, and with blocks. */
function flooder(actor: Actor): Trait {
  let rounds = 60;
  const burst = (count: number, message: () => PeerMessage) => {
    const peer = actor.random.pick(actor.peers);
    for (let i = 0; i < count; i++) actor.pass(peer, message());
  };
  return {
    tick: () => {
      if (rounds-- <= 0) return;
      const { random, world, epoch, view } = actor;
      const hash =
        world.checks.finalAt(random.below(world.checks.finalHeight + 1)) ?? world.blocks.genesis.facts.hash;
      switch (random.below(6)) {
        case 0:
          burst(260, () => ({ type: 'get_block', hash }));
          break;
        case 1:
          burst(60, () => ({ type: 'get_certificates', epoch, fromView: 1, toView: view + 10 }));
          break;
        case 2:
          burst(40, () => ({ type: 'get_finalized', fromHeight: 1, count: 4 }));
          break;
        case 3: {
          const next = random.between(1, 3);
          const vote = actor.host.sign(actor.message('nullify', epoch + 1, next));
          for (const peer of actor.peers)
            for (let i = 0; i < 140; i++) actor.pass(peer, { type: 'vote', vote });
          break;
        }
        case 4:
          burst(40, () => ({
            type: 'vote',
            vote: actor.host.sign(actor.message('nullify', epoch, view + random.between(1, 60))),
          }));
          break;
        case 5:
          pushBlocks(actor);
          break;
      }
    },
  };
}

/** Pushes many blocks for the views that it will lead. */
function pushBlocks(actor: Actor): void {
  const { random, world, epoch, view, index } = actor;
  const parent = world.blocks.get(world.checks.finalAt(world.checks.finalHeight) ?? '');
  if (parent === undefined) return;
  for (let ahead = 0; ahead < 12; ahead++) {
    if (world.leaderOf(epoch, view + ahead) !== index) continue;
    const draft = { epoch, view: view + ahead, proposer: index, timestampMs: 0 };
    for (let i = 0; i < 4; i++) {
      const block = world.blocks.build(parent, { ...draft, transactions: [random.below(1_000_000)] });
      const message = actor.message('notarize', epoch, view + ahead, 0, block.facts.hash);
      actor.pass(undefined, { type: 'proposal', vote: actor.host.sign(message), block: block.encoded });
    }
  }
}

/** Answers requests with lies: altered or uncertified blocks, forged certificates, other blocks, or nothing. */
function liar(actor: Actor): Trait {
  return {
    outgoing: (to, message) => {
      if (actor.random.chance(0.3)) return true;
      if (message.type === 'finalized') {
        actor.pass(to, { ...message, blocks: falsified(actor, message.blocks) });
        return false;
      }
      if (message.type === 'block' && message.block !== undefined) {
        const other = actor.world.blocks.get(actor.world.checks.finalAt(1) ?? '');
        actor.pass(to, { ...message, block: actor.random.chance(0.5) ? other?.encoded : undefined });
        return false;
      }
      return true;
    },
    // Answers for every height, also for those that it does not have.
    incoming: (from, message) => {
      if (message.type !== 'get_finalized' || !actor.random.chance(0.5)) return true;
      const blocks = falsified(actor, forgedChain(actor, message.fromHeight, Math.min(message.count, 40)));
      actor.pass(from, { type: 'finalized', fromHeight: message.fromHeight, blocks });
      return false;
    },
  };
}

/** Valid blocks that nobody has agreed on, above a final one. */
function forgedChain(actor: Actor, fromHeight: number, count: number): FinalBlock[] {
  const { world, random, index } = actor;
  let parent = world.blocks.get(world.checks.finalAt(fromHeight - 1) ?? '');
  const blocks: FinalBlock[] = [];
  for (let i = 0; i < count && parent !== undefined; i++) {
    const epoch = Math.floor(parent.facts.height / world.scenario.core.epochLength);
    const view = (parent.facts.epoch === epoch ? parent.facts.view : 0) + 1;
    const timestampMs = Number(parent.header.timestamp_ms) + 1;
    parent = world.blocks.build(parent, {
      epoch,
      view,
      proposer: index,
      timestampMs,
      transactions: [random.below(1_000)],
    });
    blocks.push({ block: parent.encoded, certificate: undefined });
  }
  return blocks;
}

/** Changes some certificates and blocks. */
function falsified(actor: Actor, blocks: readonly FinalBlock[]): FinalBlock[] {
  const { random } = actor;
  const way = random.below(5);
  return blocks.map(({ block, certificate }, at) => {
    const isLast = at === blocks.length - 1;
    if (way === 0) return { block, certificate: isLast ? undefined : certificate };
    if (way === 1 && isLast) return { block, certificate: forged(actor, block, certificate) };
    if (way === 2 && certificate !== undefined)
      return { block, certificate: { ...certificate, signature: new Uint8Array(96) } };
    if (way === 3 && random.chance(0.3)) return { block: { ...block, body: Uint8Array.of(9) }, certificate };
    return { block, certificate: way === 4 && isLast ? forged(actor, block, certificate) : certificate };
  });
}

/** A certificate for a block, with the signature of another one. */
function forged(
  actor: Actor,
  block: FinalBlock['block'],
  certificate: Certificate | undefined,
): Certificate | undefined {
  const { world } = actor;
  const known = world.blocks.ofHeader(block.header);
  if (known === undefined) return certificate;
  const { epoch, view, hash } = known.facts;
  const signature = certificate?.signature ?? world.anyFinalization?.signature ?? new Uint8Array(96);
  return { kind: 'finalize', epoch, view, parentView: Math.max(0, view - 1), hash, signature };
}

export const TRAFFIC = { withholder, silent: () => silent(), flooder, liar } satisfies Record<
  string,
  TraitMaker
>;
