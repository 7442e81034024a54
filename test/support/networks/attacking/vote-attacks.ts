import type { Proposal, Vote, VoteCertificate, VoteKind } from '../../../../src/generated/mesh.js';
import { FRAME_KINDS } from '../../../../src/network/frame-kinds.js';
import { encodedFrames } from './attack-link.js';
import type { Rogue } from './rogue.js';
import { random } from './sample-frames.js';
import { NO_HASH } from './vote-forge.js';

const ALLOWED = 0.8;
const NOTARIZE: VoteKind = { type: 'notarize' };
const FINALIZE: VoteKind = { type: 'finalize' };
const NULLIFY: VoteKind = { type: 'nullify' };
const FAR = 2n ** 53n - 1n;
/**
 * Votes for views and epochs from the first to the last. Those that the victims may keep are signed and do not
 * contradict each other, so that none of them is a fault.
 */
export async function voteFarAway(rogue: Rogue): Promise<void> {
  const { forge } = rogue;
  const now = await rogue.located();
  const block_hash = random(32);
  const kinds = [NOTARIZE, FINALIZE, NULLIFY];
  const votes: Vote[] = [];
  for (const ahead of [1n, 2n, 8n, 15n, 16n, 17n, 30n]) {
    // Nullify and finalize contradict each other in one view.
    const last = ahead % 2n === 0n ? NULLIFY : FINALIZE;
    for (const kind of [NOTARIZE, last]) votes.push(forge.vote({ kind, view: now + ahead, block_hash }));
  }
  for (const kind of kinds) {
    for (const view of [1n, now > 4n ? now - 4n : 1n, now + 1_000_000n, FAR - 1n, FAR]) {
      votes.push(forge.unsigned({ kind, view, block_hash }));
    }
    for (const epoch of [1n, 2n, FAR]) votes.push(forge.unsigned({ kind, epoch, view: now, block_hash }));
  }
  const frames = votes.map((vote) => encodedFrames('vote', vote));
  await rogue.atRate('vote', ALLOWED, (count) => frames[count % frames.length] ?? Buffer.alloc(0));
}

/** Calls `react` with each proposal of the victims once, however many of them send it. */
function onProposal(rogue: Rogue, react: (proposal: Proposal) => Promise<void>): Promise<void> {
  const seen = new Set<bigint>();
  return new Promise((resolve, reject) => {
    const timer = setInterval(() => {
      if (!rogue.isOver) return;
      clearInterval(timer);
      resolve();
    }, 50);
    rogue.onMessage((_victim, { kind }, payload) => {
      if (kind !== 'proposal' || rogue.isOver) return;
      const proposal = FRAME_KINDS.proposal.codec.decode(payload);
      if (seen.has(proposal.vote.view)) return;
      seen.add(proposal.vote.view);
      react(proposal).catch(reject);
    });
  });
}

/** For each proposal of another: votes of each kind for it, for other blocks, on other parents, and against it. */
export async function voteBothWays(rogue: Rogue): Promise<void> {
  await onProposal(rogue, async ({ vote: { view, epoch, parent_view, block_hash } }) => {
    const { forge } = rogue;
    const message = { epoch, view, parent_view, block_hash };
    const votes: readonly Vote[] = [
      forge.vote({ ...message, kind: NOTARIZE }),
      forge.vote({ ...message, kind: FINALIZE }),
      forge.vote({ ...message, kind: NULLIFY }),
      forge.vote({ ...message, kind: NOTARIZE, block_hash: random(32) }),
      forge.vote({ ...message, kind: FINALIZE, block_hash: random(32) }),
      forge.vote({ ...message, kind: NOTARIZE, parent_view: parent_view > 0n ? parent_view - 1n : 0n }),
    ];
    // Each victim sees another one of them first.
    await Promise.all(
      rogue.links.map(async (link, turn) => {
        for (let at = 0; at < votes.length; at++) {
          const vote = votes[(at + 2 * turn) % votes.length];
          if (vote !== undefined) await rogue.send(link, 'vote', vote);
        }
      }),
    );
  });
}

/** Its part of each certificate is invalid, and arrives first: the batch fails, and each part is checked alone. */
export async function sendBadPartials(rogue: Rogue): Promise<void> {
  await onProposal(rogue, async ({ vote: { view, epoch, parent_view, block_hash } }) => {
    const message = { epoch, view, parent_view, block_hash };
    for (const kind of [NOTARIZE, FINALIZE]) {
      await rogue.broadcast('vote', rogue.forge.badPartial({ ...message, kind }));
    }
    await rogue.broadcast('vote', rogue.forge.badPartial({ kind: NULLIFY, epoch, view: view + 1n }));
  });
}

/** Certificates of the past again and again, and of views in which they help nobody. */
export async function replayCertificates(rogue: Rogue): Promise<void> {
  await rogue.located();
  const view = rogue.view;
  await rogue.atRate('certificate', ALLOWED, (count) => {
    const known = rogue.certificates[count % Math.max(1, rogue.certificates.length)];
    const old: VoteCertificate = {
      kind: FINALIZE,
      epoch: 0n,
      view: view > 3n ? view - 3n : 1n,
      parent_view: 0n,
      block_hash: random(32),
      signature: new Uint8Array(96),
    };
    return encodedFrames('certificate', count % 2 === 0 && known !== undefined ? known : old);
  });
}

/** Certificates that the group has not signed, for views from the present one to the last. */
export async function forgeCertificates(rogue: Rogue): Promise<void> {
  const signature = rogue.forge.strayPoint;
  await rogue.onEachLink(async (link) => {
    const near = await rogue.located();
    const forged: Buffer[] = [];
    for (const ahead of [0n, 1n, 2n, 10n, 17n, 1_000n, FAR - near]) {
      for (const kind of [NOTARIZE, FINALIZE, NULLIFY]) {
        const isNullify = kind === NULLIFY;
        const voted = { kind, epoch: 0n, view: near + ahead, parent_view: isNullify ? 0n : near - 1n };
        const block_hash = isNullify ? NO_HASH : random(32);
        forged.push(encodedFrames('certificate', { ...voted, block_hash, signature }));
      }
    }
    await rogue.write(link, Buffer.concat(forged), forged.length);
    // The first one that is checked ends the connection.
    while (!rogue.isOver && link.isOpen) await new Promise((resolve) => setTimeout(resolve, 20));
  });
}

/** Votes in the names of the others, which only they may send. */
export async function voteForOthers(rogue: Rogue): Promise<void> {
  await rogue.onEachLink(async (link) => {
    const view = await rogue.located();
    for (let signer = 0; signer < 3; signer++) {
      for (const kind of [NOTARIZE, FINALIZE, NULLIFY]) {
        await rogue.send(link, 'vote', rogue.forge.unsigned({ kind, view }, signer));
      }
    }
    while (!rogue.isOver && link.isOpen) await new Promise((resolve) => setTimeout(resolve, 20));
  });
}

/** Votes with a valid partial signature and no identity signature, so that no pair of them would be evidence. */
export async function voteUnsigned(rogue: Rogue): Promise<void> {
  await rogue.onEachLink(async (link) => {
    const view = (await rogue.located()) + 2n;
    const vote = rogue.forge.vote({ kind: NULLIFY, view });
    await rogue.send(link, 'vote', { ...vote, signature: new Uint8Array(64) });
    while (!rogue.isOver && link.isOpen) await new Promise((resolve) => setTimeout(resolve, 20));
  });
}
