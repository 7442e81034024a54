import type { BlockChain } from '../../chain/block-chain.js';
import type { ValidatorFillPolicy } from '../../chain/fill-policy.js';
import type { PendingBlock } from '../../chain/pending-blocks.js';
import type { Log } from '../../config/log.js';
import type { Crypto } from '../../crypto/crypto.js';
import type { BlockReader } from '../../ledger/block-store.js';
import type { Mempool } from '../../mempool/pool.js';
import type { StoreReader } from '../../storage/store.js';
import type { CoreConfig } from '../core/types.js';
import type { SealKeys } from '../seal-keys.js';
import type { SealTiming } from './commit-queue.js';
import type { EvidenceStore } from './evidence.js';
import type { Epochs, Network, VoteSignatures } from './ports.js';
import type { ProposalParts, ProposeEffect } from './proposal-runner.js';
import type { VoteJournal } from './vote-journal.js';

/** The shell's surroundings. */
export interface ShellOptions {
  readonly config: CoreConfig;
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
  /** Left out with one validator: nobody else sees its votes, so the commits are its journal. */
  readonly journal?: VoteJournal;
  readonly evidence?: EvidenceStore;
  /** Of the group, 48 bytes. */
  readonly groupPublicKey: Uint8Array;
  /** Milliseconds since 1970: for the blocks' timestamps alone, for it may jump. */
  readonly now: () => number;
  /** Blocks are made by `ConsensusShell.sealNow` alone; for one validator. */
  readonly isManual?: boolean;
  /** What a proposal holds besides transactions; default nothing. */
  readonly parts?: (effect: ProposeEffect) => ProposalParts;
  /** Told what becomes of the blocks that are proposed here. */
  readonly pace?: Pick<ValidatorFillPolicy, 'onFinalized' | 'onAbandoned'>;
  /** The keys of heights with envelopes; left out where there are none: then what is sealed stays so, and keeps all else out. */
  readonly sealKeys?: SealKeys | undefined;
  /** Whether something besides transactions waits for a block (rule 1). */
  readonly hasOtherWork?: () => boolean;
  /** Told of each final block once it is committed. */
  readonly onFinal: (block: PendingBlock, timing: SealTiming) => void;
  /** Told of each invalid proposal, by its proposer's index in the set of the epoch. */
  readonly onInvalidProposal?: (proposer: number) => void;
  /** Told once when agreement cannot go on here; the shell has stopped then. */
  readonly onFailure: (error: Error) => void;
  readonly log: Log;
}
