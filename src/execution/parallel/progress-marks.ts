import { closeSync, openSync, writeSync } from 'node:fs';

/** Where a worker records the group it is executing: a number in a file, which outlives the process. */
export interface ProgressMark {
  readonly path: string;
  /** Offset of the number, u32le, in bytes. */
  readonly offset: number;
}

/** Provides marks while any transaction is watched. */
export interface ProgressMarks {
  /** @returns undefined if no transaction is watched, or all marks are taken */
  take(): ProgressMark | undefined;
  /** Declares the mark unused, however the worker ended. */
  release(mark: ProgressMark): void;
}

/** Records a worker's progress in about a microsecond. Errors only cause warnings: nothing depends on the record. */
export class ProgressMarker {
  readonly #offset: number;
  readonly #bytes = Buffer.alloc(4);
  #file: number | undefined;

  constructor({ path, offset }: ProgressMark) {
    this.#offset = offset;
    this.#do(() => {
      // A separate descriptor: the main thread may close its own at any time, and the number may be reused.
      this.#file = openSync(path, 'r+');
    });
  }

  /** @param progress index of the group's first transaction plus one; 0 between groups */
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
      process.emitWarning(`cannot record a worker's progress: ${String(error)}`);
    }
  }
}
