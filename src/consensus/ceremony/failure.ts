/** How an attempt ended badly. */
export type FailureCode =
  /** These said nothing in time. */
  | 'silent'
  /** These said different things to different participants, and signed both. */
  | 'equivocation'
  /** Too few polynomials count; these are the dealers of the others. */
  | 'too_few_dealers'
  /** Participants differ on whether these revealed what was asked of them. */
  | 'disagreement'
  /** These signed what does not follow from what everybody said. */
  | 'wrong_transcript'
  /** These began another attempt. */
  | 'superseded';

/** Why an attempt failed, and with whom. */
export interface CeremonyFailure {
  readonly code: FailureCode;
  /** Indices, ascending. */
  readonly participants: readonly number[];
  /** In words, for the person who started it. */
  readonly message: string;
}

export function failure(code: FailureCode, participants: readonly number[], what: string): CeremonyFailure {
  const sorted = [...new Set(participants)].sort((a, b) => a - b);
  const names = sorted.length === 1 ? `participant ${sorted[0]}` : `participants ${sorted.join(', ')}`;
  return { code, participants: sorted, message: `${names}: ${what}` };
}
