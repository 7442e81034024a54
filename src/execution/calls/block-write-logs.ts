import { Cancellation } from '../cancellation.js';
import { ExecutionError } from '../execution-error.js';
import type { TaskRunner } from '../task-runner.js';
import { CallError } from '../views/call-error.js';
import type { CallTasks } from './call-tasks.js';

export interface BlockWriteLogsOptions {
  readonly pool: TaskRunner<Pick<CallTasks, 'replay_block'>>;
  /** The height of the last committed block. */
  readonly tipHeight: () => bigint;
  /** How long one task may run, in milliseconds. */
  readonly maxTaskMs: number;
  /** Write logs are given up beyond so many bytes, the one used longest ago first; 64 MiB if absent. */
  readonly maxBytes?: number;
}

interface KeptLog {
  readonly height: number;
  readonly parts: SharedArrayBuffer[];
  /** How many transactions of the block it has. */
  covered: number;
  bytes: number;
  /** Under way; all who wait for more wait for it. */
  extension: Promise<void> | undefined;
}

const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;
/** Transactions that a write log begins with; it grows by doubling. */
const FIRST_PART = 32;
/** So many are kept even where they are small. */
const MAX_WRITE_LOGS = 64;

/**
 * What the transactions of blocks wrote, for traces of those that come after them: the states between a block's
 * transactions, kept for a while in memory that all workers share. A block is executed once for all its traces, whichever
 * workers they are answered by, and no further than about twice as far as was asked for.
 */
export class BlockWriteLogs {
  readonly #options: BlockWriteLogsOptions;
  /** By height; the one used last comes last. */
  readonly #writeLogs = new Map<number, KeptLog>();

  constructor(options: BlockWriteLogsOptions) {
    this.#options = options;
  }

  /**
   * The parts that cover the transactions before one of a block, made where they are not at hand.
   * @throws CallError, ExecutionError
   */
  async make(height: number, index: number): Promise<readonly SharedArrayBuffer[]> {
    const writeLog = this.#writeLogs.get(height) ?? {
      height,
      parts: [],
      covered: 0,
      bytes: 0,
      extension: undefined,
    };
    this.#use(writeLog);
    while (writeLog.covered < index) {
      writeLog.extension ??= this.#extend(writeLog, index).finally(() => {
        writeLog.extension = undefined;
      });
      await writeLog.extension;
    }
    return writeLog.parts;
  }

  async #extend(writeLog: KeptLog, index: number): Promise<void> {
    const { pool, tipHeight, maxTaskMs } = this.#options;
    const { height, covered, parts } = writeLog;
    const cancellation = new Cancellation();
    const timer = setTimeout(() => cancellation.cancel(), maxTaskMs);
    try {
      const upTo = Math.max(index, 2 * covered, FIRST_PART);
      const head = { tipHeight: Number(tipHeight()) };
      const input = { head, height, covered, upTo, parts: [...parts] };
      const result = await pool.run('replay_block', input, { cancellation });
      if ('problem' in result) throw new CallError(result.problem);
      parts.push(result.part);
      writeLog.covered = result.covered;
      writeLog.bytes += result.part.byteLength;
    } catch (error) {
      const isLate = error instanceof ExecutionError && error.code === 'aborted';
      throw isLate ? new CallError({ code: 'timeout', limitMs: maxTaskMs }) : error;
    } finally {
      clearTimeout(timer);
    }
  }

  #use(writeLog: KeptLog): void {
    this.#writeLogs.delete(writeLog.height);
    this.#writeLogs.set(writeLog.height, writeLog);
    this.#trim();
  }

  #trim(): void {
    const { maxBytes = DEFAULT_MAX_BYTES } = this.#options;
    let bytes = 0;
    for (const writeLog of this.#writeLogs.values()) bytes += writeLog.bytes;
    for (const [height, writeLog] of this.#writeLogs) {
      const fits = bytes <= maxBytes && this.#writeLogs.size <= MAX_WRITE_LOGS;
      if (fits || this.#writeLogs.size <= 1) break;
      this.#writeLogs.delete(height);
      bytes -= writeLog.bytes;
    }
  }
}
