import { LineFile, type LineSink } from '../line-file.js';
import { workInOrder } from '../ordered-work.js';
import { askCall, badLineEnd, type CallEnd, resultLine, type TextCaller } from './ask-call.js';
import { readCallLine } from './call-line.js';

export interface RunCallsOptions {
  /** A caller that retries transient failures. */
  readonly caller: TextCaller;
  /** Lines of text, read only as fast as the calls are answered. */
  readonly lines: AsyncIterable<string>;
  readonly sink: LineSink;
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

/**
 * Makes the calls concurrently and writes one result per call, in the order of the calls:
 * `{"line": n, "id"?: …, "method": …, "result": …}` or `{…, "error": {"code", "kind", "message", "data"}}`.
 * A failed call is a result like any other; the run stops early only when the node no longer answers.
 * @throws CallsError, or the signal's reason. All lines written by then are complete, so a later run can resume.
 */
export async function runCalls(options: RunCallsOptions): Promise<CallCounts> {
  const { caller, lines, sink, concurrency, skipLines, signal, onLine } = options;
  let counts: CallCounts = { lines: 0, characters: 0, answered: 0, failed: 0 };
  await workInOrder<string, Ended>({
    items: lines,
    concurrency,
    signal,
    work: (text, line) =>
      line <= skipLines || text.trim() === '' ? null : answer(caller, text, line, signal),
    sizeOf: ({ text }) => text.length,
    settle: async (ended, text, line) => {
      if (ended !== null) await sink.write(ended.text);
      counts = {
        lines: line,
        characters: counts.characters + text.length + 1,
        answered: counts.answered + (ended?.good === true ? 1 : 0),
        failed: counts.failed + (ended?.good === false ? 1 : 0),
      };
      onLine(counts);
    },
  });
  return counts;
}

async function answer(caller: TextCaller, text: string, line: number, signal: AbortSignal): Promise<Ended> {
  const call = readCallLine(text);
  const { id } = call;
  const end: CallEnd = 'problem' in call ? badLineEnd(call) : await askCall(caller, call, { signal });
  const method = 'problem' in call ? undefined : call.method;
  // JSON leaves out undefined members.
  return { text: resultLine({ line, id, method }, end), good: 'result' in end };
}

/** Opens a file for the results of calls; its positions are the numbers of their lines. @throws CallsError */
export function openResults(path: string, resume: boolean): Promise<LineFile<number>> {
  const form = {
    beginning: '{"line":',
    foreign: 'is not a result of an earlier run, so there is nothing to continue',
    position: ({ line }: Readonly<Record<string, unknown>>) =>
      typeof line === 'number' && Number.isSafeInteger(line) && line > 0 ? line : undefined,
  };
  return LineFile.open(path, form, resume);
}
