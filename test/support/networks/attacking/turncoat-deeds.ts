import type { BlockHeader } from '../../../../src/generated/ledger.js';
import type { Proposal, VoteKind } from '../../../../src/generated/mesh.js';
import { ledger } from '../../../../src/ledger/codecs.js';
import { blockHash } from '../../../../src/ledger/header.js';
import type { FrameValues, MessageKind } from '../../../../src/network/frame-kinds.js';
import { random } from './sample-frames.js';
import type { VoteForge } from './vote-forge.js';

const NOTARIZE: VoteKind = { type: 'notarize' };
const VALIDATORS = 4;
const COPIES = 20;
const GARBAGE_BYTES = 4 * 1024 * 1024;

/** The turncoat's way to the others, past its own node. */
export interface Outlet {
  readonly forge: VoteForge;
  /** Indices of the others. */
  readonly peers: readonly number[];
  send<K extends MessageKind>(to: number, kind: K, value: FrameValues[K]): void;
}

/** Sends something else than the valid proposal that the turncoat's node has made in its turn. */
export type Deed = (proposal: Proposal, outlet: Outlet) => void;

interface Change {
  readonly header: (header: BlockHeader) => Partial<BlockHeader>;
  readonly body?: Uint8Array;
  readonly parentView?: bigint;
}

/** A proposal of a changed block, with a vote whose signatures are valid. */
function changed({ vote, block }: Proposal, forge: VoteForge, change: Change): Proposal {
  const { body = block.body, parentView: parent_view = vote.parent_view } = change;
  const old = ledger.BlockHeader.decode(block.header);
  const header = { ...old, ...change.header(old) };
  const { epoch, view } = header;
  const encoded = ledger.BlockHeader.encode(header);
  const block_hash = blockHash(forge.crypto, encoded);
  return {
    vote: forge.vote({ kind: NOTARIZE, epoch, view, parent_view, block_hash }),
    block: { header: encoded, body },
  };
}

function toAll(proposal: Proposal, { peers, send }: Outlet): void {
  for (const peer of peers) send(peer, 'proposal', proposal);
}

/** The peer that is singled out in a view; another one in each of the turncoat's turns. */
function chosen({ vote }: Proposal, { peers }: Outlet): number {
  return peers[Number(vote.view / BigInt(VALIDATORS)) % peers.length] ?? 0;
}

/** A different header for a block that stays valid: the time does not enter the state of a block without calls. */
const later = ({ timestamp_ms }: BlockHeader): Partial<BlockHeader> => ({ timestamp_ms: timestamp_ms + 1n });
const wrong = (): Partial<BlockHeader> => ({ state_root: random(32) });

export const DEEDS = {
  honest: toAll,

  /** One of the others gets the vote without the block, and has to ask for it. */
  withholdFromOne: (proposal, outlet) => {
    const spared = chosen(proposal, outlet);
    for (const peer of outlet.peers) {
      if (peer === spared) outlet.send(peer, 'vote', proposal.vote);
      else outlet.send(peer, 'proposal', proposal);
    }
  },

  /** Only one of the others gets the block; the turncoat answers no request for it. */
  withholdFromMost: (proposal, outlet) => {
    const favored = chosen(proposal, outlet);
    for (const peer of outlet.peers) {
      if (peer === favored) outlet.send(peer, 'proposal', proposal);
      else outlet.send(peer, 'vote', proposal.vote);
    }
  },

  /** Nobody gets the block. */
  withholdFromAll: ({ vote }, { peers, send }) => {
    for (const peer of peers) send(peer, 'vote', vote);
  },

  proposeAgainAndAgain: (proposal, outlet) => {
    for (let copy = 0; copy < COPIES; copy++) toAll(proposal, outlet);
  },

  /** Two valid blocks, each to some of the others, both to one of them. */
  equivocate: (proposal, outlet) => {
    const other = changed(proposal, outlet.forge, { header: later });
    const both = chosen(proposal, outlet);
    for (const peer of outlet.peers) {
      if (peer === both || peer % 2 === 0) outlet.send(peer, 'proposal', proposal);
      if (peer === both || peer % 2 === 1) outlet.send(peer, 'proposal', other);
    }
  },

  /** A block whose execution ends in another state: the others find out after all the work. */
  proposeInvalid: (proposal, outlet) => {
    toAll(changed(proposal, outlet.forge, { header: wrong }), outlet);
  },

  /** The same to one of the others, the valid block to the rest. */
  proposeInvalidToOne: (proposal, outlet) => {
    const fooled = chosen(proposal, outlet);
    const invalid = changed(proposal, outlet.forge, { header: wrong });
    for (const peer of outlet.peers) outlet.send(peer, 'proposal', peer === fooled ? invalid : proposal);
  },

  /** Adds proposals for its next turns and for another validator's turn. */
  proposeEarly: (proposal, outlet) => {
    toAll(proposal, outlet);
    for (const ahead of [4n, 8n, 12n, 16n, 20n, 1n]) {
      const early = changed(proposal, outlet.forge, {
        header: ({ view, height }) => ({
          view: view + ahead,
          height: height + 1n,
          parent_hash: proposal.vote.block_hash,
        }),
        parentView: proposal.vote.view,
      });
      toAll(early, outlet);
    }
  },

  /** A block that names another proposer. */
  proposeAsAnother: (proposal, outlet) => {
    const proposer = chosen(proposal, outlet);
    toAll(changed(proposal, outlet.forge, { header: () => ({ proposer }) }), outlet);
  },

  /** A proposal with the vote of another, which costs the connection. */
  voteAsAnother: (proposal, outlet) => {
    for (const peer of outlet.peers) {
      const signer = outlet.peers.find((other) => other !== peer) ?? peer;
      outlet.send(peer, 'proposal', { ...proposal, vote: { ...proposal.vote, signer } });
    }
  },

  /** A body of the largest size that is not the header's, which costs the connection. */
  proposeGarbage: (proposal, outlet) => {
    const body = random(GARBAGE_BYTES);
    toAll({ vote: proposal.vote, block: { header: proposal.block.header, body } }, outlet);
  },

  /** A body of the largest size that the header names, and that holds no items. */
  proposeNothingLarge: (proposal, outlet) => {
    toAll(changed(proposal, outlet.forge, { header: later, body: new Uint8Array(GARBAGE_BYTES) }), outlet);
  },
} satisfies Readonly<Record<string, Deed>>;

export type DeedName = keyof typeof DEEDS;
