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
  { validators: 4, seed: 101, found: ['a certificate may be for another block'] },
  { validators: 4, seed: 106, found: ['a validator far behind does not catch up'] },
  { validators: 4, seed: 128, found: ['skipped views need no nullification'] },
  { validators: 4, seed: 186, found: ['a late proposal is sent after nullify'] },
  { validators: 4, seed: 242, found: ['a failed journal is ignored'] },
  { validators: 4, seed: 287, found: ['a body need not match its header'] },
  { validators: 4, seed: 496, found: ['a notarized block is no work'] },
  {
    validators: 4,
    seed: 2_482,
    found: ['a failed assembly is never tried again', 'an assembly that failed counts as running'],
  },
];
