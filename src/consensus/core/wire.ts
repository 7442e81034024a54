import type { VoteCertificate as MeshCertificate, Vote as MeshVote, VoteKind } from '../../generated/mesh.js';
import { fromHex, toHex } from '../../idl/hex.js';
import {
  type BlockHash,
  type Certificate,
  NO_BLOCK,
  type Vote,
  type VoteMessage,
  type VoteName,
} from './types.js';

const KINDS: Readonly<Record<VoteName, VoteKind>> = {
  notarize: { type: 'notarize' },
  nullify: { type: 'nullify' },
  finalize: { type: 'finalize' },
};

/** Decodes a vote; undefined if its fields are not valid in the protocol. */
export function voteFromWire(wire: MeshVote): Vote | undefined {
  const message = messageFromWire(wire);
  return message && { ...message, signer: wire.signer, partial: wire.partial, signature: wire.signature };
}

export function voteToWire(vote: Vote): MeshVote {
  const { signer, partial, signature } = vote;
  return { ...messageToWire(vote), signer, partial, signature };
}

/** Decodes a certificate; undefined if its fields are not valid in the protocol. Its signature is not checked. */
export function certificateFromWire(wire: MeshCertificate): Certificate | undefined {
  const message = messageFromWire(wire);
  return message && { ...message, signature: wire.signature };
}

export function certificateToWire(certificate: Certificate): MeshCertificate {
  return { ...messageToWire(certificate), signature: certificate.signature };
}

type WireMessage = Pick<MeshVote, 'kind' | 'epoch' | 'view' | 'parent_view' | 'block_hash'>;

export function messageToWire({ kind, epoch, view, parentView, hash }: VoteMessage): WireMessage {
  return {
    kind: KINDS[kind],
    epoch: BigInt(epoch),
    view: BigInt(view),
    parent_view: BigInt(parentView),
    block_hash: hashBytes(hash),
  };
}

function hashBytes(hash: BlockHash): Uint8Array {
  const bytes = fromHex(hash, 0);
  if (bytes?.length !== 32) throw new TypeError(`not a block hash: ${hash}`);
  return bytes;
}

/**
 * Decodes a vote message; undefined if it breaks a rule: views count from 1, a parent's view is below its child's,
 * and a nullify vote names neither parent nor block.
 */
function messageFromWire(wire: WireMessage): VoteMessage | undefined {
  const kind = wire.kind.type;
  const hash = toHex(wire.block_hash);
  if (wire.epoch > Number.MAX_SAFE_INTEGER || wire.view > Number.MAX_SAFE_INTEGER || wire.view < 1n) return;
  if (wire.parent_view >= wire.view) return;
  if (kind === 'nullify' && (wire.parent_view !== 0n || hash !== NO_BLOCK)) return;
  return {
    kind,
    epoch: Number(wire.epoch),
    view: Number(wire.view),
    parentView: Number(wire.parent_view),
    hash,
  };
}
