import type { BatchHead } from '../views/batch-head.js';
import type { ViewCallProblem } from '../views/view-call-error.js';

/** A journal that travels with calls: what the first transactions of a block wrote; see `block-journal.ts`. */
export interface AttachedJournal {
  readonly height: number;
  readonly segments: readonly SharedArrayBuffer[];
}

/** A batch of `views/call-batch.ts`, with the journals that its calls need. */
export interface JournaledBatch {
  readonly batch: Uint8Array;
  readonly journals: readonly AttachedJournal[];
}

/** A journal that a worker has to be given before it can trace a transaction: up to its place, not included. */
export interface WantedJournal {
  readonly height: number;
  readonly index: number;
}

const WANTED = '~';

/** What a worker answers instead of a result's JSON where it wants a journal first. */
export function wantJournal(wanted: WantedJournal): string {
  return WANTED + JSON.stringify(wanted);
}

export function wantedJournal(answer: string): WantedJournal | undefined {
  return answer.startsWith(WANTED) ? JSON.parse(answer.slice(WANTED.length)) : undefined;
}

/** Asks for the next segment of a block's journal. */
export interface ReplayBlockInput {
  readonly head: Pick<BatchHead, 'tipHeight'>;
  readonly height: number;
  /** How many transactions the segments have. */
  readonly covered: number;
  /** The transaction up to which the journal is wanted, not included. */
  readonly upTo: number;
  readonly segments: readonly SharedArrayBuffer[];
}

export interface ReplayedSegment {
  readonly segment: SharedArrayBuffer;
  /** How many transactions the journal has with it. */
  readonly covered: number;
}

export type ReplayBlockResult = ReplayedSegment | { readonly problem: ViewCallProblem };
