import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { ProgressMark, ProgressMarks } from '../../execution/parallel/progress-marks.js';
import type { CandidateHashHex } from '../../ledger/hex-types.js';

/*
 * `<data-dir>/execution.underway` records which code was running, so that the next process knows after a crash. It is
 * not synced: it must survive a crash of the process, not of the machine. It has two sections, for predictions and for
 * the block, each u32le magic ‖ u32le 0 ‖ u32le names ‖ u32le crc32 of the names ‖ for each name: 32 bytes ‖ u32le
 * (position among the candidates + 1). The first section's space ends with 64 u32le progress entries: position + 1 of
 * the group that a worker is executing, or 0.
 */

const FILE = 'execution.underway';
const MAGIC = 0x32_55_4d_48;
const HEADER_BYTES = 16;
const HASH_BYTES = 32;
const NAME_BYTES = HASH_BYTES + 4;
/** Space for the predictor's section (one batch) and the workers' progress; the block's section follows. */
const PREDICTED_BYTES = 4_096;
const WORKERS = 64;
const PROGRESS_AT = PREDICTED_BYTES - 4 * WORKERS;
/** More names than fit into a block body. */
const MAX_NAMES = 1 << 20;

/** `predicted` for predictions of newly received transactions, `block` for blocks. */
export type MarkerSection = 'predicted' | 'block';

export interface MarkedCandidate {
  readonly name: CandidateHashHex;
  /** Position of the candidate's first transaction in the execution; if absent, workers record no progress. */
  readonly start?: number;
}

/** Candidates that were running when the process ended. */
interface InterruptedExecution {
  readonly names: readonly CandidateHashHex[];
  /** Names that workers were executing, as far as progress was recorded. */
  readonly running: readonly CandidateHashHex[];
}

const OFFSETS: Readonly<Record<MarkerSection, number>> = { predicted: 0, block: PREDICTED_BYTES };

/** An opened marker, with the executions that the previous process left unfinished. */
export interface OpenedMarker {
  readonly marker: ExecutionMarker;
  readonly interrupted: readonly InterruptedExecution[];
}

/** Marks of running executions, which survive a crash. Writing one takes microseconds. */
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
   * @param onError called when a mark cannot be written; execution does not depend on it
   * @throws if the file cannot be opened
   */
  static open(dataDir: string, onError: (error: unknown) => void): OpenedMarker {
    const path = join(dataDir, FILE);
    const file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    const progress = readProgress(file);
    const interrupted = [OFFSETS.block, OFFSETS.predicted].flatMap((offset) => read(file, offset, progress));
    return { marker: new ExecutionMarker(path, file, onError), interrupted };
  }

  /** Writes nothing without candidates. @param isWatched whether workers record their progress */
  begin(part: MarkerSection, candidates: readonly MarkedCandidate[], isWatched = false): void {
    if (candidates.length === 0) return;
    if (part === 'block') {
      this.#isWatching = isWatched;
      // From here on, positions refer to these candidates.
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
   * Closes the marker on a regular shutdown. Predictions still running are not to blame, so their marks are removed;
   * a running block ends or is abandoned before this call.
   */
  close(): void {
    if (this.#isClosed) return;
    this.end('predicted');
    this.#isClosed = true;
    closeSync(this.#file);
  }

  #write(bytes: Buffer, offset: number): void {
    // The descriptor of a closed file may have been reused.
    if (this.#isClosed) return;
    try {
      writeSync(this.#file, bytes, 0, bytes.length, offset);
    } catch (error) {
      this.#onError(error);
    }
  }
}

/** Reads a section. If the process ended while writing it, its candidates were not running yet. */
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

/** Positions + 1 of the groups that workers were executing. */
function readProgress(file: number): ReadonlySet<number> {
  const bytes = Buffer.alloc(4 * WORKERS);
  readSync(file, bytes, 0, bytes.length, PROGRESS_AT);
  const progress = new Set<number>();
  for (let at = 0; at < bytes.length; at += 4) progress.add(bytes.readUInt32LE(at));
  progress.delete(0);
  return progress;
}
