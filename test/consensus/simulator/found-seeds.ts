/** A seed that has shown a fault. */
interface FoundSeed {
  readonly validators: number;
  readonly seed: number;
  /** Names of the faults, as in the list of mutations. */
  readonly found: readonly string[];
}

/** Seeds that have shown faults which few others show. A change to the draws of a run makes other runs of them. */
export const FOUND_SEEDS: readonly FoundSeed[] = [
  { validators: 4, seed: 134, found: ['a parent need not be notarized'] },
  { validators: 4, seed: 469, found: ["the block's parent is not checked"] },
  { validators: 4, seed: 664, found: ['returned votes are dropped', 'returned votes are ignored'] },
  { validators: 4, seed: 28, found: ['a stuck validator stays silent'] },
];
