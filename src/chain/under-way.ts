import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { CandidateHashHex } from '../ledger/hex-names.js';

/*
 * `<data-dir>/execution.underway` says what code was being run, so that whoever starts after a crash knows. It is written
 * before and after, not synced: it has to outlive the process, not the machine. Each part of it is u32le magic ‖ u32le 1
 * where the one named ran alone ‖ u32le names ‖ u32le crc32 of the names ‖ names, 32 bytes each.
 */

const FILE = 'execution.underway';
const MAGIC = 0x31_55_4d_48;
const HEADER_BYTES = 16;
const NAME_BYTES = 32;
/** The predictor's part, one batch; behind it the block's. */
const PREDICTED_BYTES = 4_096;
/** More names than a block's body can have. */
const MOST_NAMES = 1 << 20;

/** Who runs code: `predicted` for tries of what has just come in, `block` for blocks. */
export type UnderWayPart = 'predicted' | 'block';

/** What was under way when the process ended. */
interface Interrupted {
  readonly names: readonly CandidateHashHex[];
  /** Whether the only one ran with nothing else. */
  readonly alone: boolean;
}

const OFFSETS: Readonly<Record<UnderWayPart, number>> = { predicted: 0, block: PREDICTED_BYTES };

/** The marks, and what the last process left of them. */
export interface OpenedMarks {
  readonly underWay: UnderWay;
  readonly interrupted: readonly Interrupted[];
}

/** Marks of what is being executed, which outlive the process. Writing one takes microseconds. */
export class UnderWay {
  readonly #file: number;
  readonly #onError: (error: unknown) => void;
  #isClosed = false;

  private constructor(file: number, onError: (error: unknown) => void) {
    this.#file = file;
    this.#onError = onError;
  }

  /**
   * @param onError told where a mark cannot be written: nothing else depends on it
   * @throws where the file cannot be opened
   */
  static open(dataDir: string, onError: (error: unknown) => void): OpenedMarks {
    const file = openSync(join(dataDir, FILE), constants.O_RDWR | constants.O_CREAT, 0o600);
    const interrupted = (['block', 'predicted'] as const).flatMap((part) => read(file, OFFSETS[part]));
    const underWay = new UnderWay(file, onError);
    return { underWay, interrupted };
  }

  /** @param names none writes nothing */
  begin(part: UnderWayPart, names: readonly CandidateHashHex[], alone = false): void {
    if (names.length === 0) return;
    const bytes = Buffer.allocUnsafe(HEADER_BYTES + names.length * NAME_BYTES);
    for (const [place, name] of names.entries()) bytes.write(name, HEADER_BYTES + place * NAME_BYTES, 'hex');
    bytes.writeUInt32LE(MAGIC, 0);
    bytes.writeUInt32LE(alone ? 1 : 0, 4);
    bytes.writeUInt32LE(names.length, 8);
    bytes.writeUInt32LE(crc32(bytes.subarray(HEADER_BYTES)), 12);
    this.#write(part, bytes);
  }

  end(part: UnderWayPart): void {
    this.#write(part, Buffer.alloc(HEADER_BYTES));
  }

  /**
   * Ends in good order. What is still being tried of what came in has nothing to do with it, and from here on leaves no
   * mark; whoever has a block under way ends or gives up that first.
   */
  close(): void {
    if (this.#isClosed) return;
    this.end('predicted');
    this.#isClosed = true;
    closeSync(this.#file);
  }

  #write(part: UnderWayPart, bytes: Buffer): void {
    // The number of a closed file may be another file's by now.
    if (this.#isClosed) return;
    try {
      writeSync(this.#file, bytes, 0, bytes.length, OFFSETS[part]);
    } catch (error) {
      this.#onError(error);
    }
  }
}

/** One that was being written when the process ended had nothing under way yet. */
function read(file: number, offset: number): Interrupted[] {
  const header = Buffer.alloc(HEADER_BYTES);
  if (readSync(file, header, 0, HEADER_BYTES, offset) < HEADER_BYTES) return [];
  const count = header.readUInt32LE(8);
  if (header.readUInt32LE(0) !== MAGIC || count === 0 || count > MOST_NAMES) return [];
  const bytes = Buffer.alloc(count * NAME_BYTES);
  if (readSync(file, bytes, 0, bytes.length, offset + HEADER_BYTES) < bytes.length) return [];
  if (crc32(bytes) !== header.readUInt32LE(12)) return [];
  const names = Array.from(
    { length: count },
    (_, place) => bytes.toString('hex', place * NAME_BYTES, (place + 1) * NAME_BYTES) as CandidateHashHex,
  );
  return [{ names, alone: header.readUInt32LE(4) === 1 }];
}
