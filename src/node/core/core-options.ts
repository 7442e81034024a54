import type { OpeningFault } from '../../chain/sealed/opening-attempts.js';
import type { Config } from '../../config/config.js';
import type { NativeReport } from '../../config/native-mode.js';
import type { Logger } from '../../log.js';
import type { RejectionReason } from '../../mempool/errors.js';
import type { Faults } from '../faults.js';
import type { Teardown } from '../teardown.js';

export interface CoreOptions {
  readonly config: Config;
  readonly log: Logger;
  /** Default: writes to the log. */
  readonly report?: NativeReport;
  readonly teardown: Teardown;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The clock for block timestamps, milliseconds since 1970; see `ChainClock`. */
  readonly chainNow: () => number;
  /** Called for each transaction or bundle that the pool refuses. */
  readonly onRefused?: (reason: RejectionReason) => void;
  /** Called when the contents of sealed transactions cannot be executed. */
  readonly onOpeningFault?: (fault: OpeningFault) => void;
  /** Called after each attempt to cut a checkpoint, with its duration in milliseconds or `failed`. */
  readonly onCheckpoint?: (outcome: number | 'failed') => void;
  /** Called when the node cannot continue. */
  readonly onFailure: (error: Error) => void;
  readonly faults: Pick<Faults, 'report'>;
}
