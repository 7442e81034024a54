import type { SealShare } from '../../generated/mesh.js';
import type { Certificate, Vote, VoteMessage } from '../core/types.js';
import type { PeerMessage } from '../shell/ports.js';

/** What validators of a run send one another: also their parts of the keys of heights. */
export type SimMessage = PeerMessage | { readonly type: 'seal_share'; readonly share: SealShare };

export interface Violation {
  readonly kind: 'safety' | 'liveness';
  readonly what: string;
  readonly atMs: number;
}

export function nameOf({ kind, epoch, view, parentView, hash }: VoteMessage): string {
  return kind === 'nullify'
    ? `nullify ${epoch}/${view}`
    : `${kind} ${epoch}/${view} ${hash} on ${parentView}`;
}

/** As {@link nameOf}, with a short hash. */
export function describeVote(message: VoteMessage): string {
  return nameOf({ ...message, hash: shortHash(message.hash) });
}

export function shortHash(hash: string): string {
  return hash.slice(0, 8);
}

export function describeMessage(message: PeerMessage): string {
  switch (message.type) {
    case 'vote':
    case 'proposal':
      return `votes ${describeVote(message.vote)}`;
    case 'certificate':
      return `sends the certificate ${describeVote(message.certificate)}`;
    case 'get_block':
    case 'block':
      return `sends ${message.type} ${shortHash(message.hash)}`;
    default:
      return `sends ${message.type}`;
  }
}

/** Kinds of messages by what their loss prevents. */
export const MESSAGE_KINDS = [
  'notarize',
  'nullify',
  'finalize',
  'finalize',
  'notarization',
  'nullification',
  'finalization',
  'proposal',
  'block',
] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number] | 'finalized';

const CERTIFICATES = {
  notarize: 'notarization',
  nullify: 'nullification',
  finalize: 'finalization',
} as const satisfies Record<string, MessageKind>;

/** The kind of a message; undefined for requests. */
export function kindOf(message: SimMessage): MessageKind | undefined {
  switch (message.type) {
    case 'vote':
      return message.vote.kind;
    case 'certificate':
      return CERTIFICATES[message.certificate.kind];
    case 'proposal':
    case 'block':
    case 'finalized':
      return message.type;
    default:
      return undefined;
  }
}

export function voteIn(message: PeerMessage | SimMessage): Vote | undefined {
  return message.type === 'vote' || message.type === 'proposal' ? message.vote : undefined;
}

/** Epoch and view of a message that is for one view. */
export function placeOf(message: PeerMessage | SimMessage): Vote | Certificate | undefined {
  return message.type === 'certificate' ? message.certificate : voteIn(message);
}
