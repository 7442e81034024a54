import { ClientError } from '../../client/client-error.js';
import { RpcCallError } from '../../client/rpc-call-error.js';
import type { RpcCaller } from '../../client/rpc-caller.js';
import { type BadLine, type CallLine, readCallLine } from './call-line.js';
import { CallsError } from './calls-error.js';
import type { ResultSink } from './result-file.js';

/** How long one try of a call may take, in milliseconds: more than a node lets any call take. */
const TRY_MS = 60_000;

/** So many times the concurrency may be answered and wait for an earlier one, since results keep the order of the calls. */
const WINDOW = 8;

export interface RunCallsOptions {
  /** One that repeats what fails for the moment. */
  readonly caller: Pick<RpcCaller, 'call'>;
  /** Lines of text; read only as fast as the calls are answered. */
  readonly lines: AsyncIterable<string>;
  readonly sink: ResultSink;
  /** Calls under way at a time. */
  readonly concurrency: number;
  /** Lines up to this one are passed over. */
  readonly skipLines: number;
  readonly signal: AbortSignal;
  /** Told after each line, in order. */
  readonly onLine: (counts: CallCounts) => void;
}

export interface CallCounts {
  /** Lines read so far whose result is written, those passed over included. */
  readonly lines: number;
  /** Characters of these lines, line ends included. */
  readonly characters: number;
  readonly answered: number;
  readonly failed: number;
}

interface Pending {
  readonly line: number;
  readonly characters: number;
  /** The result's line of text, and whether the call was answered with a result; never rejects but for the whole run's end. */
  readonly result: Promise<{ readonly text: string; readonly good: boolean }> | undefined;
}

/**
 * Puts calls to a node, some at a time, and writes one result a call in the order of the calls:
 * `{"line": n, "id"?: …, "method": …, "result": …}` or `{…, "error": {"code", "kind", "message", "data"}}`.
 * A call that fails is a result like any other; the run ends early only when no node answers any more.
 * @throws CallsError; the signal's reason. What is written by then is whole, and a later run can go on behind it.
 */
export function runCalls(options: RunCallsOptions): Promise<CallCounts> {
  return new CallRun(options).run();
}

class CallRun {
  readonly #options: RunCallsOptions;
  /** In the order of the lines: what is read and not written. */
  readonly #pending: Pending[] = [];
  readonly #ended: Promise<never>;
  #end: (reason: unknown) => void = () => undefined;
  #changed = Promise.resolve();
  #notify: () => void = () => undefined;
  #underWay = 0;
  #allRead = false;
  #counts: CallCounts = { lines: 0, characters: 0, answered: 0, failed: 0 };

  constructor(options: RunCallsOptions) {
    this.#options = options;
    this.#ended = new Promise((_resolve, reject) => {
      this.#end = reject;
    });
    // Waited for in races only, and not at all where nothing goes wrong.
    this.#ended.catch(() => undefined);
    this.#expectChange();
  }

  async run(): Promise<CallCounts> {
    const { signal } = this.#options;
    const onAbort = () => this.#end(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    const writing = this.#write();
    writing.catch((error: unknown) => this.#end(error));
    try {
      await this.#read();
      await Promise.race([writing, this.#ended]);
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
        while (this.#underWay >= concurrency || this.#pending.length >= concurrency * WINDOW) {
          await Promise.race([this.#changed, this.#ended]);
        }
        const next = await Promise.race([iterator.next(), this.#ended]);
        if (next.done === true) break;
        line++;
        const text = next.value;
        const passedOver = line <= skipLines || text.trim() === '';
        const result = passedOver ? undefined : this.#ask(text, line);
        this.#pending.push({ line, characters: text.length + 1, result });
        this.#announce();
      }
    } finally {
      // Not waited for: a source that nobody writes to would never end.
      void iterator.return?.();
    }
    this.#allRead = true;
    this.#announce();
  }

  #ask(text: string, line: number): Pending['result'] {
    this.#underWay++;
    const { caller, signal } = this.#options;
    const result = answer(caller, text, line, signal).finally(() => {
      this.#underWay--;
      this.#announce();
    });
    // The writer sees it in its turn; until then it must not count as unhandled.
    result.catch(() => undefined);
    return result;
  }

  async #write(): Promise<void> {
    const { sink, onLine } = this.#options;
    for (;;) {
      const first = this.#pending[0];
      if (first === undefined) {
        if (this.#allRead) return;
        await this.#changed;
        continue;
      }
      const result = await first.result;
      if (result !== undefined) await sink.write(result.text);
      this.#pending.shift();
      const { characters, answered, failed } = this.#counts;
      this.#counts = {
        lines: first.line,
        characters: characters + first.characters,
        answered: answered + (result?.good === true ? 1 : 0),
        failed: failed + (result?.good === false ? 1 : 0),
      };
      onLine(this.#counts);
      this.#announce();
    }
  }

  #announce(): void {
    this.#notify();
    this.#expectChange();
  }

  #expectChange(): void {
    this.#changed = new Promise((resolve) => {
      this.#notify = resolve;
    });
  }
}

async function answer(
  caller: Pick<RpcCaller, 'call'>,
  text: string,
  line: number,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly good: boolean }> {
  const call: CallLine | BadLine = readCallLine(text);
  const head = { line, ...(call.id === undefined ? {} : { id: call.id }) };
  if ('problem' in call) {
    const error = { kind: 'bad_line', message: call.problem };
    return { text: JSON.stringify({ ...head, error }), good: false };
  }
  const { method, params } = call;
  try {
    const result = await caller.call({
      method,
      params,
      timeoutMs: TRY_MS,
      signal,
      repeatable: true,
      alone: false,
    });
    return { text: JSON.stringify({ ...head, method, result }), good: true };
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
