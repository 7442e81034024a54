import type { Dealing, SealedShare, ValidatorSet } from '../generated/ledger.js';
import type { DisputedShare } from '../ledger/validators/check-complaint-points.js';
import type { DealingContext } from '../ledger/validators/check-dealing.js';
import type { DealtEvaluation } from '../ledger/validators/check-evaluation.js';
import type { Member } from '../ledger/validators/members.js';
import type { DealtCommitments, NextSet } from '../ledger/validators/next-set.js';
import type { ValidatorRefusal } from '../ledger/validators/refusal.js';
import type { OpenedShare, SharesToSeal, ShareToOpen } from '../ledger/validators/sealed-shares.js';
import type { TaskOf } from './task-runner.js';

/** BLS12-381 point computations for handing over the group key. Sent by block verification and by validators. */
export interface ValidatorTasks {
  /** Checks all rules of a dealing; returns the reason for refusal, or undefined. */
  check_dealing: {
    readonly input: { readonly dealing: Dealing; readonly context: DealingContext };
    readonly result: ValidatorRefusal | undefined;
  };
  check_complaint: TaskOf<DisputedShare, ValidatorRefusal | undefined>;
  /** Encrypts a dealer's evaluations to players. */
  seal_shares: TaskOf<SharesToSeal, readonly SealedShare[]>;
  /** Decrypts the share that a dealer sealed to this validator, and proves it if it is garbage. */
  open_share: TaskOf<ShareToOpen, OpenedShare>;
  /** Checks an evaluation against its commitments; returns the reason for refusal, or undefined. */
  check_evaluation: TaskOf<DealtEvaluation, ValidatorRefusal | undefined>;
  /** Computes the next epoch's validator set from valid dealings in block order. */
  next_set: {
    readonly input: {
      readonly present: ValidatorSet;
      readonly members: readonly Member[];
      readonly dealings: readonly DealtCommitments[];
    };
    readonly result: NextSet;
  };
}
