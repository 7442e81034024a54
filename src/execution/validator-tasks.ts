import type { Dealing, ValidatorSet } from '../generated/ledger.js';
import type { DealingContext } from '../ledger/validators/check-dealing.js';
import type { DealtEvaluation } from '../ledger/validators/check-evaluation.js';
import type { Member } from '../ledger/validators/members.js';
import type { DealtCommitments, NextSet } from '../ledger/validators/next-set.js';
import type { ValidatorRefusal } from '../ledger/validators/refusal.js';

/** Work on the points of BLS12-381 that handing the group key on takes. Sent by what verifies blocks, and by validators. */
export interface ValidatorTasks {
  /** All rules of a dealing; why it is refused, or undefined. */
  check_dealing: {
    readonly input: { readonly dealing: Dealing; readonly context: DealingContext };
    readonly result: ValidatorRefusal | undefined;
  };
  /** Whether an evaluation is what was committed to; why it is refused, or undefined. */
  check_evaluation: {
    readonly input: DealtEvaluation;
    readonly result: ValidatorRefusal | undefined;
  };
  /** The next epoch's validator set, of valid dealings in block order. */
  next_set: {
    readonly input: {
      readonly present: ValidatorSet;
      readonly members: readonly Member[];
      readonly dealings: readonly DealtCommitments[];
    };
    readonly result: NextSet;
  };
}
