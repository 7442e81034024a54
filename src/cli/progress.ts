import { Presets, SingleBar } from 'cli-progress';
import { interruptible } from './end-process.js';

/** Interval of progress lines when bars cannot be drawn, in milliseconds. */
const PLAIN_PROGRESS_MS = 5_000;

const ON_STDERR = {
  stream: process.stderr,
  noTTYOutput: true,
  notTTYSchedule: PLAIN_PROGRESS_MS,
  hideCursor: true,
};

type OnProgress = (step: string, done: number, of: number) => void;

/** Shows one progress bar per step, one after another, on standard error; standard output carries only the result. */
export class SteppedProgress {
  readonly #unit: string;
  #bar: SingleBar | undefined;
  #step: string | undefined;

  /** @param unit the unit of the counts; they are shown only with one */
  constructor(unit = '') {
    this.#unit = unit;
  }

  /** @param of undefined if it is not known: then the bar is left out */
  update(step: string, done: number, of: number | undefined): void {
    if (this.#bar === undefined || step !== this.#step) {
      this.stop();
      this.#step = step;
      const total = of === undefined ? '' : ' of {total}';
      const bar = of === undefined ? '' : ' [{bar}] {percentage}%';
      const numbers = this.#unit === '' ? '' : ` | {value}${total} ${this.#unit}`;
      this.#bar = new SingleBar({ format: `${step}${bar}${numbers}`, ...ON_STDERR }, Presets.legacy);
      this.#bar.start(of ?? 0, done);
    }
    this.#bar.update(done);
  }

  stop(): void {
    this.#bar?.stop();
    this.#bar = undefined;
  }
}

/** Shows progress until the work ends. @param reason message of the error that a signal aborts it with */
export async function withProgress<T>(
  reason: string,
  work: (onProgress: OnProgress, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const progress = new SteppedProgress();
  try {
    return await interruptible(reason, (signal) =>
      work((step, done, of) => progress.update(step, done, of), signal),
    );
  } finally {
    progress.stop();
  }
}

/** A progress bar that counts blocks. @param doing such as `verifying` */
export function blockProgress(doing: string): SingleBar {
  return bar(`${doing} [{bar}] {percentage}% | block {value} of {total} | {eta_formatted} left`);
}

export function seedProgress(): SingleBar {
  return bar(
    'simulating [{bar}] {percentage}% | {value} of {total} seeds | {failed} failed | {eta_formatted} left',
  );
}

function bar(format: string): SingleBar {
  return new SingleBar({ format, ...ON_STDERR, etaBuffer: 100 }, Presets.legacy);
}
