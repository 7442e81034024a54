/** A seed that has shown a fault. */
interface FoundSeed {
  readonly validators: number;
  readonly seed: number;
  /** Names of the faults, as in the list of mutations. */
  readonly found: readonly string[];
}

/** Seeds that have shown faults which few others show. A change to the draws of a run makes other runs of them. */
export const FOUND_SEEDS: readonly FoundSeed[] = [
  { validators: 4, seed: 97, found: ['only the highest missing nullification counts'] },
  { validators: 4, seed: 99, found: ['returned votes need no valid signature'] },
  { validators: 4, seed: 102, found: ['the last finalization is not kept'] },
  { validators: 4, seed: 132, found: ['a nullification of a lower view is forgotten'] },
  { validators: 4, seed: 136, found: ['replay forgets nullifications'] },
  { validators: 4, seed: 179, found: ['a missing block is not asked for'] },
  { validators: 4, seed: 181, found: ['replay forgets notarizations'] },
  { validators: 4, seed: 184, found: ['anybody may push blocks'] },
  { validators: 4, seed: 195, found: ['a late proposal is sent after nullify'] },
  { validators: 4, seed: 216, found: ['effects are performed in reverse order'] },
  { validators: 4, seed: 232, found: ['an invalid block is not refused'] },
  { validators: 4, seed: 245, found: ['only one peer is asked'] },
  { validators: 4, seed: 272, found: ['a notarized block is no work'] },
  { validators: 4, seed: 314, found: ['the finalization is not kept before a commit'] },
  { validators: 4, seed: 328, found: ['blocks are kept although the core does not want them'] },
  { validators: 4, seed: 351, found: ["the block's parent is not checked"] },
  { validators: 4, seed: 445, found: ['a failed journal is ignored'] },
  { validators: 4, seed: 458, found: ['a validator far behind does not catch up'] },
  {
    validators: 4,
    seed: 495,
    found: ['a failed assembly is never tried again', 'an assembly that failed counts as running'],
  },
  { validators: 4, seed: 656, found: ['a leader passes over views that are not nullified'] },
  { validators: 4, seed: 720, found: ['a stuck validator repeats nothing'] },
  {
    validators: 4,
    seed: 2_415,
    found: ['the kept finalization is ignored', 'the older finalization counts'],
  },
  { validators: 4, seed: 34_742, found: ['a catch-up goes beyond its epoch'] },
  { validators: 4, seed: 35_251, found: ['a catch-up goes beyond its epoch'] },
];
