import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { ProgressMark, ProgressMarks } from '../../execution/parallel/progress-marks.js';
import type { CandidateHashHex } from '../../ledger/hex-types.js';

/*
 * `<data-dir>/execution.underway` says what code was being run, so that the next process knows after a crash. It is not
 * synced: it has to outlive the process, not the machine. Two parts, for predictions and for the block, are each u32le magic ‖
 * u32le 0 ‖ u32le names ‖ u32le crc32 of the names ‖ for each name 32 bytes ‖ u32le place among the candidates plus one. At the
 * end of the first part's room are 64 numbers, u32le: the place plus one of the group that a worker is at, or 0.
 */

const FILE = 'execution.underway';
const MAGIC = 0x32_55_4d_48;
const HEADER_BYTES = 16;
const HASH_BYTES = 32;
const NAME_BYTES = HASH_BYTES + 4;
/** Room of the predictor's part, one batch, and of the progress of workers; behind it the block's. */
const PREDICTED_BYTES = 4_096;
const WORKERS = 64;
const PROGRESS_AT = PREDICTED_BYTES - 4 * WORKERS;
/** More names than a block's body can have. */
const MAX_NAMES = 1 << 20;

/** Two users of workers: `predicted` for tries of what has just come in, `block` for blocks. */
export type MarkerSection = 'predicted' | 'block';

/** A candidate about to be executed. */
export interface MarkedCandidate {
  readonly name: CandidateHashHex;
  /** The place of its first transaction among those that are executed together; workers note no progress if absent. */
  readonly start?: number;
}

/** What was under way when the process ended. */
interface InterruptedExecution {
  readonly names: readonly CandidateHashHex[];
  /** Those of them that workers were in the middle of, as far as progress was noted. */
  readonly running: readonly CandidateHashHex[];
}

const OFFSETS: Readonly<Record<MarkerSection, number>> = { predicted: 0, block: PREDICTED_BYTES };

/** The marks, and what the last process left of them. */
export interface OpenedMarker {
  readonly marker: ExecutionMarker;
  readonly interrupted: readonly InterruptedExecution[];
}

/** Marks of what is being executed, which outlive the process. Writing one takes microseconds. */
export class ExecutionMarker implements ProgressMarks {
  readonly #path: string;
  readonly #file: number;
  readonly #onError: (error: unknown) => void;
  readonly #taken = new Set<number>();
  #isWatching = false;
  #isClosed = false;

  private constructor(path: string, file: number, onError: (error: unknown) => void) {
    this.#path = path;
    this.#file = file;
    this.#onError = onError;
  }

  /**
   * @param onError told where a mark cannot be written: nothing else depends on it
   * @throws where the file cannot be opened
   */
  static open(dataDir: string, onError: (error: unknown) => void): OpenedMarker {
    const path = join(dataDir, FILE);
    const file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    const progress = readProgress(file);
    const interrupted = (['block', 'predicted'] as const).flatMap((part) =>
      read(file, OFFSETS[part], progress),
    );
    return { marker: new ExecutionMarker(path, file, onError), interrupted };
  }

  /**
   * @param candidates none writes nothing
   * @param isWatched whether workers note which of them they are at
   */
  begin(part: MarkerSection, candidates: readonly MarkedCandidate[], isWatched = false): void {
    if (candidates.length === 0) return;
    if (part === 'block') {
      this.#isWatching = isWatched;
      // Places are those of these candidates from here on.
      if (isWatched) this.#write(Buffer.alloc(4 * WORKERS), PROGRESS_AT);
    }
    const bytes = Buffer.allocUnsafe(HEADER_BYTES + candidates.length * NAME_BYTES);
    for (const [place, { name, start = -1 }] of candidates.entries()) {
      const at = HEADER_BYTES + place * NAME_BYTES;
      bytes.write(name, at, 'hex');
      bytes.writeUInt32LE(start + 1, at + HASH_BYTES);
    }
    bytes.writeUInt32LE(MAGIC, 0);
    bytes.writeUInt32LE(0, 4);
    bytes.writeUInt32LE(candidates.length, 8);
    bytes.writeUInt32LE(crc32(bytes.subarray(HEADER_BYTES)), 12);
    this.#write(bytes, OFFSETS[part]);
  }

  end(part: MarkerSection): void {
    if (part === 'block') this.#isWatching = false;
    this.#write(Buffer.alloc(HEADER_BYTES), OFFSETS[part]);
  }

  take(): ProgressMark | undefined {
    if (!this.#isWatching || this.#isClosed) return undefined;
    for (let worker = 0; worker < WORKERS; worker++) {
      if (this.#taken.has(worker)) continue;
      this.#taken.add(worker);
      return { path: this.#path, offset: PROGRESS_AT + 4 * worker };
    }
    return undefined;
  }

  release({ offset }: ProgressMark): void {
    this.#write(Buffer.alloc(4), offset);
    this.#taken.delete((offset - PROGRESS_AT) / 4);
  }

  /**
   * Ends in good order. What is still being tried of what came in has nothing to do with it, and from here on leaves no
   * mark; a block that is under way ends or is given up before.
   */
  close(): void {
    if (this.#isClosed) return;
    this.end('predicted');
    this.#isClosed = true;
    closeSync(this.#file);
  }

  #write(bytes: Buffer, offset: number): void {
    // The number of a closed file may be another file's by now.
    if (this.#isClosed) return;
    try {
      writeSync(this.#file, bytes, 0, bytes.length, offset);
    } catch (error) {
      this.#onError(error);
    }
  }
}

/** One that was being written when the process ended had nothing under way yet. */
function read(file: number, offset: number, progress: ReadonlySet<number>): InterruptedExecution[] {
  const header = Buffer.alloc(HEADER_BYTES);
  if (readSync(file, header, 0, HEADER_BYTES, offset) < HEADER_BYTES) return [];
  const count = header.readUInt32LE(8);
  if (header.readUInt32LE(0) !== MAGIC || count === 0 || count > MAX_NAMES) return [];
  const bytes = Buffer.alloc(count * NAME_BYTES);
  if (readSync(file, bytes, 0, bytes.length, offset + HEADER_BYTES) < bytes.length) return [];
  if (crc32(bytes) !== header.readUInt32LE(12)) return [];
  const names: CandidateHashHex[] = [];
  const running: CandidateHashHex[] = [];
  for (let at = 0; at < bytes.length; at += NAME_BYTES) {
    const name = bytes.toString('hex', at, at + HASH_BYTES) as CandidateHashHex;
    names.push(name);
    if (progress.has(bytes.readUInt32LE(at + HASH_BYTES))) running.push(name);
  }
  return [{ names, running }];
}

/** The places that workers were at, plus one. */
function readProgress(file: number): ReadonlySet<number> {
  const bytes = Buffer.alloc(4 * WORKERS);
  readSync(file, bytes, 0, bytes.length, PROGRESS_AT);
  const progress = new Set<number>();
  for (let at = 0; at < bytes.length; at += 4) progress.add(bytes.readUInt32LE(at));
  progress.delete(0);
  return progress;
}
