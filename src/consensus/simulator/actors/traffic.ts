import type { EncodedBlock } from '../../../chain/decode-block.js';
import { type Certificate, NO_BLOCK } from '../../core/types.js';
import type { FinalBlock, PeerMessage } from '../../shell/ports.js';
import type { Actor, Trait } from './actor.js';

/** More blocks than a process that has just started may hold. */
const UNASKED_BLOCKS = 90;

/** Withholds most votes, certificates, blocks or answers from random peers. */
function withholder(actor: Actor): Trait {
  const withheld = actor.random.pick(['vote', 'certificate', 'proposal', 'block'] as const);
  return { reaches: (_, { type }) => type !== withheld || !actor.random.chance(0.7) };
}

function silent(): Trait {
  return { incoming: () => false, outgoing: () => false };
}

/** Floods its peers with requests, with messages of the next epoch and of far views, and with blocks. */
function flooder(actor: Actor): Trait {
  let rounds = 16;
  let ending = -1;
  let unasked: readonly EncodedBlock[] | undefined;
  const burst = (count: number, message: () => PeerMessage, peer = actor.random.pick(actor.peers)) => {
    for (let i = 0; i < count; i++) actor.pass(peer, message());
  };
  /** Fills a peer's memory for messages of the next epoch. */
  const flood = (epoch: number) => {
    const vote = actor.host.sign(actor.message('nullify', epoch, actor.random.between(1, 3)));
    burst(450, () => ({ type: 'vote', vote }));
  };
  return {
    incoming: (_, message) => {
      if (message.type !== 'certificate' || message.certificate.kind !== 'finalize') return true;
      const { epoch, hash } = message.certificate;
      const height = actor.world.blocks.get(hash)?.facts.height ?? 1;
      if (height % actor.world.scenario.core.epochLength !== 0 || ending >= epoch) return true;
      ending = epoch;
      flood(epoch + 1);
      return true;
    },
    tick: () => {
      if (rounds-- <= 0) return;
      const { random, world, epoch, view } = actor;
      const hash = world.finalAt(random.below(world.finalHeight + 1)) ?? world.blocks.genesis.facts.hash;
      switch (random.below(8)) {
        case 0:
          burst(260, () => ({ type: 'get_block', hash }));
          break;
        case 1:
          burst(60, () => ({ type: 'get_certificates', epoch, fromView: 1, toView: view + 10 }));
          break;
        case 2:
          burst(40, () => ({ type: 'get_finalized', fromHeight: 1, count: 4 }));
          break;
        case 3:
          flood(epoch + 1);
          break;
        case 4:
          burst(40, () => {
            const far = actor.message('nullify', epoch, view + random.between(1, 60));
            return { type: 'vote', vote: actor.host.sign(far) };
          });
          break;
        case 5:
          pushBlocks(actor);
          break;
        case 7:
          // Blocks that nobody has asked for, also to those that are just starting.
          unasked ??= forgedChain(actor, 1, UNASKED_BLOCKS).map(({ block }) => block);
          for (const block of unasked) actor.pass(undefined, { type: 'block', hash: NO_BLOCK, block });
          break;
        case 6:
          burst(250, () => {
            const message = actor.message('nullify', epoch, view + random.below(500));
            return { type: 'certificate', certificate: { ...message, signature: new Uint8Array(96) } };
          });
          break;
      }
    },
  };
}

/** Pushes many blocks for the views that it will lead. */
function pushBlocks(actor: Actor): void {
  const { random, world, epoch, view, index } = actor;
  const parent = world.finalBlock(world.finalHeight);
  if (parent === undefined) return;
  for (let ahead = 0; ahead < 12; ahead++) {
    if (world.leaderOf(epoch, view + ahead) !== index) continue;
    const draft = { epoch, view: view + ahead, proposer: index, timestampMs: 0 };
    for (let i = 0; i < 24; i++) {
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
      if (actor.random.chance(0.2)) return true;
      if (message.type === 'finalized') {
        // Others wait for an answer.
        if (actor.random.chance(0.25)) return false;
        actor.pass(to, { ...message, blocks: falsified(actor, message.blocks) });
        return false;
      }
      if (message.type === 'block' && message.block !== undefined) {
        const other = actor.world.finalBlock(1);
        actor.pass(to, { ...message, block: actor.random.chance(0.5) ? other?.encoded : undefined });
        return false;
      }
      return true;
    },
    // Answers for every height, also for those that it does not have.
    incoming: (from, message) => {
      if (message.type !== 'get_finalized' || !actor.random.chance(0.2)) return true;
      const blocks = falsified(actor, forgedChain(actor, message.fromHeight, Math.min(message.count, 40)));
      actor.pass(from, { type: 'finalized', fromHeight: message.fromHeight, blocks });
      return false;
    },
  };
}

/** Valid blocks that nobody has agreed on, above a final one. */
function forgedChain(actor: Actor, fromHeight: number, count: number): FinalBlock[] {
  const { world, random, index } = actor;
  let parent = world.finalBlock(fromHeight - 1);
  const blocks: FinalBlock[] = [];
  for (let i = 0; i < count && parent !== undefined; i++) {
    const epoch = Math.floor(parent.facts.height / world.scenario.core.epochLength);
    const view = (parent.facts.epoch === epoch ? parent.facts.view : 0) + 1;
    const timestampMs = Number(parent.header.timestamp_ms) + 1;
    const draft = { epoch, view, proposer: index, timestampMs };
    parent = world.blocks.build(parent, { ...draft, transactions: [random.below(1_000)] });
    blocks.push({ block: parent.encoded, certificate: undefined });
  }
  return blocks;
}

/** Ways to falsify final blocks; those that come close to the truth are more frequent. */
const WAYS = [0, 1, 2, 3, 3, 4, 5, 6, 6, 7, 7, 7, 8, 8, 8] as const;

/** Changes some certificates and blocks, or their order. */
function falsified(actor: Actor, blocks: readonly FinalBlock[]): FinalBlock[] {
  const { random, world } = actor;
  const way = random.pick(WAYS);
  const middle = random.below(Math.max(1, blocks.length - 1));
  if (way === 5) return blocks.filter((_, at) => at !== middle);
  return blocks.map((final, at) => {
    const { block, certificate } = final;
    const isLast = at === blocks.length - 1;
    const known = world.blocks.ofHeader(block.header);
    const parent = known && world.blocks.get(known.facts.parentHash);
    const other =
      parent &&
      world.blocks.build(parent, { ...known.facts, timestampMs: 0, transactions: [random.below(1_000)] });
    if (way === 0) return { block, certificate: isLast ? undefined : certificate };
    if (way === 1 && isLast) return { block, certificate: forged(actor, final) };
    if (way === 2 && certificate !== undefined)
      return { block, certificate: { ...certificate, signature: new Uint8Array(96) } };
    if (way === 3 && at === middle)
      return { block: { ...block, body: other?.encoded.body ?? Uint8Array.of(9) }, certificate };
    // A block that nobody agreed on, in between final ones.
    if (way === 6 && at === middle && other !== undefined)
      return { block: other.encoded, certificate: undefined };
    // The last one is replaced, with the certificate of the true one.
    if (way === 7 && isLast && other !== undefined)
      return { block: other.encoded, certificate: certificate ?? world.anyFinalization };
    if (way === 8 && isLast) return { block, certificate: notarization(actor, block) ?? certificate };
    return { block, certificate: way === 4 && isLast ? forged(actor, final) : certificate };
  });
}

/** The notarization of a block, which does not make it final. */
function notarization({ world }: Actor, block: FinalBlock['block']): Certificate | undefined {
  const known = world.blocks.ofHeader(block.header);
  if (known === undefined) return undefined;
  const { epoch, view, hash } = known.facts;
  const message = { kind: 'notarize', epoch, view, parentView: view - 1, hash } as const;
  const signature = world.keys.certify(message);
  return signature && { ...message, signature };
}

/** A certificate for a block, with the signature of another one. */
function forged({ world }: Actor, { block, certificate }: FinalBlock): Certificate | undefined {
  const known = world.blocks.ofHeader(block.header);
  if (known === undefined) return certificate;
  const { epoch, view, hash } = known.facts;
  const signature = certificate?.signature ?? world.anyFinalization?.signature ?? new Uint8Array(96);
  return { kind: 'finalize', epoch, view, parentView: Math.max(0, view - 1), hash, signature };
}

export const TRAFFIC = { withholder, silent, flooder, liar };
