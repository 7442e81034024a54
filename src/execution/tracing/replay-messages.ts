import type { BatchHead } from '../views/batched-calls.js';
import type { CallProblem } from '../views/call-error.js';

/** A write log that travels with calls: what the first transactions of a block wrote; see `block-write-log.ts`. */
export interface AttachedWriteLog {
  readonly height: number;
  readonly parts: readonly SharedArrayBuffer[];
}

/** A batch of `calls/call-batch.ts`, with the write logs that its calls need. */
export interface BatchWithWriteLogs {
  readonly batch: Uint8Array;
  readonly writeLogs: readonly AttachedWriteLog[];
}

/** A write log that a worker has to be given before it can trace a transaction: up to its place, not included. */
export interface WantedWriteLog {
  readonly height: number;
  readonly index: number;
}

const WANTED = '~';

/** What a worker answers instead of a result's JSON where it wants a write log first. */
export function wantWriteLog(wanted: WantedWriteLog): string {
  return WANTED + JSON.stringify(wanted);
}

export function wantedWriteLog(answer: string): WantedWriteLog | undefined {
  return answer.startsWith(WANTED) ? JSON.parse(answer.slice(WANTED.length)) : undefined;
}

/** Asks for the next part of a block's write log. */
export interface ReplayBlockInput {
  readonly head: Pick<BatchHead, 'tipHeight'>;
  readonly height: number;
  /** How many transactions the parts have. */
  readonly covered: number;
  /** The transaction up to which the write log is wanted, not included. */
  readonly upTo: number;
  readonly parts: readonly SharedArrayBuffer[];
}

export interface ReplayedPart {
  readonly part: SharedArrayBuffer;
  /** How many transactions the write log has with it. */
  readonly covered: number;
}

export type ReplayBlockResult = ReplayedPart | { readonly problem: CallProblem };
