/**
 * What goes into the state machine of `../core.ts` and what comes out: its border to the shell, which owns keys, journal, clock,
 * network and chain.
 *
 * Views, epochs and heights are safe integers here and u64 on the wire (`wire.ts` converts and refuses what is greater). Times are
 * milliseconds of one monotonic clock, whose zero does not matter.
 */

/** A block's hash: 64 lower-case hexadecimal digits. */
export type BlockHash = string;

/** What a nullify carries where other messages name a block: 32 zero bytes. */
export const NO_BLOCK: BlockHash = '0'.repeat(64);

export type VoteName = 'notarize' | 'nullify' | 'finalize';

/** What is voted about: the fields of the bytes that are signed. */
export interface VoteMessage {
  readonly kind: VoteName;
  readonly epoch: number;
  readonly view: number;
  /** 0 for nullify. */
  readonly parentView: number;
  /** {@link NO_BLOCK} for nullify. */
  readonly hash: BlockHash;
}

/** A validator's vote. The core never looks at the signatures, it hands them back for certificates and evidence. */
export interface Vote extends VoteMessage {
  /** Index in the epoch's validator set. */
  readonly signer: number;
  /** BLS partial signature, 96 bytes. */
  readonly partial: Uint8Array;
  /** ed25519 identity signature, 64 bytes. */
  readonly signature: Uint8Array;
}

/** q votes of one message under one signature of the group key. In the core it is always one that was verified. */
export interface Certificate extends VoteMessage {
  /** BLS signature, 96 bytes. */
  readonly signature: Uint8Array;
}

/** What the core knows of a block: facts of its header. */
export interface BlockFacts {
  readonly hash: BlockHash;
  readonly parentHash: BlockHash;
  readonly height: number;
  readonly epoch: number;
  readonly view: number;
  /** Index of the proposer in the set of the block's epoch. */
  readonly proposer: number;
}

/** What stays the same for the life of a core. */
export interface CoreConfig {
  /** Blocks of an epoch: epoch e ends with the block of height (e + 1) · epochLength. From the genesis. */
  readonly epochLength: number;
  /** Δ of rule 1. */
  readonly deltaMs: number;
  readonly blockTimeMs: number;
  /** 0: no block without work. */
  readonly idleBlockTimeMs: number;
  /** A block is due as soon as a transaction is ready, not only a block time after its parent. */
  readonly sealInstantly: boolean;
}

/** Where an epoch stands when the core takes it up. */
export interface EpochSetup {
  readonly epoch: number;
  /** Size of the epoch's validator set. */
  readonly validators: number;
  /** This node's index in it, or -1 if it is not in it. */
  readonly self: number;
  /** Rule 9: false if journal and share file do not belong together or there is no share of this epoch. Then the core only follows. */
  readonly mayVote: boolean;
  /** It signs nothing new until `listened`: a journal that was put back to what it was earlier lacks votes that peers may know. */
  readonly listens?: boolean;
  /** The last committed block. */
  readonly committed: BlockFacts;
  /**
   * The highest finalization known; normally that of {@link committed}, or of a descendant if a crash came between the commits of a
   * list. Undefined while only the genesis is committed.
   */
  readonly finalization: Certificate | undefined;
  /** Indices of the validators that a connection exists to. Empty at the start of a process. */
  readonly connected: readonly number[];
}

/**
 * What the journal holds. The shell stores a block's bytes under a `block` entry and gives back its facts.
 * Every entry belongs to an epoch and a view, by which `prune_journal` removes it.
 */
export type JournalEntry =
  | {
      readonly type: 'block';
      readonly block: BlockFacts;
      /** Of the vote for it that follows; greater than the block's own view where an epoch's last block is proposed again. */
      readonly view: number;
    }
  | { readonly type: 'vote'; readonly message: VoteMessage }
  | { readonly type: 'certificate'; readonly certificate: Certificate };

/** At most one of each runs; setting one again replaces it. */
export type TimerName =
  /** A proposal becomes due (rule 1). */
  | 'due'
  | 'leader'
  | 'advance'
  /** Stuck in a view after nullify (rule 6). */
  | 'resend'
  /** What was asked for did not come: the next peer is asked. */
  | 'request'
  /** A withheld verdict is asked for again (rule 8). */
  | 'verdict';

/** What the shell knows of work (rule 1); the core adds what it knows of notarized blocks itself. */
export interface Work {
  /** Ready transactions: with `sealInstantly` they make a block due at once. */
  readonly transactions: boolean;
  /** An unopened envelope, or an own dealing not yet in a block. */
  readonly other: boolean;
}

/** What happened. `nowMs` never goes back from one event to the next. */
export type CoreEvent = { readonly nowMs: number } & (
  | {
      /**
       * First event of a process; then the entry into a further epoch after `epoch_ended`, or after a sync that ended in a later epoch
       * (with an empty journal both). `journal` are the entries of this epoch and later, in the order of writing.
       */
      readonly type: 'start';
      readonly setup: EpochSetup;
      readonly journal: readonly JournalEntry[];
    }
  | { readonly type: 'connected'; readonly peer: number }
  | { readonly type: 'disconnected'; readonly peer: number }
  /** A vote of the core's epoch or another, its sender known to be its signer; signatures not yet checked, but of the right length. */
  | { readonly type: 'vote'; readonly vote: Vote }
  /** A vote of this node that `wantsOwnVote` and that a peer sent back; its identity signature is checked. */
  | { readonly type: 'own_vote'; readonly message: VoteMessage }
  /** A quorum has said where it is (`EpochSetup.listens`). */
  | { readonly type: 'listened' }
  /** A certificate that `wantsCertificate` and whose signature is valid. */
  | { readonly type: 'certificate'; readonly certificate: Certificate; readonly from: number }
  /** A certificate that the core did not want, or one that was not checked: it tells only how far the sender is. */
  | { readonly type: 'heard'; readonly from: number; readonly message: VoteMessage }
  /**
   * A block that `wantsBlock`, whose bytes the shell holds under its hash. The shell has checked that header and body belong together
   * (body root): a verdict is kept under the hash, so another's body must not be able to spoil it.
   */
  | { readonly type: 'block'; readonly block: BlockFacts; readonly from: number }
  /** A peer asks for the certificates of the views `from`..`to`. Rates and the number of requests are bounded by the shell. */
  | {
      readonly type: 'certificates_requested';
      readonly peer: number;
      readonly epoch: number;
      readonly fromView: number;
      readonly toView: number;
    }
  /** The answer to `assemble`: the signature under the group key. */
  | { readonly type: 'assembled'; readonly message: VoteMessage; readonly signature: Uint8Array }
  /** The other answer to `assemble`: these signers' partial signatures are wrong, or too few of the others' are left. */
  | { readonly type: 'bad_partials'; readonly message: VoteMessage; readonly signers: readonly number[] }
  | { readonly type: 'timer'; readonly timer: TimerName }
  | { readonly type: 'work'; readonly work: Work }
  /** The answer to `propose`; the shell holds the bytes, and the block counts as verified. */
  | { readonly type: 'proposed'; readonly block: BlockFacts }
  /** The other answer to `propose`: nothing to put into a block that must not be empty, or building it failed. */
  | { readonly type: 'not_proposed'; readonly epoch: number; readonly view: number }
  /**
   * The answer to `verify`. `withheld`: the clock, a time limit or load say not now (rule 8), and the core asks again
   * after `retryMs`. `valid` and `invalid` are objective and final.
   */
  | { readonly type: 'verdict'; readonly hash: BlockHash; readonly verdict: 'valid' | 'invalid' }
  | {
      readonly type: 'verdict';
      readonly hash: BlockHash;
      readonly verdict: 'withheld';
      readonly retryMs: number;
    }
  /** A `commit` is durable. */
  | { readonly type: 'committed'; readonly hash: BlockHash }
  /** Blocks up to this one of the core's epoch were fetched and committed outside the core, after `fell_behind`. */
  | { readonly type: 'synced'; readonly committed: BlockFacts; readonly finalization: Certificate }
);

/**
 * What is to be done, in this order. A `journal` is durable before anything after it takes place; so the shell queues the effects of
 * all steps in one line, writes what its `journal`s hold with one sync, and goes on. Timers may be set without that wait.
 */
export type Effect =
  | { readonly type: 'journal'; readonly entries: readonly JournalEntry[] }
  /** Everything of this epoch up to this view, and of earlier epochs, can leave the journal: a finalization above it is committed. */
  | { readonly type: 'prune_journal'; readonly epoch: number; readonly view: number }
  /**
   * Sign this (both signatures are deterministic, so signing again repeats the vote) and send it, to everybody or to `to`.
   * It stands in the journal already. With `block`, that block's bytes go before it: it is a proposal.
   */
  | {
      readonly type: 'send_vote';
      readonly message: VoteMessage;
      readonly block: BlockHash | undefined;
      readonly to: number | undefined;
    }
  /** Send a peer a vote of its own, which it may have forgotten. */
  | { readonly type: 'return_vote'; readonly vote: Vote; readonly to: number }
  /** To everybody, or to `to`. */
  | { readonly type: 'send_certificate'; readonly certificate: Certificate; readonly to: number | undefined }
  /** Send the stored finalization of the last block of that earlier epoch (rule 10). */
  | { readonly type: 'send_epoch_end'; readonly epoch: number; readonly to: number }
  /** Asks one peer; the core itself asks the next one if nothing comes. */
  | { readonly type: 'request_block'; readonly hash: BlockHash; readonly to: number }
  | {
      readonly type: 'request_certificates';
      readonly epoch: number;
      readonly fromView: number;
      readonly toView: number;
      readonly to: number;
    }
  /**
   * Make a certificate of these votes, at least q of one message. `own` says that this node's vote counts too; it is not in `votes`,
   * for its signatures are the shell's.
   */
  | {
      readonly type: 'assemble';
      readonly message: VoteMessage;
      readonly votes: readonly Vote[];
      readonly own: boolean;
    }
  /** These peers sent what cannot be right: close their connections and count it. */
  | { readonly type: 'drop_peers'; readonly peers: readonly number[] }
  /** Two votes of one validator that no honest one gives both. At most one pair a signer, kind and view. */
  | { readonly type: 'evidence'; readonly first: Vote; readonly second: Vote }
  /** Build a block on this parent. */
  | {
      readonly type: 'propose';
      readonly epoch: number;
      readonly view: number;
      readonly parentHash: BlockHash;
      readonly parentView: number;
      readonly parentHeight: number;
      /** False where only ready transactions made it due, for one validator: without any, the answer is `not_proposed`. */
      readonly allowEmpty: boolean;
    }
  /** Check this block on its parent, which is verified or committed. `notarized`: the clock does not apply (rule 8). */
  | { readonly type: 'verify'; readonly block: BlockFacts; readonly notarized: boolean }
  /** The running `propose` or `verify` of this view or block is of no more use. */
  | { readonly type: 'abandon'; readonly what: 'proposal' }
  /** Blocks whose bytes the shell can forget: neither committed nor able to become so. */
  | { readonly type: 'drop_blocks'; readonly hashes: readonly BlockHash[] }
  /** Blocks whose execution can be forgotten, with all that is built on them; before one is used again, it is verified again. */
  | { readonly type: 'release_blocks'; readonly hashes: readonly BlockHash[] }
  /** Commit these in order, all verified, the first on the last commit, under this finalization of the last of them. */
  | { readonly type: 'commit'; readonly hashes: readonly BlockHash[]; readonly certificate: Certificate }
  /** The commit before it ended this epoch. The next event of weight is `start` with the next; others change nothing until then. */
  | { readonly type: 'epoch_ended'; readonly epoch: number }
  /** The finalized block is too far ahead to be fetched block by block, or of a later epoch's chain: sync, then `synced` or `start`. */
  | { readonly type: 'fell_behind'; readonly certificate: Certificate; readonly height: number }
  /** Rule 8: q validators notarized what is invalid here. The core votes no more. */
  | { readonly type: 'diverged'; readonly block: BlockFacts; readonly certificate: Certificate }
  /** `atMs` may have passed already. */
  | { readonly type: 'set_timer'; readonly timer: TimerName; readonly atMs: number }
  | { readonly type: 'cancel_timer'; readonly timer: TimerName };

/** What a node reports about its agreement. */
export interface CoreStatus {
  readonly epoch: number;
  readonly view: number;
  readonly leader: number;
  /** View of the highest finalization of this epoch, 0 for none. */
  readonly finalizedView: number;
  readonly voting: boolean;
  readonly diverged: boolean;
  /** Counted since the process started. */
  readonly proposals: number;
  readonly notarizations: number;
  readonly nullifications: number;
  readonly finalizations: number;
  readonly timeouts: number;
  readonly equivocationsSeen: number;
}

/** The core as its shell sees it. */
export interface ConsensusCore {
  /** Never throws on what peers can cause. */
  step(event: CoreEvent): readonly Effect[];
  /** Cheap; false means that a verified certificate would change nothing, so that no pairing is spent on it: give `heard` instead. */
  wantsCertificate(message: VoteMessage): boolean;
  /** Cheap; false means that the vote would only be `heard`. Calling `step` with it all the same is harmless and does that. */
  wantsVote(vote: VoteMessage & { readonly signer: number }): boolean;
  /** Cheap; whether a vote of this node that a peer sent back is one that it does not know of. */
  wantsOwnVote(vote: VoteMessage): boolean;
  /** Whether a block that a peer pushes or answers with is of use; ask before its body is decoded. */
  wantsBlock(block: Pick<BlockFacts, 'hash' | 'epoch' | 'view'>, from: number): boolean;
  /** After `epoch_ended`, until `start`: hold back (bounded) what peers send of the next epoch. */
  readonly ended: boolean;
  status(): CoreStatus;
}
