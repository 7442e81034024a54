import type { Runtime } from '../../async/runtime.js';
import type { BlockChain } from '../../chain/block-chain.js';
import type { ValidatorFillPolicy } from '../../chain/fill-policy.js';
import type { PendingBlock } from '../../chain/pending-blocks.js';
import type { Log } from '../../config/log.js';
import type { Crypto } from '../../crypto/crypto.js';
import type { BlockReader } from '../../ledger/block-store.js';
import type { Mempool } from '../../mempool/pool.js';
import type { StoreReader } from '../../storage/store.js';
import type { Rules } from '../core/rules.js';
import type { CoreConfig } from '../core/types.js';
import type { SealKeys } from '../seal-keys.js';
import type { SealTiming } from './commit-queue.js';
import type { EvidenceStore } from './evidence.js';
import type { Epochs, Network, VoteSignatures } from './ports.js';
import type { ProposalParts, ProposeEffect } from './proposal-runner.js';
import type { VoteJournal } from './vote-journal.js';

/** The shell's dependencies. */
export interface ShellOptions {
  /** Clocks, timers and randomness. The wall clock serves only block timestamps, because it may jump. */
  readonly runtime: Runtime;
  readonly config: CoreConfig;
  /** Differ from the protocol's only in simulations that show what a rule is for. */
  readonly rules?: Rules;
  readonly chain: Pick<
    BlockChain,
    | 'tip'
    | 'propose'
    | 'onProposalEnded'
    | 'verify'
    | 'commit'
    | 'release'
    | 'trySuspects'
    | 'unopenedHeights'
  >;
  readonly store: StoreReader;
  readonly blocks: Pick<BlockReader, 'header' | 'heightOf' | 'encodedItems'>;
  readonly crypto: Crypto;
  readonly pool: Pick<Mempool, 'hasReady' | 'heldBackFee'>;
  readonly signatures: VoteSignatures;
  readonly network: Network;
  readonly epochs: Epochs;
  /** Absent for a sole validator: no peer sees its votes, so the commits are its journal. */
  readonly journal?: VoteJournal;
  readonly evidence?: EvidenceStore;
  /** 48 bytes. */
  readonly groupPublicKey: Uint8Array;
  /** Whether only `ConsensusShell.sealNow` makes blocks; for a sole validator. */
  readonly isManual?: boolean;
  /** Parts of a proposal besides transactions; none by default. */
  readonly parts?: (effect: ProposeEffect) => ProposalParts;
  /** Notified of the fate of blocks proposed here. */
  readonly fillPolicy?: Pick<ValidatorFillPolicy, 'onFinalized' | 'onAbandoned'>;
  /** Keys of heights with envelopes. If absent, existing envelopes stay sealed and hold back everything else. */
  readonly sealKeys?: SealKeys | undefined;
  /** Whether work besides transactions waits for a block (rule 1). */
  readonly hasOtherWork?: () => boolean;
  /** Called for each final block once it is committed. */
  readonly onFinal: (block: PendingBlock, timing: SealTiming) => void;
  /** Called for each invalid proposal with its proposer's index in the epoch's set. */
  readonly onInvalidProposal?: (proposer: number) => void;
  /** Called once when consensus cannot continue here; the shell has stopped by then. */
  readonly onFailure: (error: Error) => void;
  readonly log: Log;
}
