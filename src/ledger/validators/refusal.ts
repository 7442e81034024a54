/** Which rule a dealing, a change or a ceremony breaks. */
export type ValidatorRule =
  /** Made in another epoch than the block's. */
  | 'epoch'
  /** From a dealer, for a player or by an approver that there is not. */
  | 'member'
  /** The number of commitments is not the next set's quorum. */
  | 'degree'
  /** The constant is not the dealer's present share public key. */
  | 'constant'
  /** A commitment is no canonical point of the subgroup, or infinity. */
  | 'point'
  /** Not ascending, or twice. */
  | 'order'
  /** A player neither acknowledged nor is revealed. */
  | 'coverage'
  /** More evaluations are revealed than there may be faults. */
  | 'reveals'
  /** A revealed evaluation is not what was committed to. */
  | 'evaluation'
  /** A signature is not good. */
  | 'signature'
  /** Fewer approve than a quorum. */
  | 'approvals'
  /** A member has the wrong form. */
  | 'form'
  /** A chain without a ceremony, or with one validator, admits no further ones. */
  | 'admission'
  /** Whoever is added is there already. */
  | 'present'
  /** Whoever is removed is not there. */
  | 'absent'
  /** Too many validators, or none. */
  | 'size';

/** Why something is refused. */
export interface ValidatorRefusal {
  readonly rule: ValidatorRule;
  readonly message: string;
}

export function refusal(rule: ValidatorRule, message: string): ValidatorRefusal {
  return { rule, message };
}

/** Whether numbers ascend, each once. */
export function isStrictlyAscending(values: readonly number[]): boolean {
  return values.every((value, at) => at === 0 || value > (values[at - 1] ?? value));
}
