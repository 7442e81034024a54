import { ClientError } from '../../client/client-error.js';
import { RpcCallError } from '../../client/rpc-call-error.js';
import type { RpcCaller } from '../../client/rpc-caller.js';
import type { ResultText } from '../result-text.js';
import { type BadLine, type CallLine, readCallLine } from './call-line.js';
import { CallsError } from './calls-error.js';
import type { ResultSink } from './result-file.js';

/** Timeout of one attempt in milliseconds, longer than any call timeout of a node. */
const TRY_MS = 60_000;

/**
 * Maximum number of pending lines, as a multiple of the concurrency. Answered calls wait here because results keep the
 * order of the calls.
 */
const WINDOW = 8;

/** Makes calls and returns their results as text. */
export type TextCaller = Pick<RpcCaller<Pick<ResultText, 'text'>>, 'call'>;

export interface RunCallsOptions {
  /** A caller that retries transient failures. */
  readonly caller: TextCaller;
  /** Lines of text, read only as fast as the calls are answered. */
  readonly lines: AsyncIterable<string>;
  readonly sink: ResultSink;
  /** Maximum number of calls in flight. */
  readonly concurrency: number;
  /** Number of leading lines to skip. */
  readonly skipLines: number;
  readonly signal: AbortSignal;
  /** Called after each line, in order. */
  readonly onLine: (counts: CallCounts) => void;
}

export interface CallCounts {
  /** Number of lines done so far, including skipped ones. */
  readonly lines: number;
  /** Total number of characters in the finished lines, including newlines. */
  readonly characters: number;
  readonly answered: number;
  readonly failed: number;
}

/** A finished call: its result line, and whether the node returned a result. */
interface Ended {
  readonly text: string;
  readonly good: boolean;
}

/** A line that has been read but whose result is not written yet. */
interface Pending {
  readonly line: number;
  readonly characters: number;
  /** Null if the line is skipped, undefined while the call is in flight. */
  ended: Ended | null | undefined;
}

/**
 * Makes the calls concurrently and writes one result per call, in the order of the calls:
 * `{"line": n, "id"?: …, "method": …, "result": …}` or `{…, "error": {"code", "kind", "message", "data"}}`.
 * A failed call is a result like any other; the run stops early only when the node no longer answers.
 * @throws CallsError, or the signal's reason. All lines written by then are complete, so a later run can resume.
 */
export function runCalls(options: RunCallsOptions): Promise<CallCounts> {
  return new CallRun(options).run();
}

class CallRun {
  readonly #options: RunCallsOptions;
  /** In line order. */
  readonly #pending: Pending[] = [];
  #failure: { readonly reason: unknown } | undefined;
  /** Callbacks waiting for a state change. */
  #waiting: (() => void)[] = [];
  #end: () => void = () => undefined;
  #inFlight = 0;
  #allRead = false;
  #counts: CallCounts = { lines: 0, characters: 0, answered: 0, failed: 0 };

  constructor(options: RunCallsOptions) {
    this.#options = options;
  }

  async run(): Promise<CallCounts> {
    const { signal } = this.#options;
    const onAbort = () => this.#fail(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    const failing = (error: unknown) => this.#fail(error);
    try {
      // A failed run ends even if its source or sink never settles.
      await new Promise<void>((resolve) => {
        this.#end = resolve;
        this.#read().catch(failing);
        this.#write().then(resolve, failing);
        if (this.#failure !== undefined) resolve();
      });
      if (this.#failure !== undefined) throw this.#failure.reason;
      return this.#counts;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  async #read(): Promise<void> {
    const { lines, concurrency, skipLines } = this.#options;
    const iterator = lines[Symbol.asyncIterator]();
    let line = 0;
    try {
      for (;;) {
        while (this.#inFlight >= concurrency || this.#pending.length >= concurrency * WINDOW) {
          await this.#change();
          if (this.#failure !== undefined) return;
        }
        const next = await this.#next(iterator);
        if (this.#failure !== undefined) return;
        if (next === undefined) break;
        line++;
        const pending: Pending = { line, characters: next.length + 1, ended: undefined };
        this.#pending.push(pending);
        if (line <= skipLines || next.trim() === '') {
          pending.ended = null;
          this.#announce();
        } else {
          void this.#ask(next, pending);
        }
      }
    } finally {
      // Not awaited: a pipe without a writer would never end.
      void iterator.return?.();
    }
    this.#allRead = true;
    this.#announce();
  }

  /** Returns the next line, or undefined at the end or once the run has failed. */
  #next(iterator: AsyncIterator<string>): Promise<string | undefined> {
    return new Promise((resolve, reject) => {
      const look = () => {
        if (this.#failure === undefined) this.#waiting.push(look);
        else resolve(undefined);
      };
      iterator.next().then(({ done, value }) => {
        this.#waiting = this.#waiting.filter((other) => other !== look);
        resolve(done === true ? undefined : value);
      }, reject);
      look();
    });
  }

  /** Never rejects. */
  async #ask(text: string, pending: Pending): Promise<void> {
    this.#inFlight++;
    const { caller, signal } = this.#options;
    try {
      pending.ended = await answer(caller, text, pending.line, signal);
    } catch (error) {
      this.#fail(error);
    }
    this.#inFlight--;
    this.#announce();
  }

  async #write(): Promise<void> {
    const { sink, onLine } = this.#options;
    while (this.#failure === undefined) {
      const first = this.#pending[0];
      if (first?.ended === undefined) {
        if (first === undefined && this.#allRead) return;
        await this.#change();
        continue;
      }
      const { ended } = first;
      if (ended !== null) await sink.write(ended.text);
      this.#pending.shift();
      const { characters, answered, failed } = this.#counts;
      this.#counts = {
        lines: first.line,
        characters: characters + first.characters,
        answered: answered + (ended?.good === true ? 1 : 0),
        failed: failed + (ended?.good === false ? 1 : 0),
      };
      onLine(this.#counts);
      if (this.#pending.length === 0 || this.#inFlight < this.#options.concurrency) this.#announce();
    }
  }

  /** Ends the run; only the first reason is kept. */
  #fail(reason: unknown): void {
    this.#failure ??= { reason };
    this.#announce();
    this.#end();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #announce(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }
}

async function answer(caller: TextCaller, text: string, line: number, signal: AbortSignal): Promise<Ended> {
  const call: CallLine | BadLine = readCallLine(text);
  const head = { line, ...(call.id === undefined ? {} : { id: call.id }) };
  if ('problem' in call) {
    const error = { kind: 'bad_line', message: call.problem };
    return { text: JSON.stringify({ ...head, error }), good: false };
  }
  const { method, params } = call;
  try {
    const { text: result } = await caller.call({
      method,
      params,
      timeoutMs: TRY_MS,
      signal,
      repeatable: true,
      unbatched: false,
    });
    // Copies the node's own text, because parsing and serializing it again would take longer than the call.
    return { text: `${JSON.stringify({ ...head, method }).slice(0, -1)},"result":${result}}`, good: true };
  } catch (error) {
    if (error instanceof RpcCallError) {
      const { code, kind, message, data } = error;
      return { text: JSON.stringify({ ...head, method, error: { code, kind, message, data } }), good: false };
    }
    if (error instanceof ClientError && error.code === 'timeout') {
      const failure = { kind: 'client_timeout', message: error.message };
      return { text: JSON.stringify({ ...head, method, error: failure }), good: false };
    }
    if (error instanceof ClientError) throw new CallsError('no_node', error.message, { cause: error });
    throw error;
  }
}
