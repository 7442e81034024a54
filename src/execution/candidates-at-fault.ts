/** A candidate whose execution failed because of a fault of the node; this is not an outcome of the candidate. */
export interface CandidateFault {
  /** Index of its group's first transaction among the candidates. */
  readonly start: number;
  /** Human-readable: the error, or how the worker ended. */
  readonly message: string;
}

/** Thrown when candidates could not be executed, and the ones that failed are known. */
export class CandidatesAtFault extends Error {
  override readonly name = 'CandidatesAtFault';

  /** @param proven groups that executed without a fault, by index of their first transaction */
  constructor(
    readonly faults: readonly CandidateFault[],
    readonly proven: ReadonlySet<number>,
    options?: ErrorOptions,
  ) {
    super(faults.map(({ start, message }) => `candidate ${start}: ${message}`).join('; '), options);
  }
}
