import type { VoteMessage } from '../core/types.js';

export interface Violation {
  readonly kind: 'safety' | 'liveness';
  readonly what: string;
  readonly atMs: number;
}

/** Identifies a vote message. */
export function nameOf({ kind, epoch, view, parentView, hash }: VoteMessage): string {
  return kind === 'nullify'
    ? `nullify ${epoch}/${view}`
    : `${kind} ${epoch}/${view} ${hash} on ${parentView}`;
}

/** Describes a vote message in a line of a trace. */
export function describeVote({ kind, epoch, view, parentView, hash }: VoteMessage): string {
  return kind === 'nullify'
    ? `nullify ${epoch}/${view}`
    : `${kind} ${epoch}/${view} ${shortHash(hash)} on ${parentView}`;
}

export function shortHash(hash: string): string {
  return hash.slice(0, 8);
}
