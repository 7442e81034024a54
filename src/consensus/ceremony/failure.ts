/** Why an attempt failed; "these" refers to {@link CeremonyFailure.participants}. */
export type FailureCode =
  /** These participants timed out. */
  | 'silent'
  /** These participants signed conflicting messages. */
  | 'equivocation'
  /** Too few dealers qualified; these did not. */
  | 'too_few_dealers'
  /** Participants disagree on whether these dealers revealed the disputed evaluations. */
  | 'disagreement'
  /** These participants signed a transcript that does not follow from the messages. */
  | 'wrong_transcript'
  /** These participants began another attempt. */
  | 'superseded';

/** The reason and the participants responsible for a failed attempt. */
export interface CeremonyFailure {
  readonly code: FailureCode;
  /** Indices, ascending. */
  readonly participants: readonly number[];
  /** Explanation for the operator. */
  readonly message: string;
}

export function failure(code: FailureCode, participants: readonly number[], what: string): CeremonyFailure {
  const sorted = [...new Set(participants)].sort((a, b) => a - b);
  const names = sorted.length === 1 ? `participant ${sorted[0]}` : `participants ${sorted.join(', ')}`;
  return { code, participants: sorted, message: `${names}: ${what}` };
}
