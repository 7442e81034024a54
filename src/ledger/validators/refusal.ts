/** The rule broken by a dealing, a complaint, a change or a ceremony. */
export type ValidatorRule =
  /** The epoch is not the block's. */
  | 'epoch'
  /** The dealer, player or approver does not exist. */
  | 'member'
  /** The number of commitments is not the next set's quorum. */
  | 'degree'
  /** The constant is not the dealer's current share public key. */
  | 'constant'
  /** A point is not canonical, not in the subgroup, or infinity. */
  | 'point'
  /** Indexes are not strictly ascending. */
  | 'order'
  /** A player has neither acknowledged nor a sealed share, or both. */
  | 'coverage'
  /** More evaluations are sealed than players can be faulty. */
  | 'sealed'
  /** There is no sealed share that the complaint could be about. */
  | 'subject'
  /** A second complaint against one dealing. */
  | 'twice'
  /** The proof of a complaint or of a sealed share is invalid. */
  | 'proof'
  /** The sealed share of a complaint is good. */
  | 'unfounded'
  /** An evaluation does not match the commitments. */
  | 'evaluation'
  | 'signature'
  /** Fewer approvals than a quorum. */
  | 'approvals'
  /** An endpoint is malformed, or the genesis holds no ceremony. */
  | 'form'
  /** A chain without a ceremony, or with one validator, admits no further validators. */
  | 'admission'
  /** The added validator is already a member. */
  | 'present'
  /** The removed validator is not a member. */
  | 'absent'
  /** Too many validators, or none. */
  | 'size';

/** Reason for rejecting a dealing, a complaint, a change or a ceremony. */
export interface ValidatorRefusal {
  readonly rule: ValidatorRule;
  readonly message: string;
}

export function refusal(rule: ValidatorRule, message: string): ValidatorRefusal {
  return { rule, message };
}

export function isStrictlyAscending(values: readonly number[]): boolean {
  return values.every((value, at) => at === 0 || value > (values[at - 1] ?? value));
}
