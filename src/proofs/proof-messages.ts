import type { NativeMode } from '../config/native-mode.js';
import type { StoreHandle } from '../storage/store.js';
import type { BatchPieces } from '../storage/write-batch.js';
import type { KeptHeights, ProofProblem } from './proof-error.js';

/** A height and the state root in its header. */
export interface TreeAt {
  readonly height: bigint;
  /** 32 bytes. */
  readonly stateRoot: Uint8Array;
}

/** The last committed block. */
export interface Tip extends TreeAt {
  /** 32 bytes. */
  readonly hash: Uint8Array;
}

export interface ProofWorkerData extends OldProofWorkerData {
  /** Undefined if the store has no blocks. */
  readonly tip: Tip | undefined;
  /** Number of heights below the last one whose trees are served. */
  readonly proofWindow: number;
  /** Distance between checkpoints, in heights. Trees of checkpoints are kept until they leave the window. */
  readonly checkpointInterval: number;
}

/** Main thread → worker. */
export type ProofRequest =
  | BlockRequest
  | CommitRequest
  /** Drops a pending block and its descendants, which will not be committed. */
  | { readonly type: 'drop'; readonly id: number }
  | ProveRequest
  | KeepRequest
  | { readonly type: 'portion_written' }
  | { readonly type: 'stop' };

/** Requests proofs at the height of the last committed block; answered with `proved`, `refused` or `passed`. */
export interface ProveRequest extends TreeAt {
  readonly type: 'prove';
  readonly id: number;
  /** 32 bytes each. */
  readonly keys: Uint8Array<ArrayBuffer>;
}

/** Sets the checkpoints whose trees are kept outside the window; all others are dropped. Answered with `kept`. */
export interface KeepRequest {
  readonly type: 'keep';
  readonly id: number;
  readonly heights: readonly bigint[];
}

/** Makes a pending block the last committed one. It is a child of the previous one, and its batch is in the store. */
export interface CommitRequest {
  readonly type: 'commit';
  readonly id: number;
  /** 32 bytes. */
  readonly hash: Uint8Array;
}

/** Adds a child of a known block; answered with `block_done`, or `failed` with its id. */
export interface BlockRequest {
  readonly type: 'block';
  /** Id of the block until it is committed or dropped; never reused. */
  readonly id: number;
  /** Id of the pending parent; undefined if the parent is the last committed block, and for the first block. */
  readonly parent: number | undefined;
  readonly height: bigint;
  /** 32 bytes; undefined for the genesis block. */
  readonly parentHash: Uint8Array | undefined;
  /** Changed keys, 32 bytes each, in the order of `values`. */
  readonly keys: Uint8Array;
  readonly changeCount: number;
  /** A packed list (byte-lists.ts): the new values, absent for deleted keys. */
  readonly values: Uint8Array;
  /** A packed list of borsh(BlockItem). */
  readonly items: Uint8Array;
  readonly itemCount: number;
  /** A packed list of borsh(LedgerReceipt). */
  readonly receipts: Uint8Array;
  readonly receiptCount: number;
}

/** Worker → main thread. */
export type ProofReply =
  | ProofProgress
  /** The tree has the tip's state root, and the worker accepts blocks. `kept` lists the kept checkpoints. */
  | { readonly type: 'ready'; readonly kept: readonly bigint[] }
  /** Writes to the store: pages of committed or rebuilt trees, and deletions. Acknowledged by `portion_written`. */
  | {
      readonly type: 'portion';
      readonly batch: BatchPieces;
      /** Marked heights whose trees the batch drops; no reader may still use them. */
      readonly droppedMarks?: readonly bigint[];
    }
  | BlockReply
  /** An encoded list of proofs (proof-wire.ts), in the order of the keys. */
  | { readonly type: 'proved'; readonly id: number; readonly proofs: Uint8Array<ArrayBuffer> }
  /** The requested height is now below the last committed block. */
  | { readonly type: 'passed'; readonly id: number }
  /** The requested heights whose trees exist. */
  | { readonly type: 'kept'; readonly id: number; readonly heights: readonly bigint[] }
  | ({ readonly type: 'refused'; readonly id: number } & ProofProblem)
  | { readonly type: 'stopped'; readonly treeBatch: BatchPieces | undefined }
  /** With an `id`, the block was refused and nothing changed. Without one, the worker cannot continue. */
  | ({ readonly type: 'failed'; readonly id?: number } & ProofProblem);

export interface ProofProgress {
  readonly type: 'progress';
  /** `replay`: the changes since the tree was last stored; `rebuild`: the whole tree from the state. */
  readonly stage: 'replay' | 'rebuild';
  /** Why a rebuild was needed. */
  readonly reason?: string;
  /** 0 to 1. */
  readonly fraction: number;
  readonly keys: number;
}

export interface BlockReply {
  readonly type: 'block_done';
  readonly id: number;
  /** state, transactions, receipts, history: 32 bytes each. */
  readonly roots: Uint8Array<ArrayBuffer>;
  /** Position of the first new MMR node. */
  readonly mmrPosition: bigint;
  /** The new MMR nodes in ascending position, 32 bytes each. */
  readonly mmrNodes: Uint8Array<ArrayBuffer>;
}

/** The worker for trees of earlier heights. */
export interface OldProofWorkerData {
  readonly store: StoreHandle;
  readonly native: NativeMode;
  /** Approximate memory budget for the trees, in bytes. */
  readonly memoryBytes: number;
}

/** Main thread → worker. */
export type OldProofRequest =
  | ProveOldRequest
  /** Releases marks about to be dropped from the store; answered with `given_up`, after which nothing reads them. */
  | { readonly type: 'give_up'; readonly marks: readonly bigint[] }
  /** Cancels the last `prove`, because all its callers are gone; answered with `abandoned` if it is still running. */
  | { readonly type: 'abandon' }
  | { readonly type: 'stop' };

/** Answered with `proved`, `refused` or `abandoned`. Only one is in flight at a time. */
export interface ProveOldRequest extends TreeAt {
  readonly type: 'prove';
  /** 32 bytes each. */
  readonly keys: Uint8Array<ArrayBuffer>;
  readonly window: KeptHeights;
  /** True if the height's tree is also kept outside the window. */
  readonly isKept: boolean;
}

/** Worker → main thread. `ms` is the time that the worker spent on a request. */
export type OldProofReply =
  | { readonly type: 'proved'; readonly ms: number; readonly proofs: Uint8Array<ArrayBuffer> }
  | ({ readonly type: 'refused'; readonly ms: number } & ProofProblem)
  | { readonly type: 'abandoned'; readonly ms: number }
  /** One per `give_up`, in order. */
  | { readonly type: 'given_up' };
