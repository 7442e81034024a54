import type { BlockFacts, Certificate, CertificateRequest, Vote, VoteMessage } from '../core/types.js';

/** A block of the modelled chain. */
export interface SimBlock extends BlockFacts {
  readonly timestampMs: number;
  readonly transactions: readonly number[];
  /** The verdict of every honest validator. */
  readonly valid: boolean;
}

export type Packet =
  | { readonly type: 'vote'; readonly vote: Vote }
  | { readonly type: 'certificate'; readonly certificate: Certificate }
  | { readonly type: 'block'; readonly block: SimBlock }
  | { readonly type: 'request_block'; readonly hash: string }
  | ({ readonly type: 'request_certificates' } & CertificateRequest);

/** Stand-ins for a valid and an invalid signature. */
export const GOOD = new Uint8Array([1]);
export const BAD = new Uint8Array([0]);

export function signedVote(message: VoteMessage, signer: number, partial = GOOD): Vote {
  const { kind, epoch, view, parentView, hash } = message;
  return { kind, epoch, view, parentView, hash, signer, partial, signature: GOOD };
}

export const GENESIS: SimBlock = {
  hash: 'genesis',
  parentHash: '',
  height: 0,
  epoch: 0,
  view: 0,
  proposer: 0,
  timestampMs: 0,
  transactions: [],
  valid: true,
};

export interface Violation {
  readonly kind: 'safety' | 'liveness';
  readonly what: string;
  readonly atMs: number;
}

/** True if a packet belongs to a later epoch. */
export function isOfLaterEpoch(packet: Packet, epoch: number): boolean {
  if (packet.type === 'vote') return packet.vote.epoch > epoch;
  if (packet.type === 'certificate') return packet.certificate.epoch > epoch;
  return packet.type === 'block' && packet.block.epoch > epoch;
}

export function describeVote({ kind, epoch, view, parentView, hash }: VoteMessage): string {
  return kind === 'nullify'
    ? `nullify ${epoch}/${view}`
    : `${kind} ${epoch}/${view} ${hash} on ${parentView}`;
}
