import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, createGunzip, gzip } from 'node:zlib';
import { errorMessage } from '../../base/errors.js';
import { FarmError } from '../farm-error.js';

const compress = promisify(gzip);

/** Size of the text in one piece; a longer line makes a longer piece. */
const PIECE_CHARACTERS = 4 * 1024 * 1024;

/** Limit of the text of one piece: two answers of a node and the rest of a piece. */
const MAX_PIECE_BYTES = 256 * 1024 * 1024;

/** Limit of the lines of one piece: each result has more than ten characters. */
const MAX_PIECE_LINES = PIECE_CHARACTERS / 10;
const LINE_FEED = 10;

/** Decompressed bytes that are counted at a time. */
const CHUNK_BYTES = 1024 * 1024;

/** Compresses lines of text, quickly: the network and the memory of Redis cost more than the last tenth. */
export function packLines(text: string): Promise<Buffer> {
  return compress(text, { level: constants.Z_BEST_SPEED });
}

/** The lines of a piece. @throws FarmError damaged */
export async function unpackLines(piece: Buffer, what: string): Promise<string[]> {
  try {
    const text = (await decompress(piece)).toString();
    return text === '' ? [] : text.slice(0, -1).split('\n');
  } catch (error) {
    throw new FarmError('damaged', `${what}: cannot decompress: ${errorMessage(error)}`, { cause: error });
  }
}

/** Stops beyond a limit: a file made to exhaust memory would block the thread until the job's lease expires. */
async function decompress(piece: Buffer): Promise<Buffer> {
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  gunzip.end(piece);
  const chunks: Buffer[] = [];
  let [bytes, lines] = [0, 0];
  for await (const chunk of gunzip as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_PIECE_BYTES) throw new RangeError(`more than ${MAX_PIECE_BYTES} bytes`);
    lines += linesIn(chunk);
    // A line takes memory even if it is empty.
    if (lines > MAX_PIECE_LINES) throw new RangeError(`more than ${MAX_PIECE_LINES} lines`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
}

function linesIn(chunk: Buffer): number {
  let lines = 0;
  for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) lines++;
  return lines;
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

  /** Ends the job. @returns `only`: the piece if there is a single one, which the sink has not got */
  async end() {
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
