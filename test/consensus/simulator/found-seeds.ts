/** A seed that has shown a fault. */
interface FoundSeed {
  readonly validators: number;
  readonly seed: number;
  /** Names of the faults, as in the list of mutations. */
  readonly found: readonly string[];
}

/** Seeds that have shown faults which few others show. A change to the draws of a run makes other runs of them. */
export const FOUND_SEEDS: readonly FoundSeed[] = [
  { validators: 4, seed: 10, found: ['a body need not match its header'] },
  { validators: 4, seed: 13, found: ['a stuck validator stays silent'] },
  { validators: 4, seed: 18, found: ['a parent need not be notarized'] },
  { validators: 4, seed: 31, found: ['a late proposal is sent after nullify'] },
  { validators: 4, seed: 63, found: ['returned votes are dropped', 'returned votes are ignored'] },
  { validators: 4, seed: 101, found: ['a certificate may be for another block'] },
  { validators: 4, seed: 127, found: ['a commit does not wait for the catch-up'] },
  { validators: 4, seed: 128, found: ['skipped views need no nullification'] },
  { validators: 4, seed: 169, found: ['a validator far behind does not catch up'] },
  { validators: 4, seed: 199, found: ['a catch-up does not end'] },
  { validators: 4, seed: 242, found: ['a failed journal is ignored'] },
  { validators: 4, seed: 252, found: ['a failed signature is not made again'] },
  { validators: 4, seed: 257, found: ['the kept finalization is ignored', 'the older finalization counts'] },
  {
    validators: 4,
    seed: 261,
    found: ['any number of certificates waits', 'blocks are kept although the core does not want them'],
  },
  { validators: 4, seed: 469, found: ["the block's parent is not checked"] },
  { validators: 4, seed: 287, found: ['a body need not match its header'] },
  { validators: 4, seed: 496, found: ['a notarized block is no work'] },
  {
    validators: 4,
    seed: 2_482,
    found: ['a failed assembly is never tried again', 'an assembly that failed counts as running'],
  },
];
