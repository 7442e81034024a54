import { closeSync, openSync, writeSync } from 'node:fs';

/** Where a worker notes the group that it is at: a number in a file, which outlives the process. */
export interface ProgressMark {
  readonly path: string;
  /** Of the number, u32le, in bytes. */
  readonly offset: number;
}

/** Gives out marks while anybody is watched. */
export interface ProgressMarks {
  /** @returns undefined where nobody is watched, or all marks are taken */
  take(): ProgressMark | undefined;
  /** Nothing is under way any more, however the worker ended. */
  release(mark: ProgressMark): void;
}

/** Notes a worker's progress, in about a microsecond each time. Nothing else depends on it: errors are warnings. */
export class ProgressMarker {
  readonly #offset: number;
  readonly #bytes = Buffer.alloc(4);
  #file: number | undefined;

  constructor({ path, offset }: ProgressMark) {
    this.#offset = offset;
    this.#do(() => {
      // Its own descriptor: the main thread may close the file at any time, and the number is another file's then.
      this.#file = openSync(path, 'r+');
    });
  }

  /** @param progress the place of the group's first transaction plus one; 0 between groups */
  at(progress: number): void {
    const file = this.#file;
    if (file === undefined) return;
    this.#bytes.writeUInt32LE(progress);
    this.#do(() => writeSync(file, this.#bytes, 0, 4, this.#offset));
  }

  close(): void {
    const file = this.#file;
    this.#file = undefined;
    if (file !== undefined) this.#do(() => closeSync(file));
  }

  #do(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.#file = undefined;
      process.emitWarning(`a worker's progress could not be noted: ${String(error)}`);
    }
  }
}
