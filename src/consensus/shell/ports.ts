import type { ChainTip } from '../../chain/committed-chain.js';
import type { DecodedBlock, EncodedBlock } from '../../chain/decode-block.js';
import type { BlockContext } from '../../chain/next-block.js';
import type { PendingBlock } from '../../chain/pending-blocks.js';
import type { ProposalContext } from '../../chain/propose-block.js';
import type { BlockVerdict } from '../../chain/verify-block.js';
import type { BlockHeader } from '../../generated/ledger.js';
import type { FinalityCertificate, PeerHealth } from '../../generated/node-rpc-v1.js';
import type {
  BlockHash,
  Certificate,
  CertificateRequest,
  EffectOf,
  Vote,
  VoteMessage,
} from '../core/types.js';

// The shell's interfaces to chain, network, keys and validators. Peers are indices in the set of the core's epoch;
// peers outside the set get indices above it.

/** A decoded message between validators; its signatures and blocks are not verified yet. */
export type PeerMessage =
  | { readonly type: 'vote'; readonly vote: Vote }
  /** The leader's vote with its block. */
  | { readonly type: 'proposal'; readonly vote: Vote; readonly block: EncodedBlock }
  | { readonly type: 'certificate'; readonly certificate: Certificate }
  | { readonly type: 'get_block'; readonly hash: BlockHash }
  | { readonly type: 'block'; readonly hash: BlockHash; readonly block: EncodedBlock | undefined }
  | ({ readonly type: 'get_certificates' } & CertificateRequest)
  | { readonly type: 'get_finalized'; readonly fromHeight: number; readonly count: number }
  | {
      readonly type: 'finalized';
      readonly fromHeight: number;
      /** Ascending by height, starting at `fromHeight`. */
      readonly blocks: readonly FinalBlock[];
    };

/** A final block with its own certificate, if any. */
export interface FinalBlock {
  readonly block: EncodedBlock;
  readonly certificate: Certificate | undefined;
}

/** Maps a peer's former index to the current one; undefined for peers that left the set. */
export type IndexOf = (former: number) => number | undefined;

/** The network of validators. Never throws; messages that cannot be sent are lost. */
export interface Network {
  connected(): readonly number[];
  send(to: number, message: PeerMessage): void;
  broadcast(message: PeerMessage): void;
  /** Disconnects a peer that sent an invalid message. */
  drop(peer: number, reason: string): void;
  /** Renumbers the peers to their indices in this epoch's set. @returns the map from former indices */
  enterEpoch(epoch: number): IndexOf;
  peers(): readonly PeerHealth[];
}

/** Signs votes, and assembles and verifies certificates; slow operations run off the main thread. */
export interface VoteSignatures {
  /** Signs a vote with both keys, deterministically. */
  sign(message: VoteMessage): Promise<Pick<Vote, 'partial' | 'signature'>>;
  /** @param own whether to add this validator's own vote, which is not in `votes` */
  assemble(message: VoteMessage, votes: readonly Vote[], own: boolean): Promise<AssembledVotes>;
  /** True if the signature is valid under the group key. */
  isCertified(certificate: Certificate): Promise<boolean>;
  /** True if the vote's identity signature is valid for its signer. */
  isSigned(vote: Vote): boolean;
}

export interface AssembledVotes {
  /** Signature under the group key, 96 bytes; undefined if too few partial signatures are valid. */
  readonly signature: Uint8Array | undefined;
  /** Signers whose partial signatures are invalid. */
  readonly bad: readonly number[];
}

export interface EpochMembership {
  /** Size of the epoch's validator set. */
  readonly validators: number;
  /** This node's index in the set, or -1. */
  readonly self: number;
  /** Rule 9: whether the epoch's share is available and belongs to the journal. */
  readonly mayVote: boolean;
}

export interface Epochs {
  /**
   * Called before any signing or verification in an epoch; its set is known, because the preceding block is committed.
   * Key material of earlier epochs is no longer needed.
   */
  enter(epoch: number): Promise<EpochMembership>;
}

/** The parts of a block that the shell uses; the chain knows more. */
export type ChainBlock = Pick<PendingBlock, 'header' | 'encodedHeader' | 'hash' | 'items'>;

/** `BlockVerdict` with the parts of the block that the shell uses. */
export type ChainVerdict =
  | Exclude<BlockVerdict, { readonly verdict: 'valid' }>
  | { readonly verdict: 'valid'; readonly block: ChainBlock };

/** The chain as consensus drives it; documented at `BlockChain`, which implements it. */
export interface ConsensusChain<B extends ChainBlock = ChainBlock> {
  readonly tip: ChainTip;
  propose(
    context: ProposalContext,
    signal?: AbortSignal,
  ): Promise<{ readonly block: B } | { readonly block: undefined; readonly mayHaveMore: boolean }>;
  onProposalEnded(): void;
  verify(
    block: EncodedBlock | DecodedBlock,
    context: BlockContext,
    signal?: AbortSignal,
  ): Promise<ChainVerdict>;
  commit(
    hash: Uint8Array,
    certificate?: FinalityCertificate,
  ): Promise<readonly { readonly block: B; readonly commitMs: number }[]>;
  release(hashes: readonly Uint8Array[]): void;
  trySuspects(timestampMs: bigint): Promise<boolean>;
  /** Heights with envelopes unopened after a block, by default the tip. @throws ChainError `unknown_parent` */
  unopenedHeights(after?: Uint8Array): readonly bigint[];
}

/** The committed blocks on disk; implemented by `BlockReader`. */
export interface FinalBlockReader {
  header(height: bigint): { readonly header: BlockHeader } | undefined;
  heightOf(hash: Uint8Array): bigint | undefined;
  /** borsh(BlockItem) of each item. */
  encodedItems(height: bigint): readonly Uint8Array[];
}

export type ProposeEffect = EffectOf<'propose'>;

/** The parts of a proposal besides transactions and keys; see `ProposalContext`. */
export type ProposalParts = Pick<ProposalContext, 'items'>;

/** Durations of a block in milliseconds, from its arrival or the start of its proposal. */
export interface SealTiming {
  readonly totalMs: number;
  readonly commitMs: number;
}
