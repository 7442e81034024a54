import type { Runtime } from '../../async/runtime.js';
import type { ValidatorFillPolicy } from '../../chain/fill-policy.js';
import type { Log } from '../../config/log.js';
import type { Crypto } from '../../crypto/crypto.js';
import type { Mempool } from '../../mempool/pool.js';
import type { StoreReader } from '../../storage/store.js';
import type { Rules } from '../core/rules.js';
import type { ConsensusCore, CoreConfig } from '../core/types.js';
import type { SealKeys } from '../seal-keys.js';
import type { CoreClock } from './core-clock.js';
import type { CoreQueue } from './core-queue.js';
import type { EvidenceStore } from './evidence-store.js';
import type { KnownBlocks } from './known-blocks.js';
import type { Lifecycle } from './lifecycle.js';
import type {
  ChainBlock,
  ConsensusChain,
  EpochMembership,
  Epochs,
  FinalBlockReader,
  Network,
  ProposalParts,
  ProposeEffect,
  SealTiming,
  VoteSignatures,
} from './ports.js';
import type { VoteJournal } from './vote-journal.js';

/** The shell's dependencies. @typeParam B a block as the chain knows it, handed to `onFinal` */
export interface ShellOptions<B extends ChainBlock = ChainBlock> {
  /** Clocks, timers and randomness. The wall clock serves only block timestamps, because it may jump. */
  readonly runtime: Runtime;
  readonly config: CoreConfig;
  /** Differ from the protocol's only in simulations that show what a rule is for. */
  readonly rules?: Rules;
  readonly chain: ConsensusChain<B>;
  /** Holds the certificates of committed blocks. */
  readonly store: Pick<StoreReader, 'get'>;
  readonly blocks: FinalBlockReader;
  readonly crypto: Crypto;
  readonly pool: Pick<Mempool, 'hasReady' | 'heldBackFee'>;
  readonly signatures: VoteSignatures;
  readonly network: Network;
  readonly epochs: Epochs;
  /** Absent for a sole validator: no peer sees its votes, so the commits are its journal. */
  readonly journal?: VoteJournal;
  readonly evidence?: Pick<EvidenceStore, 'add'>;
  /** 48 bytes. */
  readonly groupPublicKey: Uint8Array;
  /** Whether only `ConsensusShell.sealNow` makes blocks; for a sole validator. */
  readonly isManual?: boolean;
  /** Parts of a proposal besides transactions; none by default. */
  readonly parts?: (effect: ProposeEffect) => ProposalParts;
  readonly fillPolicy?: Pick<ValidatorFillPolicy, 'onFinalized' | 'onAbandoned'>;
  /** Keys of heights with envelopes. If absent, existing envelopes stay sealed and hold back everything else. */
  readonly sealKeys?: SealKeys | undefined;
  /** Whether work besides transactions waits for a block (rule 1). */
  readonly hasOtherWork?: () => boolean;
  /** Called for each final block once it is committed. */
  readonly onFinal: (block: B, timing: SealTiming) => void;
  /** Called for each invalid proposal with its proposer's index in the epoch's set. */
  readonly onInvalidProposal?: (proposer: number) => void;
  /** Called for each proposal whose time is too far ahead of the local clock, with its proposer's index. */
  readonly onEarlyProposal?: (proposer: number) => void;
  /** Called once when consensus cannot continue here; the shell has stopped by then. */
  readonly onFailure: (error: Error) => void;
  readonly log: Log;
}

/** The shell's dependencies, and the parts that its components share. */
export interface ShellContext<B extends ChainBlock = ChainBlock> extends Omit<ShellOptions<B>, 'onFinal'> {
  /** Whether this is the only validator: it has no journal, and no peer sees its votes. */
  readonly isSole: boolean;
  readonly lifecycle: Pick<Lifecycle, 'isRunning' | 'stopping' | 'fail' | 'run' | 'handleError'>;
  /** The core's answers; only {@link events} changes its state. */
  readonly core: Omit<ConsensusCore, 'step'>;
  readonly events: Pick<CoreQueue, 'push' | 'hasStarted'>;
  readonly clock: Pick<CoreClock, 'pauseSince'>;
  readonly known: Pick<KnownBlocks, 'get' | 'take' | 'addOwn' | 'restore' | 'forget'>;
  /** This node's membership in the core's epoch. */
  readonly membership: EpochMembership;
}

/** Milliseconds since the last committed block's timestamp, on the wall clock; 0 if it lies ahead. */
export function tipAgeMs({ runtime, chain }: Pick<ShellOptions, 'runtime' | 'chain'>): number {
  return Math.max(0, runtime.wallMs() - Number(chain.tip.header.timestamp_ms));
}
