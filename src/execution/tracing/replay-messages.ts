/** A write log that travels with calls: what the first transactions of a block wrote; see `block-write-log.ts`. */
export interface AttachedWriteLog {
  readonly height: number;
  readonly parts: readonly SharedArrayBuffer[];
  /** See `replay-claim.ts`; for replays. */
  readonly claim?: SharedArrayBuffer;
}

/** A batch of `calls/call-batch.ts`, with the write logs that its calls need. */
export interface BatchWithWriteLogs {
  readonly batch: Uint8Array;
  readonly writeLogs: readonly AttachedWriteLog[];
}

/** The answers to such a batch. */
export interface AnswersWithParts {
  /** In the encoding of `calls/call-answers.ts`. */
  readonly text: string;
  /** What its replays made, as their answers name them. */
  readonly parts: readonly SharedArrayBuffer[];
}

/** A write log that a worker has to be given before it can trace a transaction: up to its place, not included. */
export interface WantedWriteLog {
  readonly height: number;
  readonly index: number;
}

const WANTED = '~';

/** What a worker answers instead of a result's JSON where it wants a write log first. */
export function encodeWantedWriteLog(wanted: WantedWriteLog): string {
  return WANTED + JSON.stringify(wanted);
}

export function decodeWantedWriteLog(answer: string): WantedWriteLog | undefined {
  return answer.startsWith(WANTED) ? JSON.parse(answer.slice(WANTED.length)) : undefined;
}

/** Asks for the next part of a block's write log. It travels as a call, with the write log so far. */
export interface ReplayRequest {
  readonly height: number;
  /** How many transactions the parts have. */
  readonly covered: number;
  /** How many transactions the write log needs. */
  readonly upTo: number;
  /** Of several requests with one round, a single one is done. */
  readonly round: number;
  /** Tells the requests of a round apart. */
  readonly ticket: number;
}

/** The next part of a write log. */
export interface ReplayedPart {
  readonly part: SharedArrayBuffer;
  /** How many transactions the write log has with it. */
  readonly covered: number;
}

/** The answer to a ReplayRequest, as JSON. */
export type ReplayAnswer =
  | {
      readonly covered: number;
      /** Place in {@link AnswersWithParts.parts}. */
      readonly part: number;
    }
  | { readonly isElsewhere: true };
