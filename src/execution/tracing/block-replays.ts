import type { Crypto } from '../../crypto/crypto.js';
import type { BlockReader } from '../../ledger/block-store.js';
import type { TransactionPosition } from '../../ledger/keys.js';
import type { BlockEnvironment } from '../block-environment.js';
import type { ContractMachine } from '../contract-machine.js';
import { reexecute } from '../sealed/reexecute.js';
import { Overlay } from '../simulation/overlay.js';
import type { StateSource } from '../state-source.js';
import { WorldState } from '../world-state.js';
import { BlockWriteLog, LogPartWriter } from './block-write-log.js';
import type { ReplayedPart, ReplayRequest } from './replay-messages.js';

/** A block that was executed on the state of its parent. */
export interface ReplayedBlock {
  readonly env: BlockEnvironment;
  readonly parent: StateSource;
}

/** A worker gives its thread up after this long, so that blocks and signatures get their turn. */
const SLICE_MS = 20;
/** Limits on the write logs that are kept; the one used longest ago goes first. */
const KEPT = 8;
const KEPT_BYTES = 32 * 1024 * 1024;

/** The write logs of blocks in this worker, and how they get longer: by executing transactions again. */
export class BlockReplays {
  readonly #crypto: Crypto;
  readonly #machine: ContractMachine;
  readonly #blocks: BlockReader;
  /** By height; the one used last comes last. Not an `lru-cache`: write logs grow while they are kept. */
  readonly #writeLogs = new Map<bigint, BlockWriteLog>();

  constructor(options: {
    readonly crypto: Crypto;
    readonly machine: ContractMachine;
    readonly blocks: BlockReader;
  }) {
    this.#crypto = options.crypto;
    this.#machine = options.machine;
    this.#blocks = options.blocks;
  }

  /**
   * The state before a transaction of a block.
   * @param parts of the block's write log, where they came along: what they lack is executed here
   * @returns undefined where it is not known, and no parts came along
   */
  before(
    { height, index }: TransactionPosition,
    block: ReplayedBlock,
    parts: readonly SharedArrayBuffer[] | undefined,
  ): StateSource | undefined {
    const writeLog = this.#writeLog(height, parts ?? []);
    if (writeLog.covered < index) {
      if (parts === undefined) return undefined;
      writeLog.add(this.#replay(writeLog, height, index, block, Number.POSITIVE_INFINITY).finish());
    }
    return writeLog.before(index, block.parent);
  }

  /** Notes what a transaction wrote that was executed on the state {@link before} gave: its block's next needs it. */
  executed({ height, index }: TransactionPosition, state: WorldState): void {
    const writeLog = this.#writeLogs.get(height);
    if (writeLog?.covered === index) writeLog.append(state);
  }

  /**
   * The next part of a block's write log: up to a transaction, not included, or until the worker's time is up, but at
   * least one transaction.
   * @param wanted its `upTo` is more than the parts have; the block's end is the end in any case
   */
  extend(
    {
      height,
      covered,
      upTo,
      parts,
    }: Pick<ReplayRequest, 'height' | 'covered' | 'upTo'> & { readonly parts: readonly SharedArrayBuffer[] },
    block: ReplayedBlock,
  ): ReplayedPart {
    let writeLog = this.#writeLog(BigInt(height), parts);
    if (writeLog.covered !== covered) {
      // This worker went further by itself.
      writeLog = new BlockWriteLog();
      for (const part of parts) writeLog.add(part);
    }
    const writer = this.#replay(writeLog, BigInt(height), upTo, block, performance.now() + SLICE_MS);
    const part = writer.finish();
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
    const subjects = this.#blocks.subjects(height);
    const first = writeLog.covered;
    const writer = new LogPartWriter(first);
    const overlay = new Overlay(writeLog.before(first, parent));
    for (let index = first; index < Math.min(upTo, subjects.length); index++) {
      const subject = subjects[index];
      const what = `transaction ${index} of block ${height}`;
      if (subject === undefined) throw new Error(`${what} is not stored`);
      const state = new WorldState(overlay);
      reexecute(subject, { state, env, machine: this.#machine, crypto: this.#crypto }, what);
      writer.add(state);
      overlay.absorb(state);
      if (performance.now() > until) break;
    }
    return writer;
  }
}
