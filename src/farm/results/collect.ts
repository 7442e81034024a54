import { createHash } from 'node:crypto';
import { resultLine } from '../../load/calls/ask-call.js';
import { readCallLine } from '../../load/calls/call-line.js';
import { FarmError } from '../farm-error.js';
import { JobResults } from '../run/job-results.js';
import type { StoredRun } from '../run/run-progress.js';
import type { JobData, Pin } from '../run/run-record.js';
import type { RunStore } from '../run/run-store.js';
import { CallStatistics, type StatisticsRecord } from '../statistics.js';
import type { ResultWriter } from './result-writer.js';

/** Blocks listed with their calls. */
const SHOWN_PINS = 20;

export interface Collection {
  readonly store: RunStore;
  readonly stored: StoredRun;
  readonly writer: ResultWriter;
  /** Number of leading result lines that are written already. */
  readonly skipLines: number;
  /** Jobs whose lines are asked for. */
  readonly asked: ReadonlySet<number>;
  readonly signal: AbortSignal;
  readonly onLines: (written: number) => void;
}

export interface CollectedRun {
  readonly lines: number;
  /** Jobs without results; each call of theirs has an error instead. */
  readonly missing: number;
  readonly statistics: StatisticsRecord;
  /** First and last result line of the jobs asked for, such as `1–500`. */
  readonly places: ReadonlyMap<number, string>;
  /** The first blocks whose state the calls saw, and the numbers of calls. */
  readonly pins: readonly { readonly height: string; readonly block_hash: string; readonly calls: number }[];
}

/** Writes the results in the order of the input. @throws FarmError, ResultsError, or the signal's reason */
export async function collect(collection: Collection): Promise<CollectedRun> {
  const { store, stored, writer, skipLines, asked, signal, onLines } = collection;
  const { run, record, progress } = stored;
  const results = new JobResults(store.redis, stored);
  const statistics = new CallStatistics();
  const pins = new Map<string, { readonly pin: Pin; calls: number }>();
  // A worker does not know how many lines come before a trace.
  const isNumbered = record.kind === 'calls';
  let written = 0;
  /** Passes lines on, but for those that are written already. */
  const write = async (lines: readonly string[]): Promise<void> => {
    const skipped = Math.min(lines.length, Math.max(0, skipLines - written));
    const first = written + 1;
    const numbered = isNumbered
      ? lines
      : lines.map((line, place) => `{"line":${first + place},${line.slice(1)}`);
    written += lines.length;
    await writer.write(skipped === 0 ? numbered : numbered.slice(skipped));
  };
  const places = new Map<number, string>();
  let missing = 0;
  for await (const { data, finished } of store.finishedJobs(run, progress.jobs)) {
    signal.throwIfAborted();
    const before = written;
    notePin(pins, data.calls?.pin ?? record.pin, finished?.statistics.calls ?? 0);
    if (finished === undefined) {
      missing++;
      await write(
        data.calls === undefined
          ? [missingTrace(data)]
          : missingCalls(await results.input(data.job), data.calls.first),
      );
    } else {
      statistics.merge(finished.statistics);
      if (written + finished.lines <= skipLines) {
        written += finished.lines;
      } else {
        const hash = createHash('sha256');
        for await (const lines of results.lines(data.job, finished)) {
          for (const line of lines) hash.update(line).update('\n');
          await write(lines);
        }
        // Lines of undetermined calls are not in the checksum.
        if (finished.statistics.undetermined === 0 && hash.digest('hex') !== finished.checksum) {
          const name = `job ${data.job} of ${run}`;
          throw new FarmError('damaged', `the results of ${name} do not have their checksum`);
        }
      }
    }
    if (asked.has(data.job)) places.set(data.job, `${before + 1}–${written}`);
    onLines(written);
  }
  return {
    lines: written,
    missing,
    places,
    statistics: statistics.toRecord(),
    pins: [...pins.values()].map(({ pin, calls }) => ({ height: pin.height, block_hash: pin.hash, calls })),
  };
}

const NO_RESULT = { kind: 'no_result', message: 'the job of this call has not been done' };

/** Results that say that there are none. */
function missingCalls(inputs: readonly string[], first: number): string[] {
  return inputs.flatMap((text, place) =>
    text.trim() === ''
      ? []
      : [resultLine({ line: first + place, id: readCallLine(text).id }, { failure: NO_RESULT })],
  );
}

/** One result for all transactions of a job, because their number is not known. */
function missingTrace({ traces }: JobData): string {
  const { from = '0', to = '0' } = traces ?? {};
  return JSON.stringify({ height: Number(from), error: { ...NO_RESULT, data: { from, to } } });
}

function notePin(pins: Map<string, { readonly pin: Pin; calls: number }>, pin: Pin, calls: number): void {
  const known = pins.get(pin.hash);
  if (known !== undefined) known.calls += calls;
  else if (pins.size < SHOWN_PINS) pins.set(pin.hash, { pin, calls });
}
