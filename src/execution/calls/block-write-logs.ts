import type { Caller } from '../../async/caller.js';
import { FairQueue, type Queued } from '../../async/fair-queue.js';
import { toError } from '../../base/errors.js';
import { readSharedText, type SharedText } from '../../base/shared-text.js';
import { ExecutionError } from '../execution-error.js';
import type { AttachedWriteLog, ReplayAnswer, WantedWriteLog } from '../tracing/replay-messages.js';
import type { ReplayedPart } from '../views/block-replays.js';
import { GrowingWriteLog } from './growing-write-log.js';
import type { Calls } from './worker-calls.js';

export interface BlockWriteLogsOptions {
  readonly calls: Pick<Calls, 'ask'>;
  /** Maximum size of the cached write logs in bytes; 64 MiB if absent. Evicts the least recently used first. */
  readonly maxBytes?: number;
  readonly maxWaiting?: number;
  /** Maximum size of the waiting traces in bytes. */
  readonly maxWaitingBytes?: number;
}

interface Waiter extends Queued {
  readonly writeLog: GrowingWriteLog;
  /** Number of transactions that the write log has to cover. */
  readonly index: number;
  readonly client: string;
  readonly caller: Caller;
  readonly resolve: (writeLog: AttachedWriteLog) => void;
  readonly reject: (error: Error) => void;
}

/** Default of `maxBytes`. */
export const MAX_WRITE_LOG_BYTES = 64 * 1024 * 1024;
/** Default of `maxWaiting`. */
export const MAX_WAITING_TRACES = 4_096;
const DEFAULT_MAX_WAITING_BYTES = 16 * 1024 * 1024;
/** Number of transactions in the first part of a write log; later parts double it. */
const FIRST_PART = 32;
const MAX_WRITE_LOGS = 64;
/** Maximum number of replays in flight per client; also bounds the number of write logs begun for a client. */
const MAX_REPLAYS_PER_CLIENT = 4;

/**
 * Write logs of blocks, which give traces the state between a block's transactions; cached in memory shared by all
 * workers.
 *
 * 1. A block is executed once for all its traces, a part at a time, and at most twice as far as they need.
 * 2. Each part is a call in the call queue. Every client waiting for the part has such a call queued. The first one to
 *    reach a worker does the work for all, and its client is charged; see `replay-messages.ts`.
 * 3. A replay ends when no trace waits for it.
 * 4. If a replay fails, the traces of its own client fail with it. For other clients it runs again.
 * 5. Above the limits on waiting traces, the newest trace of the client with the most bytes is refused as overloaded.
 */
export class BlockWriteLogs {
  readonly #options: BlockWriteLogsOptions;
  readonly #maxBytes: number;
  /** By height, least recently used first. */
  readonly #writeLogs = new Map<number, GrowingWriteLog>();
  readonly #waiters = new FairQueue<Waiter>();
  /** Number of replays in flight per client. */
  readonly #replays = new Map<string, number>();
  #bytes = 0;

  constructor(options: BlockWriteLogsOptions) {
    this.#options = options;
    this.#maxBytes = options.maxBytes ?? MAX_WRITE_LOG_BYTES;
  }

  get waiting(): number {
    return this.#waiters.size;
  }

  /** Size of the cached write logs in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Returns a write log of at least `index` transactions, from the cache or by executing the block.
   * @param bytes size of the trace while it waits @throws CallError, ExecutionError
   */
  make({ height, index }: WantedWriteLog, bytes: number, caller: Caller): Promise<AttachedWriteLog> {
    const writeLog = this.#use(height);
    if (writeLog.covered >= index) return Promise.resolve(writeLog);
    return new Promise((resolve, reject) => {
      const { client } = caller;
      const since = performance.now();
      const waiter = { writeLog, index, client, caller, resolve, reject, bytes, since };
      this.#waiters.push(this.#waiters.client(client), waiter);
      writeLog.clients.add(client);
      writeLog.wanted = Math.max(writeLog.wanted, index);
      this.#dropAbandoned();
      if (!writeLog.asked.has(client)) this.#replay(client);
    });
  }

  #dropAbandoned(): void {
    const { maxWaiting = MAX_WAITING_TRACES, maxWaitingBytes = DEFAULT_MAX_WAITING_BYTES } = this.#options;
    while (this.#waiters.size > maxWaiting || this.#waiters.bytes > maxWaitingBytes) {
      const surplus = this.#waiters.takeFromLargest();
      if (surplus === undefined) return;
      this.#updateDemand(surplus.writeLog);
      const message = `${this.#waiters.size} traces are already waiting for their blocks`;
      surplus.reject(new ExecutionError('overloaded', message));
    }
  }

  /** Requests the write logs that a client waits for, oldest first, up to its limit of replays. */
  #replay(client: string): void {
    let inFlight = this.#replays.get(client) ?? 0;
    for (const { writeLog } of this.#waitersOf(client)) {
      if (inFlight >= MAX_REPLAYS_PER_CLIENT) return;
      if (writeLog.asked.has(client)) continue;
      inFlight++;
      this.#replays.set(client, inFlight);
      void this.#runReplay(writeLog, client);
    }
  }

  /** Never rejects. */
  async #runReplay(writeLog: GrowingWriteLog, client: string): Promise<void> {
    const { height, covered, round, wanted } = writeLog;
    writeLog.asked.add(client);
    const upTo = Math.max(wanted, 2 * covered, FIRST_PART);
    const request = { height, covered, upTo, round, ticket: writeLog.nextTicket() };
    const isWaitedFor = () => this.#waitersOf(client, writeLog).some(({ caller }) => !caller.isGone);
    const caller: Caller = {
      client,
      get isGone() {
        return writeLog.round !== round || !isWaitedFor();
      },
      // A trace pays for the replays that it needs, but they do not end at its time limit: others wait too.
      allowance: {
        gas: undefined,
        ms: undefined,
        use: (ms, gas) => {
          const payer = this.#waitersOf(client, writeLog)[0]?.caller.allowance;
          payer?.use(ms, 0);
          payer?.noteWork(gas ?? 0);
        },
        noteWork: () => undefined,
      },
    };
    let made: ReplayedPart | undefined;
    let failure: unknown;
    try {
      made = await new Promise<ReplayedPart | undefined>((resolve, reject) => {
        const take = (json: SharedText, _waitedMs: number, part?: SharedArrayBuffer) =>
          resolve(partOf(readSharedText(json), part));
        const call = { kind: 'replay', request, writeLog } as const;
        this.#options.calls.ask(call, { resolve: take, reject }, caller);
      });
      // If another client's replay has claimed the round, that one completes it.
      if (made !== undefined && writeLog.round === round) {
        writeLog.grow(made.part, made.covered);
        this.#bytes += made.part.byteLength;
        this.#writeLogs.delete(height);
        this.#writeLogs.set(height, writeLog);
      }
    } catch (error) {
      failure = error;
    }
    const inFlight = (this.#replays.get(client) ?? 1) - 1;
    if (inFlight > 0) this.#replays.set(client, inFlight);
    else this.#replays.delete(client);
    if (writeLog.round === round && (made !== undefined || failure !== undefined)) {
      if (failure !== undefined) this.#fail(writeLog, client, failure);
      this.#nextRound(writeLog);
      this.#trim();
    }
    this.#replay(client);
  }

  #fail(writeLog: GrowingWriteLog, client: string, error: unknown): void {
    const reason = toError(error);
    const isAborted = reason instanceof ExecutionError && reason.code === 'aborted';
    const failed = this.#waiters.drop(
      (waiter) =>
        waiter.writeLog === writeLog &&
        waiter.client === client &&
        // Aborted because every waiter was gone; new ones may have arrived since.
        (!isAborted || waiter.caller.isGone),
    );
    for (const waiter of failed) waiter.reject(reason);
  }

  /** Serves the traces now covered, drops those whose callers are gone, and requests a part for the rest. */
  #nextRound(writeLog: GrowingWriteLog): void {
    writeLog.nextRound();
    const { covered } = writeLog;
    const done = this.#waiters.drop(
      (waiter) => waiter.writeLog === writeLog && (waiter.index <= covered || waiter.caller.isGone),
    );
    for (const { index, resolve, reject } of done) {
      if (index <= covered) resolve(writeLog);
      else reject(new ExecutionError('aborted', 'the caller is gone'));
    }
    this.#updateDemand(writeLog);
    for (const client of [...writeLog.clients]) this.#replay(client);
  }

  /** Recomputes the clients that wait for a write log, and the number of transactions they need. */
  #updateDemand(writeLog: GrowingWriteLog): void {
    writeLog.wanted = 0;
    for (const client of [...writeLog.clients]) {
      const waiting = this.#waitersOf(client, writeLog);
      if (waiting.length === 0) writeLog.clients.delete(client);
      for (const { index } of waiting) writeLog.wanted = Math.max(writeLog.wanted, index);
    }
  }

  /** Returns a client's waiting traces, oldest first. */
  #waitersOf(client: string, writeLog?: GrowingWriteLog): readonly Waiter[] {
    const { items, head } = this.#waiters.client(client);
    return items.slice(head).filter((waiter) => writeLog === undefined || waiter.writeLog === writeLog);
  }

  #use(height: number): GrowingWriteLog {
    const writeLog = this.#writeLogs.get(height) ?? new GrowingWriteLog(height);
    this.#writeLogs.delete(height);
    this.#trim();
    this.#writeLogs.set(height, writeLog);
    return writeLog;
  }

  /** Evicts write logs without waiting traces, least recently used first; then the others, newest first. */
  #trim(): void {
    for (const writeLog of this.#writeLogs.values()) {
      if (this.#bytes <= this.#maxBytes && this.#writeLogs.size < MAX_WRITE_LOGS) return;
      if (writeLog.clients.size === 0 && this.#writeLogs.size > 1) this.#discard(writeLog);
    }
    if (this.#bytes <= this.#maxBytes) return;
    const begun = [...this.#writeLogs.values()].filter(({ bytes }) => bytes > 0);
    for (const writeLog of begun.sort((a, b) => b.begun - a.begun).slice(0, -1)) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#discard(writeLog);
      const message = 'the write logs of traced blocks take too much memory';
      for (const waiter of this.#waiters.drop((each) => each.writeLog === writeLog)) {
        waiter.reject(new ExecutionError('overloaded', message));
      }
    }
  }

  #discard(writeLog: GrowingWriteLog): void {
    this.#writeLogs.delete(writeLog.height);
    this.#bytes -= writeLog.bytes;
    writeLog.cancel();
  }
}

/** @returns undefined if another replay of the round does the work */
function partOf(json: string, part: SharedArrayBuffer | undefined): ReplayedPart | undefined {
  const answer: ReplayAnswer = JSON.parse(json);
  if ('isElsewhere' in answer) return undefined;
  if (part === undefined) throw new RangeError('the answer to a replay has no write log');
  return { part, covered: answer.covered };
}
