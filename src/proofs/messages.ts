/**
 * What crosses between the main thread and the proof worker. Buffers are transferred, in few pieces. Blocks, commits and drops are
 * taken in the order they were sent; what has an `id` is answered under it, blocks first.
 */
import type { NativeMode } from '../config/native-mode.js';
import type { StoreHandle } from '../storage/store.js';
import type { BatchPieces } from '../storage/write-batch.js';
import type { KeptHeights, ProofErrorCode } from './proof-error.js';

/** The last committed block. */
export interface Tip {
  readonly height: bigint;
  /** 32 bytes. */
  readonly hash: Uint8Array;
  /** 32 bytes, as its header has it. */
  readonly stateRoot: Uint8Array;
}

/** The worker's `workerData`. */
export interface ProofWorkerData {
  readonly store: StoreHandle;
  readonly native: NativeMode;
  /** Absent on a store without blocks. */
  readonly tip?: Tip;
  /** About what the trees may take in memory, in bytes. */
  readonly memoryBytes: number;
  /** How many heights below the last one have their trees served. */
  readonly proofWindow: number;
  /** Every so many heights the tree is kept until it leaves the window, or longer where `keep` says so. */
  readonly checkpointInterval: number;
}

/** Main thread → worker. */
export type ProofRequest =
  | BlockRequest
  | CommitRequest
  | DropRequest
  | ProveRequest
  | KeepRequest
  | { readonly type: 'portion_written' }
  | { readonly type: 'stop' };

/** Proofs under the state root of the last committed block; answered with `proved`, `refused` or `passed`. */
export interface ProveRequest {
  readonly type: 'prove';
  readonly id: number;
  readonly height: bigint;
  /** 32 bytes, as the height's header has it. */
  readonly stateRoot: Uint8Array;
  /** 32 bytes each. */
  readonly keys: Uint8Array<ArrayBuffer>;
}

/** The checkpoints whose trees stay when they leave the window, all others go; answered with `kept`. */
export interface KeepRequest {
  readonly type: 'keep';
  readonly id: number;
  readonly heights: readonly bigint[];
}

/** A pending block became the last committed one: its batch is in the store. It is a child of the one before. */
export interface CommitRequest {
  readonly type: 'commit';
  readonly id: number;
  /** 32 bytes. */
  readonly hash: Uint8Array;
}

/** A pending block will not be committed, nor any above it. */
export interface DropRequest {
  readonly type: 'drop';
  readonly id: number;
}

/** A block on the last committed one or on a pending one; answered with `block_done`, or `failed` under its id. */
export interface BlockRequest {
  readonly type: 'block';
  /** What the block is called from now on, until it is committed or dropped; never given twice. */
  readonly id: number;
  /** The pending block that it is on; absent where it is on the last committed one, or is the first. */
  readonly parent?: number;
  readonly height: bigint;
  /** 32 bytes; absent for the genesis block. */
  readonly parentHash?: Uint8Array;
  /** Changed keys, 32 bytes each, in the order of `values`. */
  readonly keys: Uint8Array;
  readonly changeCount: number;
  /** A packed list (byte-lists.ts): the new values, absent where the key is deleted. */
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
  /** The tree has the tip's state root; blocks may come. `kept` are the checkpoints that stay. */
  | { readonly type: 'ready'; readonly kept: readonly bigint[] }
  /** Pages of committed trees and of a rebuilt one, and what is dropped, to be written to the store; acknowledged by `portion_written`. */
  | {
      readonly type: 'portion';
      readonly batch: BatchPieces;
      /** Marked heights whose trees it drops: nobody may be reading them by then. */
      readonly droppedMarks?: readonly bigint[];
    }
  | BlockReply
  /** An encoded list of proofs (proof-wire.ts), in the order of the keys. */
  | { readonly type: 'proved'; readonly id: number; readonly proofs: Uint8Array<ArrayBuffer> }
  /** The height is not that of the last committed block any more. */
  | { readonly type: 'passed'; readonly id: number }
  /** Those of the heights whose trees there are. */
  | { readonly type: 'kept'; readonly id: number; readonly heights: readonly bigint[] }
  | {
      readonly type: 'refused';
      readonly id: number;
      readonly code: ProofErrorCode;
      readonly message: string;
      readonly kept?: KeptHeights;
    }
  /** The last message. */
  | { readonly type: 'stopped'; readonly treeBatch?: BatchPieces }
  /** A block was refused, and nothing has changed; without an id the worker can serve no more. */
  | {
      readonly type: 'failed';
      readonly id?: number;
      readonly code: ProofErrorCode;
      readonly message: string;
    };

/** How far the start has come. */
export interface ProofProgress {
  readonly type: 'progress';
  /** `replay`: the changes since the tree was last stored; `rebuild`: the whole tree from the state. */
  readonly stage: 'replay' | 'rebuild';
  /** Why a rebuild was needed. */
  readonly reason?: string;
  /** 0 to 1. */
  readonly fraction: number;
  /** Keys so far. */
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
