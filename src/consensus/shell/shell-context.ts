import type { ConsensusCore } from '../core/types.js';
import type { CoreClock } from './core-clock.js';
import type { CoreQueue } from './core-queue.js';
import type { KnownBlocks } from './known-blocks.js';
import type { Lifecycle } from './lifecycle.js';
import type { ChainBlock, EpochMembership } from './ports.js';
import type { ShellOptions } from './shell-options.js';
import type { Tasks } from './tasks.js';

/** The shell's dependencies and the parts that its components share; each component takes the members that it uses. */
export interface ShellContext<B extends ChainBlock = ChainBlock> extends ShellOptions<B> {
  /** Whether this is the only validator: it has no journal, and no peer sees its votes. */
  readonly isSole: boolean;
  readonly lifecycle: Pick<Lifecycle, 'isRunning' | 'stopping' | 'fail'>;
  readonly tasks: Pick<Tasks, 'run' | 'handleError'>;
  /** The core's answers; only {@link events} changes its state. */
  readonly core: Omit<ConsensusCore, 'step'>;
  readonly events: Pick<CoreQueue, 'push' | 'hasStarted'>;
  readonly clock: Pick<CoreClock, 'pause' | 'pauseSince' | 'resume'>;
  readonly known: KnownBlocks;
  /** This node's membership in the core's epoch. */
  readonly membership: EpochMembership;
}
