import { Presets, SingleBar } from 'cli-progress';

/** Interval of progress lines when bars cannot be drawn, in milliseconds. */
const PLAIN_PROGRESS_MS = 5_000;

const ON_STDERR = {
  stream: process.stderr,
  noTTYOutput: true,
  notTTYSchedule: PLAIN_PROGRESS_MS,
  hideCursor: true,
};

/** Shows one progress bar per step, one after another, on standard error; standard output carries only the result. */
export class SteppedProgress {
  #bar: SingleBar | undefined;
  #step: string | undefined;

  update(step: string, done: number, of: number): void {
    if (this.#bar === undefined || step !== this.#step) {
      this.stop();
      this.#step = step;
      this.#bar = new SingleBar({ format: `${step} [{bar}] {percentage}%`, ...ON_STDERR }, Presets.legacy);
      this.#bar.start(of, done);
    }
    this.#bar.update(done);
  }

  stop(): void {
    this.#bar?.stop();
    this.#bar = undefined;
  }
}

/**
 * Creates a progress bar that counts blocks, on standard error.
 * @param doing the activity, such as `verifying`
 */
export function blockProgress(doing: string): SingleBar {
  return bar(`${doing} [{bar}] {percentage}% | block {value} of {total} | {eta_formatted} left`);
}

/** Creates a progress bar that counts the seeds of simulated runs, on standard error. */
export function seedProgress(): SingleBar {
  return bar(
    'simulating [{bar}] {percentage}% | {value} of {total} seeds | {failed} failed | {eta_formatted} left',
  );
}

function bar(format: string): SingleBar {
  return new SingleBar({ format, ...ON_STDERR, etaBuffer: 100 }, Presets.legacy);
}

/** Shows the lines read of an input, on standard error: a bar once their number is known, before that the number. */
export class LineProgress {
  #bar: SingleBar | undefined;
  #step: string | undefined;

  update(step: string, lines: number, of: number | undefined): void {
    if (this.#bar === undefined || step !== this.#step) {
      this.stop();
      this.#step = step;
      const format =
        of === undefined
          ? `${step} | {value} lines`
          : `${step} [{bar}] {percentage}% | {value} of {total} lines`;
      this.#bar = new SingleBar({ format, ...ON_STDERR }, Presets.legacy);
      this.#bar.start(of ?? 0, lines);
    }
    this.#bar.update(lines);
  }

  stop(): void {
    this.#bar?.stop();
    this.#bar = undefined;
  }
}
