import type { EncodedBlock } from '../../chain/decode-block.js';
import type { PeerHealth } from '../../generated/node-rpc-v1.js';
import type { BlockHash, Certificate, Vote, VoteMessage } from '../core/types.js';

/*
 * What the shell needs of network, keys and validators. Peers are named by their index in the set of the core's epoch.
 */

/** What validators tell each other: numbers are converted and lengths checked, nothing else. */
export type PeerMessage =
  | { readonly type: 'vote'; readonly vote: Vote }
  /** The leader's vote, and the block it is for. */
  | { readonly type: 'proposal'; readonly vote: Vote; readonly block: EncodedBlock }
  | { readonly type: 'certificate'; readonly certificate: Certificate }
  | { readonly type: 'get_block'; readonly hash: BlockHash }
  | { readonly type: 'block'; readonly hash: BlockHash; readonly block: EncodedBlock | undefined }
  | {
      readonly type: 'get_certificates';
      readonly epoch: number;
      readonly fromView: number;
      /** Inclusive. */
      readonly toView: number;
    }
  | { readonly type: 'get_finalized'; readonly fromHeight: number; readonly count: number }
  | {
      readonly type: 'finalized';
      readonly fromHeight: number;
      /** In the order of their heights, from `fromHeight` on. */
      readonly blocks: readonly FinalBlock[];
    };

/** A final block, with its certificate where it has one of its own. */
export interface FinalBlock {
  readonly block: EncodedBlock;
  readonly certificate: Certificate | undefined;
}

/** The way to the other validators. Nothing of it throws; what cannot be sent is lost. */
export interface Network {
  /** Whom a connection exists to. */
  connected(): readonly number[];
  send(to: number, message: PeerMessage): void;
  broadcast(message: PeerMessage): void;
  /** Ends the connection with a peer that sent what cannot be right. */
  drop(peer: number, reason: string): void;
  /**
   * From here on peers are named by their index in the set of this epoch.
   * @returns the index now of whoever had one before; undefined for who is no validator of the epoch
   */
  enterEpoch(epoch: number): (former: number) => number | undefined;
  /** What is known of each other validator of the epoch. */
  peers(): readonly PeerHealth[];
}

/** Signs as this validator, and makes and checks certificates. All of it off the main thread where it takes long. */
export interface VoteSignatures {
  /** Both signatures of this validator's vote: deterministic. */
  sign(message: VoteMessage): Promise<Pick<Vote, 'partial' | 'signature'>>;
  /** @param own whether this validator's own vote counts too, which is not in `votes` */
  assemble(message: VoteMessage, votes: readonly Vote[], own: boolean): Promise<AssembledVotes>;
  /** Whether a certificate's signature is the group key's. */
  isCertified(certificate: Certificate): Promise<boolean>;
  /** Whether the identity signature of a vote is its signer's. */
  isSigned(vote: Vote): boolean;
}

export interface AssembledVotes {
  /** Under the group key, 96 bytes; undefined where too few partial signatures are good. */
  readonly signature: Uint8Array | undefined;
  /** The signers whose partial signatures are not good. */
  readonly bad: readonly number[];
}

/** What an epoch is for this node. */
export interface EpochMembership {
  /** Size of the epoch's set. */
  readonly validators: number;
  /** This node's index in the set, or -1. */
  readonly self: number;
  /** Rule 9: whether the epoch's share is here and belongs to the journal. */
  readonly mayVote: boolean;
}

/** The epochs' sets and this node's part in them. */
export interface Epochs {
  /**
   * Called before anything is signed or checked in an epoch; its set is known, for the block before it is committed.
   * What is kept of the keys of earlier ones is of no more use.
   */
  enter(epoch: number): Promise<EpochMembership>;
}
