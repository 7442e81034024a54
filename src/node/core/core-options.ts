import type { Config } from '../../config/config.js';
import type { NativeReport } from '../../config/native-mode.js';
import type { Logger } from '../../log.js';
import type { NodeMetrics } from '../../rpc/metrics/node-metrics.js';
import type { Faults } from '../faults.js';
import type { Teardown } from '../teardown.js';

/** What the parts of a node are opened with. */
export interface NodeEnvironment {
  readonly config: Config;
  readonly log: Logger;
  readonly report: NativeReport;
  readonly teardown: Teardown;
  /** Called when the node cannot continue. */
  readonly fail: (error: Error) => void;
  readonly faults: Pick<Faults, 'report'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** What the parts of a chain are opened with. */
export interface CoreOptions extends NodeEnvironment {
  /** The clock for block timestamps, milliseconds since 1970; see `ChainClock`. */
  readonly chainNow: () => number;
  /** Absent in programs that only measure a part. */
  readonly metrics?: NodeMetrics;
}
