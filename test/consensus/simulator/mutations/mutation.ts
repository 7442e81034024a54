/** A small fault that the simulator must find. */
export interface Mutation {
  readonly name: string;
  /** Path of the source from src/consensus. */
  readonly file: string;
  /** Occurs exactly once in the source. */
  readonly find: string;
  readonly replace: string;
  /** Whether the runs of resharing must find it, and not those of agreement. */
  readonly resharing?: boolean;
  /** Why the changed program keeps all promises, so that there is nothing to find. */
  readonly equivalent?: string;
  /** For a fault that breaks a promise, although no known seed of the suite finds it: the conditions to find it. */
  readonly missed?: string;
}

type Change = readonly [
  name: string,
  find: string,
  replace: string,
  more?: Pick<Mutation, 'equivalent' | 'missed'>,
];

/** Faults of resharing. */
export function resharingMutationsOf(file: string, changes: readonly Change[]): Mutation[] {
  return mutationsOf(file, changes).map((mutation) => ({ ...mutation, resharing: true }));
}

export function mutationsOf(file: string, changes: readonly Change[]): Mutation[] {
  return changes.map(([name, find, replace, more]) => ({ name, file, find, replace, ...more }));
}
