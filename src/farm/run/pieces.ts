import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';
import { errorMessage } from '../../base/errors.js';
import { FarmError } from '../farm-error.js';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Size of the text in one piece; a longer line makes a longer piece. */
const PIECE_CHARACTERS = 4 * 1024 * 1024;

/** Limit of the text of one piece: two answers of a node and the rest of a piece. */
const MAX_PIECE_BYTES = 256 * 1024 * 1024;

/** Limit of the lines of one piece: each result has more than ten characters. */
const MAX_PIECE_LINES = PIECE_CHARACTERS / 10;
const LINE_FEED = 10;

/** Compresses lines of text, quickly: the network and the memory of Redis cost more than the last tenth. */
export function packLines(text: string): Promise<Buffer> {
  return compress(text, { level: constants.Z_BEST_SPEED });
}

/** The lines of a piece. @throws FarmError damaged */
export async function unpackLines(piece: Buffer, what: string): Promise<string[]> {
  try {
    const bytes = await decompress(piece, { maxOutputLength: MAX_PIECE_BYTES });
    expectLines(bytes);
    const text = bytes.toString();
    return text === '' ? [] : text.slice(0, -1).split('\n');
  } catch (error) {
    throw new FarmError('damaged', `${what}: cannot decompress: ${errorMessage(error)}`, { cause: error });
  }
}

/** A line takes memory even if it is empty, as in a file made to exhaust it. */
function expectLines(bytes: Buffer): void {
  let lines = 0;
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) {
    if (++lines > MAX_PIECE_LINES) throw new RangeError(`more than ${MAX_PIECE_LINES} lines`);
  }
}

/** Receives the pieces of a job that has several. */
export type PieceSink = (place: number, piece: Buffer) => Promise<void>;

/** Packs the result lines of a job into pieces, and computes their checksum. */
export class PiecePacker {
  readonly #sink: PieceSink;
  readonly #hash = createHash('sha256');
  #gathered = '';
  #pieces = 0;
  #storedBytes = 0;
  #lines = 0;

  constructor(sink: PieceSink) {
    this.#sink = sink;
  }

  /**
   * @param isComparable false if another worker may get another line for the same call, as after a timeout; the line
   *   is then left out of the checksum
   */
  async add(line: string, isComparable: boolean): Promise<void> {
    this.#lines++;
    if (isComparable) this.#hash.update(line).update('\n');
    this.#gathered += `${line}\n`;
    if (this.#gathered.length < PIECE_CHARACTERS) return;
    const piece = await this.#pack();
    await this.#sink(this.#pieces++, piece);
  }

  /**
   * Ends the job.
   * @returns `only`: the piece, if there is a single one, which has not been given to the sink
   */
  async end(): Promise<{
    readonly only: Buffer | undefined;
    readonly pieces: number;
    readonly lines: number;
    readonly storedBytes: number;
    readonly checksum: string;
  }> {
    let only: Buffer | undefined;
    if (this.#gathered !== '' || this.#pieces === 0) {
      const piece = await this.#pack();
      if (this.#pieces === 0) only = piece;
      else await this.#sink(this.#pieces, piece);
      this.#pieces++;
    }
    return {
      only,
      pieces: this.#pieces,
      lines: this.#lines,
      storedBytes: this.#storedBytes,
      checksum: this.#hash.digest('hex'),
    };
  }

  async #pack(): Promise<Buffer> {
    const piece = await packLines(this.#gathered);
    this.#gathered = '';
    this.#storedBytes += piece.length;
    return piece;
  }
}
