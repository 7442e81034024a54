import { setTimeout as sleep } from 'node:timers/promises';
import type { EncodedBlock } from '../../../../src/generated/mesh.js';
import { ledger } from '../../../../src/ledger/codecs.js';
import { FRAME_KINDS, type FrameKind } from '../../../../src/network/frame-kinds.js';
import { encodedFrames } from './attack-link.js';
import type { Rogue } from './rogue.js';
import { ALL_KINDS, malformed, oversized, random, wellFormed } from './sample-frames.js';

/** Share of a kind's rate that its limit never refuses, however unsteady the pace is. */
const ALLOWED = 0.8;
/** Body of a large message; four kinds at this share of the rate stay within the budget of a link. */
const LARGE_BODY_BYTES = 4 * 1024 * 1024;
const LARGE_SHARE = 0.1;
/** Copies of a message in one write, while a flood is above the rate. */
const COPIES = 500;
const MAX_CHUNK_BYTES = 8 * 1024 * 1024;
/** Time in which a victim ends a connection after a fault. */
const FAULT_MS = 3_000;

/** Votes, certificates and partial keys that help nobody, as many as a peer may send. */
export async function floodSmall(rogue: Rogue): Promise<void> {
  await rogue.located();
  const kinds: readonly FrameKind[] = ['vote', 'certificate', 'seal_share'];
  await Promise.all(
    kinds.map((kind) => {
      const frames = wellFormed(kind, rogue.forge.index);
      return rogue.atRate(kind, ALLOWED, () => frames);
    }),
  );
}

/** Blocks as large as allowed that nobody asked for, behind a header that decodes, and other large messages. */
export async function floodLarge(rogue: Rogue): Promise<void> {
  const block = await uselessBlock(rogue);
  const vote = rogue.forge.unsigned({ kind: { type: 'notarize' }, view: 1n });
  const large: readonly (readonly [FrameKind, Buffer])[] = [
    ['proposal', encodedFrames('proposal', { vote, block })],
    ['block', encodedFrames('block', { block_hash: random(32), block })],
    ['finalized', encodedFrames('finalized', { from_height: 1n, blocks: [{ block }] })],
    ['ceremony', wellFormed('ceremony', rogue.forge.index)],
  ];
  await Promise.all(large.map(([kind, frames]) => rogue.atRate(kind, LARGE_SHARE, () => frames)));
}

async function uselessBlock(rogue: Rogue): Promise<EncodedBlock> {
  const seen = await firstProposal(rogue);
  if (seen === undefined) return { header: new Uint8Array(0), body: new Uint8Array(0) };
  const header = ledger.BlockHeader.decode(seen.header);
  return {
    header: ledger.BlockHeader.encode({ ...header, view: header.view + 1_000_000n }),
    body: random(LARGE_BODY_BYTES),
  };
}

/** Messages of each kind in turn, as fast as the connection takes them: each connection is good for one flood. */
export async function floodAboveRate(rogue: Rogue): Promise<void> {
  let next = 0;
  await rogue.onEachLink(async (link) => {
    const kind = ALL_KINDS[next++ % ALL_KINDS.length] ?? 'vote';
    const frames = wellFormed(kind, rogue.forge.index);
    const copies = Math.max(1, Math.min(COPIES, Math.floor(MAX_CHUNK_BYTES / frames.length)));
    const chunk = Buffer.concat(Array.from({ length: copies }, () => frames));
    const until = performance.now() + FAULT_MS;
    while (!rogue.isOver && link.isOpen && performance.now() < until) {
      await rogue.write(link, chunk, copies);
      await sleep(0);
    }
    link.hangUp();
  });
}

/** Sends a malformed and an oversized message of each kind, each over a new connection. */
export async function sendMalformed(rogue: Rogue): Promise<void> {
  const faults = ALL_KINDS.flatMap((kind) => [malformed(kind), oversized(kind)]);
  const next = new Map<number, number>();
  await rogue.onEachLink(async (link) => {
    const { index } = link.victim;
    const at = next.get(index) ?? 0;
    next.set(index, at + 1);
    const fault = faults[at % faults.length];
    if (fault === undefined) return;
    await rogue.write(link, fault);
    const until = performance.now() + FAULT_MS;
    while (!rogue.isOver && link.isOpen && performance.now() < until) await sleep(5);
    link.hangUp();
  });
}

/** Requests for blocks and certificates that exist, that do not, and far beyond the chain, as many as a peer may send. */
export async function floodRequests(rogue: Rogue): Promise<void> {
  const proposal = await firstProposal(rogue);
  const far = 2n ** 53n - 1n;
  const header = proposal === undefined ? undefined : ledger.BlockHeader.decode(proposal.header);
  const parent = header?.parent_hash ?? random(32);
  const certificates = [
    { epoch: 0n, from_view: 0n, to_view: far },
    { epoch: 0n, from_view: far, to_view: far },
    { epoch: 7n, from_view: 1n, to_view: 2n },
    { epoch: far, from_view: 0n, to_view: 0n },
  ].map((request) => encodedFrames('get_certificates', request));
  const finalized = [
    { from_height: 1n, count: 2 ** 32 - 1 },
    { from_height: 0n, count: 0 },
    { from_height: far, count: 256 },
  ].map((request) => encodedFrames('get_finalized', request));
  await Promise.all([
    rogue.atRate('get_block', ALLOWED, (count) =>
      encodedFrames('get_block', { block_hash: count % 2 === 0 ? parent : random(32) }),
    ),
    rogue.atRate('get_certificates', ALLOWED, (count) => pick(certificates, count)),
    rogue.atRate('get_finalized', ALLOWED, (count) => pick(finalized, count)),
  ]);
}

/** Like {@link floodRequests}, with all answers left unread, so that they wait in the victims' queues. */
export async function floodRequestsUnread(rogue: Rogue): Promise<void> {
  await firstProposal(rogue);
  await Promise.all([
    floodRequests(rogue),
    rogue.onEachLink(async (link) => {
      link.stopReading();
      while (!rogue.isOver && link.isOpen) await sleep(50);
    }),
  ]);
}

async function firstProposal(rogue: Rogue): Promise<EncodedBlock | undefined> {
  while (!rogue.isOver && rogue.proposals.length === 0) await sleep(10);
  return rogue.proposals.at(-1)?.block;
}

function pick(frames: readonly Buffer[], count: number): Buffer {
  return frames[count % frames.length] ?? Buffer.alloc(0);
}

/** The number of faults that {@link sendMalformed} commits against each victim. */
export const MALFORMED_FAULTS: number = 2 * Object.keys(FRAME_KINDS).length;
