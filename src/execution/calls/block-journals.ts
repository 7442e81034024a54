import { ExecutionError } from '../execution-error.js';
import { Cancellation } from '../pool/cancellation.js';
import type { ExecutionPool } from '../pool/execution-pool.js';
import { ViewCallError } from '../views/view-call-error.js';

export interface BlockJournalsOptions {
  readonly pool: Pick<ExecutionPool, 'run'>;
  /** The height of the last committed block. */
  readonly tipHeight: () => bigint;
  /** How long one task may run, in milliseconds. */
  readonly maxTaskMs: number;
  /** Journals are given up beyond so many bytes, the one used longest ago first; 64 MiB if absent. */
  readonly maxBytes?: number;
}

interface Journal {
  readonly height: number;
  readonly segments: SharedArrayBuffer[];
  /** How many transactions of the block it has. */
  covered: number;
  bytes: number;
  /** Under way; all who wait for more wait for it. */
  extension: Promise<void> | undefined;
}

const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;
/** Transactions that a journal begins with; it grows by doubling. */
const FIRST_SEGMENT = 32;
/** So many are kept even where they are small. */
const MAX_JOURNALS = 64;

/**
 * What the transactions of blocks wrote, for traces of those that come after them: the states between a block's
 * transactions, kept for a while in memory that all workers share. A block is executed once for all its traces, whichever
 * workers they are answered by, and no further than about twice as far as was asked for.
 */
export class BlockJournals {
  readonly #options: BlockJournalsOptions;
  /** By height; the one used last comes last. */
  readonly #journals = new Map<number, Journal>();

  constructor(options: BlockJournalsOptions) {
    this.#options = options;
  }

  /**
   * The segments that cover the transactions before one of a block, made where they are not at hand.
   * @throws ViewCallError, ExecutionError
   */
  async make(height: number, index: number): Promise<readonly SharedArrayBuffer[]> {
    const journal = this.#journals.get(height) ?? {
      height,
      segments: [],
      covered: 0,
      bytes: 0,
      extension: undefined,
    };
    this.#use(journal);
    while (journal.covered < index) {
      journal.extension ??= this.#extend(journal, index).finally(() => {
        journal.extension = undefined;
      });
      await journal.extension;
    }
    return journal.segments;
  }

  async #extend(journal: Journal, index: number): Promise<void> {
    const { pool, tipHeight, maxTaskMs } = this.#options;
    const { height, covered, segments } = journal;
    const cancellation = new Cancellation();
    const timer = setTimeout(() => cancellation.cancel(), maxTaskMs);
    try {
      const upTo = Math.max(index, 2 * covered, FIRST_SEGMENT);
      const head = { tipHeight: Number(tipHeight()) };
      const input = { head, height, covered, upTo, segments: [...segments] };
      const result = await pool.run('replay_block', input, { cancellation });
      if ('problem' in result) throw new ViewCallError(result.problem);
      segments.push(result.segment);
      journal.covered = result.covered;
      journal.bytes += result.segment.byteLength;
    } catch (error) {
      const isLate = error instanceof ExecutionError && error.code === 'aborted';
      throw isLate ? new ViewCallError({ code: 'timeout', limitMs: maxTaskMs }) : error;
    } finally {
      clearTimeout(timer);
    }
  }

  #use(journal: Journal): void {
    this.#journals.delete(journal.height);
    this.#journals.set(journal.height, journal);
    this.#trim();
  }

  #trim(): void {
    const { maxBytes = DEFAULT_MAX_BYTES } = this.#options;
    let bytes = 0;
    for (const journal of this.#journals.values()) bytes += journal.bytes;
    for (const [height, journal] of this.#journals) {
      const fits = bytes <= maxBytes && this.#journals.size <= MAX_JOURNALS;
      if (fits || this.#journals.size <= 1) break;
      this.#journals.delete(height);
      bytes -= journal.bytes;
    }
  }
}
