/** A candidate that something went wrong with while it was executed: no outcome of it, but a fault of the node. */
export interface CandidateFault {
  /** The place of its group's first transaction among the candidates. */
  readonly start: number;
  /** For people: what was thrown, or how its worker ended. */
  readonly message: string;
}

/** Candidates could not be executed, and it is known with which of them it went wrong. */
export class CandidatesAtFault extends Error {
  override readonly name = 'CandidatesAtFault';

  /** @param proven groups that nothing went wrong with, by the places of their first transactions */
  constructor(
    readonly faults: readonly CandidateFault[],
    readonly proven: ReadonlySet<number>,
    options?: ErrorOptions,
  ) {
    super(faults.map(({ start, message }) => `candidate ${start}: ${message}`).join('; '), options);
  }
}
