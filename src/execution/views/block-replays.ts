import type { TransactionPosition } from '../../ledger/position-index.js';
import type { BlockEnvironment } from '../block-environment.js';
import { type ReexecutionParts, reexecute } from '../sealed/reexecute.js';
import type { StateSource } from '../state-source.js';
import { WorldState } from '../world-state.js';
import { BlockWriteLog, LogPartWriter } from './block-write-log.js';
import { Overlay } from './overlay.js';

export interface ReplayedBlock {
  readonly env: BlockEnvironment;
  readonly parent: StateSource;
}

export interface ReplayedPart {
  readonly part: SharedArrayBuffer;
  /** Number of transactions that the write log covers, including this part. */
  readonly covered: number;
}

/** Asks for the next part of a block's write log. */
interface Extension {
  readonly height: number;
  /** Number of transactions that the parts cover. */
  readonly covered: number;
  /** Number of transactions that the write log needs. */
  readonly upTo: number;
  readonly parts: readonly SharedArrayBuffer[];
}

/** Time after which a worker yields its thread to blocks and signatures. */
const SLICE_MS = 20;
/** Maximum number and total size of the cached write logs. The least recently used are evicted first. */
const KEPT = 8;
const KEPT_BYTES = 32 * 1024 * 1024;

/** The write logs of blocks in this worker; extends them by executing transactions again. */
export class BlockReplays {
  readonly #parts: ReexecutionParts;
  /** By height, least recently used first. Not an `lru-cache`: write logs grow while they are cached. */
  readonly #writeLogs = new Map<bigint, BlockWriteLog>();

  constructor(parts: ReexecutionParts) {
    this.#parts = parts;
  }

  /** Returns true if {@link before} needs no execution. */
  covers({ height, index }: TransactionPosition): boolean {
    return index <= (this.#writeLogs.get(height)?.covered ?? 0);
  }

  /** The state before a transaction of a block; executes the transactions that `parts` of the log lack. */
  before(
    { height, index }: TransactionPosition,
    block: ReplayedBlock,
    parts: readonly SharedArrayBuffer[] = [],
  ): StateSource {
    const writeLog = this.#writeLog(height, parts);
    if (writeLog.covered < index) {
      writeLog.add(this.#replay(writeLog, height, index, block, Number.POSITIVE_INFINITY).finish());
    }
    return writeLog.before(index, block.parent);
  }

  /** Appends the writes of a transaction on the state from {@link before}, for traces of the next one. */
  executed({ height, index }: TransactionPosition, state: WorldState): void {
    const writeLog = this.#writeLogs.get(height);
    if (writeLog?.covered === index) writeLog.append(state);
  }

  /**
   * Returns the next part of a block's write log: up to `upTo`, exclusive, which is above `covered`, or until the
   * time slice ends, but at least one transaction; never beyond the block.
   */
  extend({ height, covered, upTo, parts }: Extension, block: ReplayedBlock): ReplayedPart {
    let writeLog = this.#writeLog(BigInt(height), parts);
    if (writeLog.covered !== covered) {
      // The log of this worker already covers more than the parts.
      writeLog = new BlockWriteLog();
      for (const part of parts) writeLog.add(part);
    }
    const until = performance.now() + SLICE_MS;
    const part = this.#replay(writeLog, BigInt(height), upTo, block, until).finish();
    writeLog.add(part);
    this.#keep(BigInt(height), writeLog);
    return { part, covered: writeLog.covered };
  }

  #writeLog(height: bigint, parts: readonly SharedArrayBuffer[]): BlockWriteLog {
    const writeLog = this.#writeLogs.get(height) ?? new BlockWriteLog();
    for (const part of parts) writeLog.add(part);
    this.#keep(height, writeLog);
    return writeLog;
  }

  #keep(height: bigint, writeLog: BlockWriteLog): void {
    this.#writeLogs.delete(height);
    this.#writeLogs.set(height, writeLog);
    let bytes = 0;
    for (const kept of this.#writeLogs.values()) bytes += kept.bytes;
    for (const [oldest, { bytes: freed }] of this.#writeLogs) {
      if (this.#writeLogs.size <= 1 || (this.#writeLogs.size <= KEPT && bytes <= KEPT_BYTES)) break;
      this.#writeLogs.delete(oldest);
      bytes -= freed;
    }
  }

  #replay(
    writeLog: BlockWriteLog,
    height: bigint,
    upTo: number,
    { env, parent }: ReplayedBlock,
    until: number,
  ): LogPartWriter {
    const { blocks, machine, crypto } = this.#parts;
    const subjects = blocks.subjects(height);
    const first = writeLog.covered;
    const writer = new LogPartWriter(first);
    const overlay = new Overlay(writeLog.before(first, parent));
    for (let index = first; index < Math.min(upTo, subjects.length); index++) {
      const state = new WorldState(overlay);
      reexecute({ height, index }, subjects[index], { state, env, machine, crypto });
      writer.add(state);
      overlay.absorb(state);
      if (performance.now() > until) break;
    }
    return writer;
  }
}
